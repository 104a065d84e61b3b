/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* net.c - packets and connections with protocols, addresses and states */
#include <ktrail/plugin.h>

#define END { 0, NULL, 0 }

/* Sources: Linux, include/uapi/linux/{if_ether,in}.h, include/net/tcp_states.h */
static const struct kt_name ethertypes[] = {
	{ 0x0800, "IPv4", 0 }, { 0x86dd, "IPv6", 0 }, { 0x0806, "ARP", 0 }, { 0x8100, "VLAN", 0 },
	{ 0x88a8, "QinQ", 0 }, { 0x8847, "MPLS", 0 }, { 0x88cc, "LLDP", 0 }, { 0x88f7, "PTP", 0 },
	END
};
static const struct kt_name protocols[] = {
	{ 1, "ICMP", 0 }, { 6, "TCP", 0 }, { 17, "UDP", 0 }, { 33, "DCCP", 0 }, { 58, "ICMPv6", 0 },
	{ 132, "SCTP", 0 }, { 262, "MPTCP", 0 }, END
};
static const struct kt_name states[] = {
	{ 1, "ESTABLISHED", 0 }, { 2, "SYN_SENT", 0 }, { 3, "SYN_RECV", 0 }, { 4, "FIN_WAIT1", 0 },
	{ 5, "FIN_WAIT2", 0 }, { 6, "TIME_WAIT", 0 }, { 7, "CLOSE", 0 }, { 8, "CLOSE_WAIT", 0 },
	{ 9, "LAST_ACK", 0 }, { 10, "LISTEN", 0 }, { 11, "CLOSING", 0 }, { 12, "NEW_SYN_RECV", 0 },
	END
};
static const struct kt_name families[] = {
	{ 1, "unix", 0 }, { 2, "IPv4", 0 }, { 10, "IPv6", 0 }, { 16, "netlink", 0 },
	{ 17, "packet", 0 }, { 40, "vsock", 0 }, END
};

/* Source: Linux, include/uapi/linux/tcp.h, enum tcp_ca_state */
static const struct kt_name congestion[] = {
	{ 0, "Open", 0 }, { 1, "Disorder", 0 }, { 2, "CWR", 0 }, { 3, "Recovery", 0 },
	{ 4, "Loss", 0 }, END
};

static const struct kt_table tables[] = {
	{ "congestion", KT_TABLE_ENUM, congestion },
	{ "ethertype", KT_TABLE_ENUM_HEX, ethertypes },
	{ "protocol", KT_TABLE_ENUM, protocols },
	{ "state", KT_TABLE_ENUM, states },
	{ "family", KT_TABLE_ENUM, families },
	{ NULL, 0, NULL },
};

/* "1.2.3.4:80 -> [fe80::1]:443": separate addresses and ports, or each in a struct sockaddr */
#define ENDS "{?family=10 [{saddr_v6|ipv6}]:{sport} -> [{daddr_v6|ipv6}]:{dport}}" \
	"{!family=10 {saddr|ipv4}:{sport} -> {daddr|ipv4}:{dport}}" FAMILY
#define SOCKADDRS "{saddr|sockaddr} -> {daddr|sockaddr}" FAMILY
#define FAMILY "{?family {!family=2 {!family=10  (family {family|family})}}}"
#define REST "{* family sport dport saddr daddr saddr_v6 daddr_v6}"
/* The first phrase of a connection with fields of these types is used. */
#define CONNECTION(event, text) { event, ENDS text REST }, { event, SOCKADDRS text REST }

