/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* syscalls_args.h - values of arguments of system calls, for syscalls.c */
#define END { 0, NULL, 0 }

/*
 * Sources: Linux, include/uapi/asm-generic/{fcntl,mman-common,mman,errno}.h,
 * arch/{arm64,powerpc,mips}/include/uapi/asm/fcntl.h, include/uapi/linux/ of
 * each call; 6.12. Most architectures share the values. If one differs and
 * has no table here, the number is shown.
 */
#define OPEN_COMMON \
	{ 0, "O_RDONLY", 3 }, { 1, "O_WRONLY", 3 }, { 2, "O_RDWR", 3 }, { 0100, "O_CREAT", 0 }, \
	{ 0200, "O_EXCL", 0 }, { 0400, "O_NOCTTY", 0 }, { 01000, "O_TRUNC", 0 }, \
	{ 02000, "O_APPEND", 0 }, { 04000, "O_NONBLOCK", 0 }, { 04010000, "O_SYNC", 0 }, \
	{ 010000, "O_DSYNC", 0 }, { 020000, "FASYNC", 0 }, { 01000000, "O_NOATIME", 0 }, \
	{ 02000000, "O_CLOEXEC", 0 }, { 010000000, "O_PATH", 0 }

static const struct kt_name open_names[] = {
	OPEN_COMMON, { 020200000, "O_TMPFILE", 0 }, { 040000, "O_DIRECT", 0 },
	{ 0100000, "O_LARGEFILE", 0 }, { 0200000, "O_DIRECTORY", 0 }, { 0400000, "O_NOFOLLOW", 0 },
	END
};
static const struct kt_name open_arm[] = {
	OPEN_COMMON, { 020040000, "O_TMPFILE", 0 }, { 040000, "O_DIRECTORY", 0 },
	{ 0100000, "O_NOFOLLOW", 0 }, { 0200000, "O_DIRECT", 0 }, { 0400000, "O_LARGEFILE", 0 }, END
};
static const struct kt_name fd_flags[] = {
	{ 04000, "O_NONBLOCK", 0 }, { 02000000, "O_CLOEXEC", 0 }, END
};
static const struct kt_name prot[] = {
	{ 1, "PROT_READ", 0 }, { 2, "PROT_WRITE", 0 }, { 4, "PROT_EXEC", 0 },
	{ 0x01000000, "PROT_GROWSDOWN", 0 }, { 0x02000000, "PROT_GROWSUP", 0 }, END
};
static const struct kt_name map[] = {
	{ 3, "MAP_SHARED_VALIDATE", 0xf }, { 1, "MAP_SHARED", 0xf }, { 2, "MAP_PRIVATE", 0xf },
	{ 0x10, "MAP_FIXED", 0 }, { 0x20, "MAP_ANONYMOUS", 0 }, { 0x40, "MAP_32BIT", 0 },
	{ 0x100, "MAP_GROWSDOWN", 0 }, { 0x800, "MAP_DENYWRITE", 0 },
	{ 0x1000, "MAP_EXECUTABLE", 0 }, { 0x2000, "MAP_LOCKED", 0 },
	{ 0x4000, "MAP_NORESERVE", 0 }, { 0x8000, "MAP_POPULATE", 0 },
	{ 0x10000, "MAP_NONBLOCK", 0 }, { 0x20000, "MAP_STACK", 0 }, { 0x40000, "MAP_HUGETLB", 0 },
	{ 0x80000, "MAP_SYNC", 0 }, { 0x100000, "MAP_FIXED_NOREPLACE", 0 }, END
};
static const struct kt_name clone_names[] = {
	{ 0x100, "CLONE_VM", 0 }, { 0x200, "CLONE_FS", 0 }, { 0x400, "CLONE_FILES", 0 },
	{ 0x800, "CLONE_SIGHAND", 0 }, { 0x1000, "CLONE_PIDFD", 0 }, { 0x2000, "CLONE_PTRACE", 0 },
	{ 0x4000, "CLONE_VFORK", 0 }, { 0x8000, "CLONE_PARENT", 0 }, { 0x10000, "CLONE_THREAD", 0 },
	{ 0x20000, "CLONE_NEWNS", 0 }, { 0x40000, "CLONE_SYSVSEM", 0 },
	{ 0x80000, "CLONE_SETTLS", 0 }, { 0x100000, "CLONE_PARENT_SETTID", 0 },
	{ 0x200000, "CLONE_CHILD_CLEARTID", 0 }, { 0x800000, "CLONE_UNTRACED", 0 },
	{ 0x1000000, "CLONE_CHILD_SETTID", 0 }, { 0x2000000, "CLONE_NEWCGROUP", 0 },
	{ 0x4000000, "CLONE_NEWUTS", 0 }, { 0x8000000, "CLONE_NEWIPC", 0 },
	{ 0x10000000, "CLONE_NEWUSER", 0 }, { 0x20000000, "CLONE_NEWPID", 0 },
	{ 0x40000000, "CLONE_NEWNET", 0 }, { 0x80000000, "CLONE_IO", 0 }, { 17, "SIGCHLD", 0xff },
	END
};
static const struct kt_name futex[] = {
	{ 0, "FUTEX_WAIT", 0x7f }, { 1, "FUTEX_WAKE", 0x7f }, { 3, "FUTEX_REQUEUE", 0x7f },
	{ 4, "FUTEX_CMP_REQUEUE", 0x7f }, { 5, "FUTEX_WAKE_OP", 0x7f },
	{ 6, "FUTEX_LOCK_PI", 0x7f }, { 7, "FUTEX_UNLOCK_PI", 0x7f },
	{ 8, "FUTEX_TRYLOCK_PI", 0x7f }, { 9, "FUTEX_WAIT_BITSET", 0x7f },
	{ 10, "FUTEX_WAKE_BITSET", 0x7f }, { 11, "FUTEX_WAIT_REQUEUE_PI", 0x7f },
	{ 12, "FUTEX_CMP_REQUEUE_PI", 0x7f }, { 13, "FUTEX_LOCK_PI2", 0x7f },
	{ 128, "FUTEX_PRIVATE_FLAG", 0 }, { 256, "FUTEX_CLOCK_REALTIME", 0 }, END
};
static const struct kt_name at_flags[] = {
	{ 0x100, "AT_SYMLINK_NOFOLLOW", 0 }, { 0x200, "AT_REMOVEDIR", 0 },
	{ 0x400, "AT_SYMLINK_FOLLOW", 0 }, { 0x800, "AT_NO_AUTOMOUNT", 0 },
	{ 0x1000, "AT_EMPTY_PATH", 0 }, { 0x2000, "AT_STATX_FORCE_SYNC", 0 },
	{ 0x4000, "AT_STATX_DONT_SYNC", 0 }, { 0x8000, "AT_RECURSIVE", 0 }, END
};
static const struct kt_name access_modes[] = {
	{ 0, "F_OK", 7 }, { 4, "R_OK", 0 }, { 2, "W_OK", 0 }, { 1, "X_OK", 0 }, END
};
static const struct kt_name whence[] = {
	{ 0, "SEEK_SET", 0 }, { 1, "SEEK_CUR", 0 }, { 2, "SEEK_END", 0 }, { 3, "SEEK_DATA", 0 },
	{ 4, "SEEK_HOLE", 0 }, END
};
static const struct kt_name clocks[] = {
	{ 0, "CLOCK_REALTIME", 0 }, { 1, "CLOCK_MONOTONIC", 0 },
	{ 2, "CLOCK_PROCESS_CPUTIME_ID", 0 }, { 3, "CLOCK_THREAD_CPUTIME_ID", 0 },
	{ 4, "CLOCK_MONOTONIC_RAW", 0 }, { 5, "CLOCK_REALTIME_COARSE", 0 },
	{ 6, "CLOCK_MONOTONIC_COARSE", 0 }, { 7, "CLOCK_BOOTTIME", 0 }, { 11, "CLOCK_TAI", 0 }, END
};
static const struct kt_name families[] = {
	{ 0, "AF_UNSPEC", 0 }, { 1, "AF_UNIX", 0 }, { 2, "AF_INET", 0 }, { 10, "AF_INET6", 0 },
	{ 16, "AF_NETLINK", 0 }, { 17, "AF_PACKET", 0 }, { 38, "AF_ALG", 0 }, { 40, "AF_VSOCK", 0 },
	{ 44, "AF_XDP", 0 }, END
};
static const struct kt_name socket_types[] = {
	{ 1, "SOCK_STREAM", 0xf }, { 2, "SOCK_DGRAM", 0xf }, { 3, "SOCK_RAW", 0xf },
	{ 5, "SOCK_SEQPACKET", 0xf }, { 04000, "SOCK_NONBLOCK", 0 },
	{ 02000000, "SOCK_CLOEXEC", 0 }, END
};
static const struct kt_name fcntl_cmds[] = {
	{ 0, "F_DUPFD", 0 }, { 1, "F_GETFD", 0 }, { 2, "F_SETFD", 0 }, { 3, "F_GETFL", 0 },
	{ 4, "F_SETFL", 0 }, { 5, "F_GETLK", 0 }, { 6, "F_SETLK", 0 }, { 7, "F_SETLKW", 0 },
	{ 1024, "F_SETLEASE", 0 }, { 1025, "F_GETLEASE", 0 }, { 1030, "F_DUPFD_CLOEXEC", 0 },
	{ 1031, "F_SETPIPE_SZ", 0 }, { 1032, "F_GETPIPE_SZ", 0 }, { 1033, "F_ADD_SEALS", 0 }, END
};
static const struct kt_name advice[] = {
	{ 0, "MADV_NORMAL", 0 }, { 1, "MADV_RANDOM", 0 }, { 2, "MADV_SEQUENTIAL", 0 },
	{ 3, "MADV_WILLNEED", 0 }, { 4, "MADV_DONTNEED", 0 }, { 8, "MADV_FREE", 0 },
	{ 9, "MADV_REMOVE", 0 }, { 10, "MADV_DONTFORK", 0 }, { 14, "MADV_HUGEPAGE", 0 },
	{ 15, "MADV_NOHUGEPAGE", 0 }, { 20, "MADV_COLD", 0 }, { 21, "MADV_PAGEOUT", 0 }, END
};
static const struct kt_name epoll_ops[] = {
	{ 1, "EPOLL_CTL_ADD", 0 }, { 2, "EPOLL_CTL_DEL", 0 }, { 3, "EPOLL_CTL_MOD", 0 }, END
};
static const struct kt_name mask_how[] = {
	{ 0, "SIG_BLOCK", 0 }, { 1, "SIG_UNBLOCK", 0 }, { 2, "SIG_SETMASK", 0 }, END
};
static const struct kt_name wait_options[] = {
	{ 1, "WNOHANG", 0 }, { 2, "WUNTRACED", 0 }, { 4, "WEXITED", 0 }, { 8, "WCONTINUED", 0 },
	{ 0x1000000, "WNOWAIT", 0 }, { 0x40000000, "__WALL", 0 }, { 0x80000000, "__WCLONE", 0 }, END
};
static const struct kt_name random_flags[] = {
	{ 1, "GRND_NONBLOCK", 0 }, { 2, "GRND_RANDOM", 0 }, { 4, "GRND_INSECURE", 0 }, END
};
static const struct kt_name splice_flags[] = {
	{ 1, "SPLICE_F_MOVE", 0 }, { 2, "SPLICE_F_NONBLOCK", 0 }, { 4, "SPLICE_F_MORE", 0 },
	{ 8, "SPLICE_F_GIFT", 0 }, END
};
static const struct kt_name shutdown_how[] = {
	{ 0, "SHUT_RD", 0 }, { 1, "SHUT_WR", 0 }, { 2, "SHUT_RDWR", 0 }, END
};
static const struct kt_name mremap_flags[] = {
	{ 1, "MREMAP_MAYMOVE", 0 }, { 2, "MREMAP_FIXED", 0 }, { 4, "MREMAP_DONTUNMAP", 0 }, END
};
static const struct kt_name rename_flags[] = {
	{ 1, "RENAME_NOREPLACE", 0 }, { 2, "RENAME_EXCHANGE", 0 }, { 4, "RENAME_WHITEOUT", 0 }, END
};

