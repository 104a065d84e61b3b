# oracle-load.sh - in a guest: generate as many kinds of events as one machine can, for oracle-passes.sh
# shellcheck shell=bash disable=SC2154
T=/sys/kernel/tracing

# Dynamic events of each kind; the kernel refuses those that it does not support.
define_events() {
	local line
	while read -r line; do
		[ -z "$line" ] || echo "$line" >>$T/dynamic_events
	done 2>/dev/null <<-'END'
		p:kt/p_read vfs_read file=$arg1 n=$arg3:u64 neg=-5:s32 x=$arg3:x16 c=$comm st=$stack0 sym=@vfs_read:symbol
		r:kt/r_read vfs_read ret=$retval:s64
		p:kt/p_open do_sys_openat2 dfd=%di:s32 name=+0(%si):ustring bit=%dx:b4@2/32
		p:kt/p_arr vfs_write arr=+0($arg1):x64[4] chars=+0($arg2):char[4] str=+0($arg2):ustring[2]
		f:kt/f_write vfs_write count
		f:kt/f_writeret vfs_write%return ret=$retval
		t:kt/t_switch sched_switch
		p:kt/u_bash /bin/bash:0x40000 ip=%ip sp=%sp:x32
		e:kt/e_open syscalls.sys_enter_openat name=+0($filename):ustring dfd=$dfd
		s:kt_wake u64 lat; pid_t pid; char comm[16]
		s:kt_text u64 id; char[] file
		s:kt_stack u64 delta; unsigned long[] stack
	END
} 2>/dev/null

# triggers [!]: set them, or remove them, beginning with those that use variables of the others. An
# event that only a trigger needs is written and discarded: the kernel's text of the next one has
# early times (event-text.md).
triggers() {
	local event trigger order=${1:+tac}
	${order:-cat} <<-'END' | while read -r event trigger; do echo "${1:-}$trigger" >>$T/events/$event/trigger; done
		sched/sched_waking hist:keys=pid:ts0=common_timestamp.usecs
		sched/sched_switch hist:keys=next_pid:d=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).trace(kt_wake,$d,next_pid,next_comm)
		sched/sched_switch hist:keys=prev_pid:ts=common_timestamp.usecs,st=common_stacktrace if prev_state != 0
		sched/sched_switch hist:keys=next_pid:delta=common_timestamp.usecs-$ts,s=$st:onmatch(sched.sched_switch).trace(kt_stack,$delta,$s)
		sched/sched_process_exec hist:keys=pid:f=filename
		sched/sched_process_exit hist:keys=pid:g=$f:onmatch(sched.sched_process_exec).trace(kt_text,pid,$g)
		sched/sched_process_fork stacktrace:20
	END
} 2>/dev/null

files() {
	mkdir -p /tmp/mnt
	dd if=/dev/zero of=/tmp/disk bs=1M count=8
	mke2fs -F /tmp/disk
	losetup /dev/loop0 /tmp/disk
	mount -t ext4 /dev/loop0 /tmp/mnt || mount -t ext2 /dev/loop0 /tmp/mnt
	for i in 1 2 3 4 5 6; do dd if=/dev/urandom of=/tmp/mnt/f$i bs=4k count=40; done
	cat /tmp/mnt/f* >/dev/null
	mv /tmp/mnt/f1 /tmp/mnt/g1; rm /tmp/mnt/f2; ln /tmp/mnt/f3 /tmp/mnt/h3; truncate -s 100 /tmp/mnt/f4
	ln -s a /tmp/mnt/link; chmod 600 /tmp/mnt/f5; mkdir /tmp/mnt/d; rmdir /tmp/mnt/d
	flock /tmp/mnt/f5 true
	fallocate -l 1000000 /tmp/mnt/fall
	sync
	echo 3 >/proc/sys/vm/drop_caches
	cat /tmp/mnt/f* >/dev/null
	fstrim /tmp/mnt
	umount /tmp/mnt
	mkswap /tmp/disk2 2>/dev/null
	losetup -d /dev/loop0
	dd if=/dev/vda of=/dev/null bs=64k count=64
	dd if=/dev/zero of=/dev/vda bs=64k count=16 seek=4
	sync
}

network() {
	ip link set lo up
	ip addr add 127.0.0.1/8 dev lo
	ip -6 addr add ::1/128 dev lo
	ping -c 2 -i 0.2 127.0.0.1
	httpd -p 127.0.0.1:8000 -h /test
	wget -q -O /dev/null http://127.0.0.1:8000/script
	wget -q -O /dev/null http://127.0.0.1:8001/none
	timeout 1 nc -l -p 8002 >/dev/null &
	sleep 0.3; echo hello | timeout 1 nc 127.0.0.1 8002
	ip link add dummy0 type dummy; ip link set dummy0 up; ip addr add 10.9.8.7/24 dev dummy0
	timeout 1 ping -c 1 -W 1 10.9.8.6
	ip route; ip neigh; ip link del dummy0
}

processes() {
	for i in 1 2 3 4 5; do ( : ); /bin/busybox true; done
	nice -n 5 busybox sh -c 'i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done' &
	chrt -f 10 busybox sleep 0.05
	taskset 1 busybox true; taskset 2 busybox true
	sleep 10 & kill -9 $!; sleep 10 & kill -STOP $!; kill -CONT $!; kill $!
	wait
	mkdir -p /tmp/cg && mount -t cgroup2 none /tmp/cg && mkdir /tmp/cg/a && echo $$ >/tmp/cg/a/cgroup.procs &&
		echo $$ >/tmp/cg/cgroup.procs && rmdir /tmp/cg/a
	/no/such/program
	head -c 200000 /dev/zero | tail -c 10
	cat /proc/meminfo /proc/interrupts /proc/self/maps
	unshare -m true
	echo 0 >/sys/devices/system/cpu/cpu1/online; sleep 0.1; echo 1 >/sys/devices/system/cpu/cpu1/online
	( ulimit -c 0; kill -SEGV $BASHPID )
}

memory() {
	mkdir -p /tmp/big && mount -t tmpfs -o size=600m none /tmp/big
	dd if=/dev/zero of=/tmp/big/f bs=1M count=8
	echo 1 >/proc/sys/vm/compact_memory
	rm /tmp/big/f; umount /tmp/big
	echo 10 >/proc/sys/vm/nr_hugepages; echo 0 >/proc/sys/vm/nr_hugepages
	echo 3 >/proc/sys/vm/drop_caches
}

marks() {
	echo "a marker with %s and \\ in it" >$T/trace_marker
	printf 'no newline' >$T/trace_marker
	printf '\1\0\0\0abcdefgh' >$T/trace_marker_raw
}