static const struct kt_phrase phrases[] = {
	{ "net/net_dev_queue", "{name} queues {len|bytes}, skb {skbaddr|address}{*}" },
	{ "net/net_dev_start_xmit", "{name} starts to send {len|bytes} of {protocol|ethertype}, "
	  "skb {skbaddr|address}, queue {queue_mapping}{?gso_size , {gso_segs} segments of "
	  "{gso_size}}{?vlan_tagged , VLAN {vlan_tci}}{*}" },
	{ "net/net_dev_xmit_timeout", "{name} ({driver}) queue {queue_index} timed out{*}" },
	{ "net/net_dev_xmit",
	  "{name} sent {len|bytes}{?rc : {rc|errno}}, skb {skbaddr|address}{*}" },
	{ "net/netif_receive_skb", "{name} received {len|bytes}, skb {skbaddr|address}{*}" },
	{ "net/netif_rx", "{name} received {len|bytes}, skb {skbaddr|address}{*}" },
	{ "net/*_exit", "returns {ret}{*}" },
	{ "net/*", "{name} received {len|bytes} of {protocol|ethertype}, skb {skbaddr|address}"
	  "{?vlan_tagged , VLAN {vlan_tci}}{*}" },
	{ "napi/napi_poll", "{dev_name}: {work} of at most {budget} packets{*}" },
	{ "skb/kfree_skb",
	  "drops skb {skbaddr|address} of {protocol|ethertype} in {location|symbol}: "
	  "{reason|kernel}{*}" },
	{ "skb/kfree_skb",
	  "drops skb {skbaddr|address} of {protocol|ethertype} in {location|symbol}{*}" },
	{ "skb/consume_skb",
	  "is done with skb {skbaddr|address}{?location  in {location|symbol}}{*}" },
	{ "skb/skb_copy_datagram_iovec", "copies {len|bytes} of skb {skbaddr|address}{*}" },
	{ "sock/sock_rcvqueue_full",
	  "full: {rmem_alloc|bytes} of {sk_rcvbuf|bytes}, no room for {truesize|bytes}{*}" },
	{ "sock/sock_exceed_buf_limit",
	  "{name}: {allocated|pages} allocated, read {rmem_alloc|bytes} of "
	  "{sysctl_rmem|bytes}{*}" },
	{ "sock/sk_data_ready", "{family|family} {protocol|protocol}: {ip|symbol}{*}" },
	{ "sock/sock_send_length",
	  "{family|family} {protocol|protocol} sends: {ret|errno}, sk {sk|address}{*}" },
	{ "sock/sock_recv_length",
	  "{family|family} {protocol|protocol} receives: {ret|errno}, sk {sk|address}{*}" },
	{ "udp/udp_fail_queue_rcv_skb", "port {lport}: {rc|errno}{*}" },
	{ "qdisc/qdisc_dequeue",
	  "interface {ifindex}, {packets} packets, skb {skbaddr|address}, qdisc {handle|hex} "
	  "parent {parent|hex}{*}" },
	{ "qdisc/qdisc_enqueue",
	  "interface {ifindex}, skb {skbaddr|address}, qdisc {handle|hex} parent {parent|hex}{*}" },
	{ "qdisc/qdisc_create", "{kind} on {dev}, parent {parent:16-31|hex}:{parent:0-15|hex}{*}" },
	{ "qdisc/qdisc_*", "{kind} on {dev}, handle {handle:16-31|hex}:{handle:0-15|hex}, parent "
	  "{parent:16-31|hex}:{parent:0-15|hex}{*}" },
	CONNECTION("sock/inet_sock_set_state",
		   " {protocol|protocol}: {oldstate|state} -> {newstate|state}"),
	CONNECTION("sock/inet_sk_error_report", " {protocol|protocol}: {error|error}"),
	CONNECTION("tcp/tcp_retransmit_skb", " sends again in {state|state}{?err : {err|errno}}"),
	CONNECTION("tcp/tcp_retransmit_synack", " sends its SYN-ACK again"),
	CONNECTION("tcp/tcp_receive_reset", " was reset"),
	CONNECTION("tcp/tcp_send_reset", " resets it in {state|state}"),
	CONNECTION("tcp/tcp_send_reset", " resets it"),
	CONNECTION("tcp/tcp_destroy_sock", " is gone"),
	CONNECTION("tcp/tcp_rcv_space_adjust", " adjusts its receive space"),
	CONNECTION("tcp/tcp_cong_state_set", " congestion state {cong_state|congestion}"),
	CONNECTION("tcp/tcp_probe", " received {data_len|bytes}"),
	CONNECTION("udp/udp_fail_queue_rcv_skb", " does not fit: {rc|errno}"),
	CONNECTION("tcp/tcp_bad_csum", " has a bad checksum"),
	{ NULL, NULL },
};

static const struct kt_column columns[] = {
	{ "bytes", "net/*", KT_COLUMN_BYTES, "len", "length of the packet" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = {
	"net/*", "napi/*", "skb/*", "sock/*", "tcp/*", "udp/*", "qdisc/*", NULL
};

KT_PLUGIN(.name = "net", .summary = "packets and connections", .events = events,
	  .phrases = phrases, .tables = tables, .columns = columns);