static const struct kt_name futex2[] = {
	{ 0, "FUTEX2_SIZE_U8", 3 }, { 1, "FUTEX2_SIZE_U16", 3 }, { 2, "FUTEX2_SIZE_U32", 3 },
	{ 3, "FUTEX2_SIZE_U64", 3 }, { 4, "FUTEX2_NUMA", 0 }, { 128, "FUTEX2_PRIVATE", 0 }, END
};
static const struct kt_name ioctls[] = {
	{ 0x5401, "TCGETS", 0 }, { 0x5402, "TCSETS", 0 }, { 0x5403, "TCSETSW", 0 },
	{ 0x5404, "TCSETSF", 0 }, { 0x540b, "TCFLSH", 0 }, { 0x540e, "TIOCSCTTY", 0 },
	{ 0x540f, "TIOCGPGRP", 0 }, { 0x5410, "TIOCSPGRP", 0 }, { 0x5413, "TIOCGWINSZ", 0 },
	{ 0x5414, "TIOCSWINSZ", 0 }, { 0x541b, "FIONREAD", 0 }, { 0x5421, "FIONBIO", 0 },
	{ 0x5422, "TIOCNOTTY", 0 }, { 0x5429, "TIOCGSID", 0 }, { 0x5450, "FIONCLEX", 0 },
	{ 0x5451, "FIOCLEX", 0 }, { 0x5452, "FIOASYNC", 0 }, { 0x80045430, "TIOCGPTN", 0 },
	{ 0x40045431, "TIOCSPTLCK", 0 }, { 0x5441, "TIOCGPTPEER", 0 }, { 0x40049409, "FICLONE", 0 },
	{ 0x80086601, "FS_IOC_GETFLAGS", 0 }, { 0x8910, "SIOCGIFNAME", 0 },
	{ 0x8912, "SIOCGIFCONF", 0 }, { 0x8913, "SIOCGIFFLAGS", 0 }, { 0x8933, "SIOCGIFINDEX", 0 },
	END
};
static const struct kt_name prctls[] = {
	{ 1, "PR_SET_PDEATHSIG", 0 }, { 2, "PR_GET_PDEATHSIG", 0 }, { 3, "PR_GET_DUMPABLE", 0 },
	{ 4, "PR_SET_DUMPABLE", 0 }, { 7, "PR_GET_KEEPCAPS", 0 }, { 8, "PR_SET_KEEPCAPS", 0 },
	{ 15, "PR_SET_NAME", 0 }, { 16, "PR_GET_NAME", 0 }, { 21, "PR_GET_SECCOMP", 0 },
	{ 22, "PR_SET_SECCOMP", 0 }, { 23, "PR_CAPBSET_READ", 0 }, { 24, "PR_CAPBSET_DROP", 0 },
	{ 28, "PR_SET_SECUREBITS", 0 }, { 29, "PR_SET_TIMERSLACK", 0 },
	{ 30, "PR_GET_TIMERSLACK", 0 }, { 35, "PR_SET_MM", 0 }, { 36, "PR_SET_CHILD_SUBREAPER", 0 },
	{ 37, "PR_GET_CHILD_SUBREAPER", 0 }, { 38, "PR_SET_NO_NEW_PRIVS", 0 },
	{ 39, "PR_GET_NO_NEW_PRIVS", 0 }, { 40, "PR_GET_TID_ADDRESS", 0 },
	{ 41, "PR_SET_THP_DISABLE", 0 }, { 42, "PR_GET_THP_DISABLE", 0 },
	{ 47, "PR_CAP_AMBIENT", 0 }, { 52, "PR_GET_SPECULATION_CTRL", 0 },
	{ 53, "PR_SET_SPECULATION_CTRL", 0 }, { 57, "PR_SET_IO_FLUSHER", 0 },
	{ 62, "PR_SCHED_CORE", 0 }, { 65, "PR_SET_MDWE", 0 }, { 66, "PR_GET_MDWE", 0 },
	{ 0x53564d41, "PR_SET_VMA", 0 }, END
};
static const struct kt_name arch_prctls[] = {	/* x86 */
	{ 0x1001, "ARCH_SET_GS", 0 }, { 0x1002, "ARCH_SET_FS", 0 }, { 0x1003, "ARCH_GET_FS", 0 },
	{ 0x1004, "ARCH_GET_GS", 0 }, { 0x1011, "ARCH_GET_CPUID", 0 },
	{ 0x1012, "ARCH_SET_CPUID", 0 }, { 0x3001, "ARCH_CET_STATUS", 0 },
	{ 0x5001, "ARCH_SHSTK_ENABLE", 0 }, { 0x5002, "ARCH_SHSTK_DISABLE", 0 },
	{ 0x5005, "ARCH_SHSTK_STATUS", 0 }, END
};
static const struct kt_name resources[] = {
	{ 0, "RLIMIT_CPU", 0 }, { 1, "RLIMIT_FSIZE", 0 }, { 2, "RLIMIT_DATA", 0 },
	{ 3, "RLIMIT_STACK", 0 }, { 4, "RLIMIT_CORE", 0 }, { 5, "RLIMIT_RSS", 0 },
	{ 6, "RLIMIT_NPROC", 0 }, { 7, "RLIMIT_NOFILE", 0 }, { 8, "RLIMIT_MEMLOCK", 0 },
	{ 9, "RLIMIT_AS", 0 }, { 10, "RLIMIT_LOCKS", 0 }, { 11, "RLIMIT_SIGPENDING", 0 },
	{ 12, "RLIMIT_MSGQUEUE", 0 }, { 13, "RLIMIT_NICE", 0 }, { 14, "RLIMIT_RTPRIO", 0 },
	{ 15, "RLIMIT_RTTIME", 0 }, END
};
static const struct kt_name msg_flags[] = {
	{ 1, "MSG_OOB", 0 }, { 2, "MSG_PEEK", 0 }, { 4, "MSG_DONTROUTE", 0 },
	{ 8, "MSG_CTRUNC", 0 }, { 0x20, "MSG_TRUNC", 0 }, { 0x40, "MSG_DONTWAIT", 0 },
	{ 0x80, "MSG_EOR", 0 }, { 0x100, "MSG_WAITALL", 0 }, { 0x800, "MSG_CONFIRM", 0 },
	{ 0x2000, "MSG_ERRQUEUE", 0 }, { 0x4000, "MSG_NOSIGNAL", 0 }, { 0x8000, "MSG_MORE", 0 },
	{ 0x10000, "MSG_WAITFORONE", 0 }, { 0x4000000, "MSG_ZEROCOPY", 0 },
	{ 0x20000000, "MSG_FASTOPEN", 0 }, { 0x40000000, "MSG_CMSG_CLOEXEC", 0 }, END
};
static const struct kt_name memfd_flags[] = {
	{ 1, "MFD_CLOEXEC", 0 }, { 2, "MFD_ALLOW_SEALING", 0 }, { 4, "MFD_HUGETLB", 0 },
	{ 8, "MFD_NOEXEC_SEAL", 0 }, { 16, "MFD_EXEC", 0 }, END
};
static const struct kt_name eventfd_flags[] = {
	{ 1, "EFD_SEMAPHORE", 0 }, { 04000, "EFD_NONBLOCK", 0 }, { 02000000, "EFD_CLOEXEC", 0 }, END
};
static const struct kt_name msync_flags[] = {
	{ 1, "MS_ASYNC", 0 }, { 2, "MS_INVALIDATE", 0 }, { 4, "MS_SYNC", 0 }, END
};
static const struct kt_name mlock_flags[] = {
	{ 1, "MCL_CURRENT", 0 }, { 2, "MCL_FUTURE", 0 }, { 4, "MCL_ONFAULT", 0 }, END
};
static const struct kt_name fallocate_modes[] = {
	{ 1, "FALLOC_FL_KEEP_SIZE", 0 }, { 2, "FALLOC_FL_PUNCH_HOLE", 0 },
	{ 8, "FALLOC_FL_COLLAPSE_RANGE", 0 }, { 16, "FALLOC_FL_ZERO_RANGE", 0 },
	{ 32, "FALLOC_FL_INSERT_RANGE", 0 }, { 64, "FALLOC_FL_UNSHARE_RANGE", 0 }, END
};
static const struct kt_name flock_ops[] = {
	{ 1, "LOCK_SH", 0 }, { 2, "LOCK_EX", 0 }, { 8, "LOCK_UN", 0 }, { 4, "LOCK_NB", 0 }, END
};
static const struct kt_name policies[] = {
	{ 0, "SCHED_NORMAL", 0xff }, { 1, "SCHED_FIFO", 0xff }, { 2, "SCHED_RR", 0xff },
	{ 3, "SCHED_BATCH", 0xff }, { 5, "SCHED_IDLE", 0xff }, { 6, "SCHED_DEADLINE", 0xff },
	{ 7, "SCHED_EXT", 0xff }, { 0x40000000, "SCHED_RESET_ON_FORK", 0 }, END
};
static const struct kt_name bpf_cmds[] = {
	{ 0, "BPF_MAP_CREATE", 0 }, { 1, "BPF_MAP_LOOKUP_ELEM", 0 },
	{ 2, "BPF_MAP_UPDATE_ELEM", 0 }, { 3, "BPF_MAP_DELETE_ELEM", 0 },
	{ 4, "BPF_MAP_GET_NEXT_KEY", 0 }, { 5, "BPF_PROG_LOAD", 0 }, { 6, "BPF_OBJ_PIN", 0 },
	{ 7, "BPF_OBJ_GET", 0 }, { 8, "BPF_PROG_ATTACH", 0 }, { 9, "BPF_PROG_DETACH", 0 },
	{ 10, "BPF_PROG_TEST_RUN", 0 }, { 15, "BPF_OBJ_GET_INFO_BY_FD", 0 },
	{ 16, "BPF_PROG_QUERY", 0 }, { 17, "BPF_RAW_TRACEPOINT_OPEN", 0 },
	{ 18, "BPF_BTF_LOAD", 0 }, { 28, "BPF_LINK_CREATE", 0 }, END
};
static const struct kt_name seccomp_ops[] = {
	{ 0, "SECCOMP_SET_MODE_STRICT", 0 }, { 1, "SECCOMP_SET_MODE_FILTER", 0 },
	{ 2, "SECCOMP_GET_ACTION_AVAIL", 0 }, { 3, "SECCOMP_GET_NOTIF_SIZES", 0 }, END
};
static const struct kt_name ptraces[] = {
	{ 0, "PTRACE_TRACEME", 0 }, { 1, "PTRACE_PEEKTEXT", 0 }, { 2, "PTRACE_PEEKDATA", 0 },
	{ 3, "PTRACE_PEEKUSR", 0 }, { 4, "PTRACE_POKETEXT", 0 }, { 5, "PTRACE_POKEDATA", 0 },
	{ 6, "PTRACE_POKEUSR", 0 }, { 7, "PTRACE_CONT", 0 }, { 8, "PTRACE_KILL", 0 },
	{ 9, "PTRACE_SINGLESTEP", 0 }, { 16, "PTRACE_ATTACH", 0 }, { 17, "PTRACE_DETACH", 0 },
	{ 24, "PTRACE_SYSCALL", 0 }, { 0x4200, "PTRACE_SETOPTIONS", 0 },
	{ 0x4201, "PTRACE_GETEVENTMSG", 0 }, { 0x4202, "PTRACE_GETSIGINFO", 0 },
	{ 0x4204, "PTRACE_GETREGSET", 0 }, { 0x4206, "PTRACE_SEIZE", 0 },
	{ 0x4207, "PTRACE_INTERRUPT", 0 }, END
};
static const struct kt_name membarriers[] = {
	{ 0, "MEMBARRIER_CMD_QUERY", 0 }, { 1, "MEMBARRIER_CMD_GLOBAL", 0 },
	{ 2, "MEMBARRIER_CMD_GLOBAL_EXPEDITED", 0 }, { 8, "MEMBARRIER_CMD_PRIVATE_EXPEDITED", 0 },
	{ 16, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED", 0 }, END
};
static const struct kt_name umount_flags[] = {
	{ 1, "MNT_FORCE", 0 }, { 2, "MNT_DETACH", 0 }, { 4, "MNT_EXPIRE", 0 },
	{ 8, "UMOUNT_NOFOLLOW", 0 }, END
};

#define FLAGS(n, t) { n, KT_TABLE_FLAGS, t }
#define ENUM(n, t)  { n, KT_TABLE_ENUM, t }
#define CODES(n, t) { n, KT_TABLE_ENUM_HEX, t }

static const struct kt_table tables[] = {
	FLAGS("open", open_names), FLAGS("open_arm", open_arm), FLAGS("fd", fd_flags),
	FLAGS("prot", prot), FLAGS("map", map), FLAGS("clone", clone_names), FLAGS("futex", futex),
	FLAGS("at", at_flags),
	FLAGS("access", access_modes), ENUM("whence", whence), ENUM("clock", clocks),
	ENUM("family", families), FLAGS("socket", socket_types), ENUM("fcntl", fcntl_cmds),
	ENUM("advice", advice), ENUM("epoll", epoll_ops), ENUM("how", mask_how),
	FLAGS("wait", wait_options), FLAGS("random", random_flags), FLAGS("splice", splice_flags),
	ENUM("shutdown", shutdown_how), FLAGS("mremap", mremap_flags),
	FLAGS("rename", rename_flags),
	FLAGS("futex2", futex2), CODES("ioctl", ioctls), ENUM("prctl", prctls),
	CODES("arch_prctl", arch_prctls), ENUM("resource", resources), FLAGS("msg", msg_flags),
	FLAGS("memfd", memfd_flags), FLAGS("eventfd", eventfd_flags), FLAGS("msync", msync_flags),
	FLAGS("mlock", mlock_flags), FLAGS("fallocate", fallocate_modes), FLAGS("flock", flock_ops),
	FLAGS("policy", policies), ENUM("bpf", bpf_cmds), ENUM("seccomp", seccomp_ops),
	CODES("ptrace", ptraces), ENUM("membarrier", membarriers), FLAGS("umount", umount_flags),
	{ NULL, 0, NULL },
};

/* Arguments that are shown in a special form */
static const struct arg {
	const char *call;
	int at;				/* index among the arguments, for raw_syscalls */
	const char *field, *as;
} args[] = {
	{ "open", 1, "flags", "open" }, { "openat", 2, "flags", "open" },
	{ "pipe2", 1, "flags", "fd" }, { "dup3", 2, "flags", "fd" }, { "mmap", 2, "prot", "prot" },
	{ "mmap", 3, "flags", "map" }, { "mprotect", 2, "prot", "prot" },
	{ "madvise", 2, "behavior", "advice" }, { "mremap", 3, "flags", "mremap" },
	{ "clone", 0, "clone_flags", "clone" }, { "unshare", 0, "unshare_flags", "clone" },
	{ "setns", 1, "flags", "clone" }, { "futex", 1, "op", "futex" },
	{ "newfstatat", 3, "flag", "at" }, { "statx", 2, "flags", "at" },
	{ "unlinkat", 2, "flag", "at" }, { "linkat", 4, "flags", "at" },
	{ "fchownat", 4, "flag", "at" }, { "faccessat2", 3, "flags", "at" },
	{ "execveat", 4, "flags", "at" }, { "access", 1, "mode", "access" },
	{ "faccessat", 2, "mode", "access" }, { "faccessat2", 2, "mode", "access" },
	{ "lseek", 2, "whence", "whence" }, { "clock_gettime", 0, "which_clock", "clock" },
	{ "clock_nanosleep", 0, "which_clock", "clock" },
	{ "clock_getres", 0, "which_clock", "clock" }, { "timerfd_create", 0, "clockid", "clock" },
	{ "timer_create", 0, "which_clock", "clock" }, { "socket", 0, "family", "family" },
	{ "socket", 1, "type", "socket" }, { "socketpair", 0, "family", "family" },
	{ "socketpair", 1, "type", "socket" }, { "accept4", 3, "flags", "socket" },
	{ "shutdown", 1, "how", "shutdown" }, { "fcntl", 1, "cmd", "fcntl" },
	{ "epoll_ctl", 1, "op", "epoll" }, { "rt_sigprocmask", 0, "how", "how" },
	{ "rt_sigaction", 0, "sig", "signal" }, { "kill", 1, "sig", "signal" },
	{ "tkill", 1, "sig", "signal" }, { "tgkill", 2, "sig", "signal" },
	{ "wait4", 2, "options", "wait" }, { "waitid", 3, "options", "wait" },
	{ "getrandom", 2, "flags", "random" }, { "splice", 5, "flags", "splice" },
	{ "tee", 3, "flags", "splice" }, { "vmsplice", 3, "flags", "splice" },
	{ "renameat2", 4, "flags", "rename" }, { "mq_open", 1, "oflag", "open" },
	{ "openat2", 2, "flags", "open" }, { "futex_wake", 3, "flags", "futex2" },
	{ "futex_wait", 3, "flags", "futex2" }, { "ioctl", 1, "cmd", "ioctl" },
	{ "prctl", 0, "option", "prctl" }, { "arch_prctl", 0, "option", "arch_prctl" },
	{ "prlimit64", 1, "resource", "resource" }, { "getrlimit", 0, "resource", "resource" },
	{ "setrlimit", 0, "resource", "resource" }, { "sendto", 3, "flags", "msg" },
	{ "recvfrom", 3, "flags", "msg" }, { "sendmsg", 2, "flags", "msg" },
	{ "recvmsg", 2, "flags", "msg" }, { "sendmmsg", 3, "flags", "msg" },
	{ "recvmmsg", 3, "flags", "msg" }, { "memfd_create", 1, "flags", "memfd" },
	{ "eventfd2", 1, "flags", "eventfd" }, { "epoll_create1", 0, "flags", "fd" },
	{ "inotify_init1", 0, "flags", "fd" }, { "timerfd_create", 1, "flags", "fd" },
	{ "signalfd4", 3, "flags", "fd" }, { "pidfd_open", 1, "flags", "fd" },
	{ "userfaultfd", 0, "flags", "fd" }, { "msync", 2, "flags", "msync" },
	{ "mlockall", 0, "flags", "mlock" }, { "pkey_mprotect", 2, "prot", "prot" },
	{ "fallocate", 1, "mode", "fallocate" }, { "flock", 1, "cmd", "flock" },
	{ "sched_setscheduler", 1, "policy", "policy" }, { "bpf", 0, "cmd", "bpf" },
	{ "seccomp", 0, "op", "seccomp" }, { "ptrace", 0, "request", "ptrace" },
	{ "membarrier", 0, "cmd", "membarrier" }, { "umount", 1, "flags", "umount" },
	{ "umount2", 1, "flags", "umount" }, { "pidfd_send_signal", 1, "sig", "signal" },
	{ "rt_sigqueueinfo", 1, "sig", "signal" }, { "rt_tgsigqueueinfo", 2, "sig", "signal" },
	{ "clock_settime", 0, "which_clock", "clock" },
	{ "clock_adjtime", 0, "which_clock", "clock" },
};

