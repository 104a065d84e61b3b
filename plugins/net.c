/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* net.c - packets and connections with protocols, addresses and states */
#include <ktrail/plugin.h>

#include <string.h>

#define END { 0, NULL, 0 }

/* Sources: Linux, include/uapi/linux/{if_ether,in}.h, include/net/tcp_states.h */
static const struct kt_name ethertypes[] = {
	{ 0x0800, "IPv4", 0 }, { 0x86dd, "IPv6", 0 }, { 0x0806, "ARP", 0 }, { 0x8100, "VLAN", 0 },
	{ 0x88a8, "QinQ", 0 }, { 0x8847, "MPLS", 0 }, { 0x88cc, "LLDP", 0 }, { 0x88f7, "PTP", 0 }, END
};
static const struct kt_name protocols[] = {
	{ 1, "ICMP", 0 }, { 6, "TCP", 0 }, { 17, "UDP", 0 }, { 33, "DCCP", 0 }, { 58, "ICMPv6", 0 },
	{ 132, "SCTP", 0 }, { 262, "MPTCP", 0 }, END
};
static const struct kt_name states[] = {
	{ 1, "ESTABLISHED", 0 }, { 2, "SYN_SENT", 0 }, { 3, "SYN_RECV", 0 }, { 4, "FIN_WAIT1", 0 },
	{ 5, "FIN_WAIT2", 0 }, { 6, "TIME_WAIT", 0 }, { 7, "CLOSE", 0 }, { 8, "CLOSE_WAIT", 0 },
	{ 9, "LAST_ACK", 0 }, { 10, "LISTEN", 0 }, { 11, "CLOSING", 0 }, { 12, "NEW_SYN_RECV", 0 }, END
};
static const struct kt_name families[] = {
	{ 1, "unix", 0 }, { 2, "IPv4", 0 }, { 10, "IPv6", 0 }, { 16, "netlink", 0 },
	{ 17, "packet", 0 }, { 40, "vsock", 0 }, END
};

static const struct kt_table tables[] = {
	{ "ethertype", KT_TABLE_ENUM, ethertypes },
	{ "protocol", KT_TABLE_ENUM, protocols },
	{ "state", KT_TABLE_ENUM, states },
	{ "family", KT_TABLE_ENUM, families },
	{ NULL, 0, NULL },
};

/* "1.2.3.4:80 -> [fe80::1]:443", from the fields that events of sockets share. */
static int print_ends(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out)
{
	uint64_t family = 2, port;

	host->field_u64(rec, "family", &family);
	if (family == 10)
		return host->phrase(rec, out, "[{saddr_v6|ipv6}]:{sport} -> [{daddr_v6|ipv6}]:{dport}");
	if (family == 2 && host->field_u64(rec, "sport", &port) == 0)
		return host->phrase(rec, out, "{saddr|ipv4}:{sport} -> {daddr|ipv4}:{dport}");
	return KT_PLUGIN_PASS;
}

/* What is told behind the two ends of a connection */
static const struct {
	const char *event, *text;
} connections[] = {
	{ "inet_sock_set_state", " {protocol|protocol}: {oldstate|state} -> {newstate|state}" },
	{ "inet_sk_error_report", " {protocol|protocol}: error {error}" },
	{ "tcp_retransmit_skb", " sends again in {state|state}{?err : {err|errno}}" },
	{ "tcp_retransmit_synack", " sends its SYN-ACK again" },
	{ "tcp_receive_reset", " was reset" },
	{ "tcp_send_reset", " resets it in {state|state}" },
	{ "tcp_destroy_sock", " is gone" },
	{ "tcp_rcv_space_adjust", " adjusts its receive space" },
	{ "tcp_cong_state_set", " congestion state {cong_state}" },
};

static int has_small_addresses(const struct kt_host *host, const struct kt_record *rec)
{
	const void *bytes;
	size_t len;

	return host->field_bytes(rec, "saddr", &bytes, &len) == 0 && len == 4;
}

static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	const char *event = host->event(rec);
	size_t i;
	int ret;

	(void)self;
	for (i = 0; i < sizeof(connections) / sizeof(connections[0]); i++) {
		if (strcmp(connections[i].event, event))
			continue;
		if (!has_small_addresses(host, rec))	/* a struct sockaddr: the kernel's text */
			return KT_PLUGIN_PASS;
		ret = print_ends(host, rec, out);
		return ret ? ret : host->phrase(rec, out, connections[i].text);
	}
	return KT_PLUGIN_PASS;
}

static const struct kt_phrase phrases[] = {
	{ "net/net_dev_queue", "{name} queues {len|bytes}, skb {skbaddr|address}" },
	{ "net/net_dev_start_xmit", "{name} starts to send {len|bytes} of {protocol|ethertype}, "
	  "queue {queue_mapping}{?gso_size , {gso_segs} segments of {gso_size}}" },
	{ "net/net_dev_xmit_timeout", "{name} ({driver}) queue {queue_index} timed out" },
	{ "net/net_dev_xmit", "{name} sent {len|bytes}{?rc : {rc|errno}}, skb {skbaddr|address}" },
	{ "net/netif_receive_skb", "{name} received {len|bytes}, skb {skbaddr|address}" },
	{ "net/netif_rx", "{name} received {len|bytes}, skb {skbaddr|address}" },
	{ "net/*_exit", "returns {ret}" },
	{ "net/*", "{name} received {len|bytes} of {protocol|ethertype}, skb {skbaddr|address}"
	  "{?vlan_tagged , VLAN {vlan_tci}}" },
	{ "napi/napi_poll", "{dev_name}: {work} of at most {budget} packets" },
	{ "skb/kfree_skb", "drops a packet of {protocol|ethertype} in {location|symbol}: "
	  "{reason|kernel}" },
	{ "skb/kfree_skb", "drops a packet of {protocol|ethertype} in {location|symbol}" },
	{ "skb/consume_skb", "is done with skb {skbaddr|address}{?location  in {location|symbol}}" },
	{ "skb/skb_copy_datagram_iovec", "copies {len|bytes} of skb {skbaddr|address}" },
	{ "sock/sock_rcvqueue_full", "full: {rmem_alloc|bytes} of {sk_rcvbuf|bytes}" },
	{ "sock/sock_exceed_buf_limit", "{name}: {allocated|pages} allocated, read {rmem_alloc|bytes} "
	  "of {sysctl_rmem|bytes}" },
	{ "sock/sk_data_ready", "{family|family} {protocol|protocol}: {ip|symbol}" },
	{ "sock/sock_send_length", "{family|family} {protocol|protocol} sends: {ret|errno}" },
	{ "sock/sock_recv_length", "{family|family} {protocol|protocol} receives: {ret|errno}" },
	{ "udp/udp_fail_queue_rcv_skb", "port {lport}: {rc|errno}" },
	{ "qdisc/qdisc_dequeue", "interface {ifindex}, {packets} packets" },
	{ "qdisc/qdisc_enqueue", "interface {ifindex}, skb {skbaddr|address}" },
	{ "qdisc/qdisc_create", "{kind} on {dev}" },
	{ "qdisc/qdisc_*", "{kind} on {dev}" },
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
	  .format = format, .phrases = phrases, .tables = tables, .columns = columns);
