/* sandbox_calls.c - the system calls that a worker may not make, as a seccomp
 * filter: seccomp(2); its instructions are those of the classic BPF.
 *
 * The filter is a list of what is refused, not of what is allowed, because
 * OpenCL drivers make calls that nobody can list. A call is refused with EPERM,
 * or with ENOSYS where the C library then takes an older call.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/size.h"
#include "worker/sandbox.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

/* Numbers above are those of the x32 interface. */
#define CALL_MOST 0x3fffffff

/* Calls that the headers of Debian 12 lack; they have the same number
 * everywhere. */
#define CALL_FCHMODAT2 452

#ifndef TIOCLINUX
#define TIOCLINUX 0x541c
#endif

/* When a rule holds for a call: always, if the lower half of its argument `arg`
 * has that value or another one, or if it has any of these bits. */
enum when { ALWAYS, EQUAL, OTHER, BITS };

enum { ALLOW = 0, SELF = -1 };		/* SELF: this process's number */

/* The first rule that holds for a call decides: it is refused with that error,
 * or allowed. So is a call without a rule. */
struct rule {
	int call;
	enum when when;
	int arg;
	long value;
	int refusal;
};

#define REFUSE(name) { SYS_##name, ALWAYS, 0, 0, EPERM }

/* Allows a call whose argument is this process, and refuses it for others. */
#define ONLY_SELF(name) { SYS_##name, OTHER, 0, SELF, EPERM }

/* All flags of clone() that make a namespace. */
#define NAMESPACES (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | \
                    CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

static const struct rule rules[] = {
	/* Sockets: a driver may make stream sockets within its process, which
	 * reach nobody. SOCK_DGRAM is bit 2, and SOCK_RAW has it. */
	{ SYS_socket, OTHER, 0, AF_UNIX, EPERM },
	{ SYS_socket, BITS, 1, SOCK_DGRAM, EPERM },
	{ SYS_socketpair, BITS, 1, SOCK_DGRAM, EPERM },
	REFUSE(connect),
	REFUSE(io_uring_setup), REFUSE(io_uring_enter),
	REFUSE(io_uring_register),
	/* Other processes. */
	ONLY_SELF(kill), ONLY_SELF(tgkill), ONLY_SELF(rt_sigqueueinfo),
	ONLY_SELF(rt_tgsigqueueinfo),
	REFUSE(tkill), REFUSE(pidfd_send_signal), REFUSE(pidfd_getfd),
	REFUSE(ptrace), REFUSE(process_vm_readv), REFUSE(process_vm_writev),
	REFUSE(process_madvise), REFUSE(kcmp),
	{ SYS_prlimit64, EQUAL, 0, 0, ALLOW }, ONLY_SELF(prlimit64),
	{ SYS_fcntl, EQUAL, 1, F_SETOWN, EPERM },
	{ SYS_fcntl, EQUAL, 1, F_SETOWN_EX, EPERM },
	{ SYS_fcntl, EQUAL, 1, F_SETSIG, EPERM },
	{ SYS_ioctl, EQUAL, 1, FIOSETOWN, EPERM },
	{ SYS_ioctl, EQUAL, 1, SIOCSPGRP, EPERM },
	{ SYS_ioctl, EQUAL, 1, TIOCSTI, EPERM },
	{ SYS_ioctl, EQUAL, 1, TIOCLINUX, EPERM },
	REFUSE(shmget), REFUSE(shmat), REFUSE(shmctl),
	REFUSE(msgget), REFUSE(semget), REFUSE(mq_open),
	/* Namespaces and mounts. */
	{ SYS_clone, BITS, 0, NAMESPACES, EPERM },
	{ SYS_clone3, ALWAYS, 0, 0, ENOSYS },
	REFUSE(unshare), REFUSE(setns), REFUSE(chroot), REFUSE(pivot_root),
	REFUSE(mount), REFUSE(umount2), REFUSE(open_tree), REFUSE(move_mount),
	REFUSE(fsopen), REFUSE(fsconfig), REFUSE(fsmount), REFUSE(fspick),
	REFUSE(mount_setattr),
	/* Modes of files, among them those of the memory of matrices, which
	 * lack the right to be opened for writing (memory_pool.c). */
#ifdef SYS_chmod
	REFUSE(chmod), REFUSE(chown), REFUSE(lchown),
#endif
	REFUSE(fchmod), REFUSE(fchmodat),
	{ CALL_FCHMODAT2, ALWAYS, 0, 0, EPERM },
	REFUSE(fchown), REFUSE(fchownat),
	REFUSE(setxattr), REFUSE(lsetxattr), REFUSE(fsetxattr),
	REFUSE(open_by_handle_at), REFUSE(name_to_handle_at),
	/* The kernel itself. */
	REFUSE(bpf), REFUSE(perf_event_open), REFUSE(userfaultfd),
	REFUSE(keyctl), REFUSE(add_key), REFUSE(request_key),
	REFUSE(init_module), REFUSE(finit_module), REFUSE(delete_module),
	REFUSE(kexec_load), REFUSE(reboot), REFUSE(syslog), REFUSE(acct),
	REFUSE(swapon), REFUSE(swapoff), REFUSE(quotactl),
	REFUSE(fanotify_init), REFUSE(personality), REFUSE(vhangup),
	REFUSE(settimeofday), REFUSE(clock_settime), REFUSE(clock_adjtime),
	REFUSE(adjtimex), REFUSE(sethostname), REFUSE(setdomainname),
#ifdef __x86_64__
	REFUSE(iopl), REFUSE(ioperm), REFUSE(modify_ldt), REFUSE(uselib),
#endif
};

/* The instructions of one rule: the call's number, its argument, the verdict;
 * and those before all rules and after them. */
enum { HEAD = 6, EACH = 5, FOOT = 1 };

#define DATA(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
                             offsetof(struct seccomp_data, field))
#define RETURN(error) BPF_STMT(BPF_RET | BPF_K, (error) ? \
                               SECCOMP_RET_ERRNO | (unsigned)(error) : \
                               SECCOMP_RET_ALLOW)
/* Goes on with the next instruction, plus that many more if the comparison
 * holds, or if it does not. */
#define JUMP(how, k, holds, fails) BPF_JUMP(BPF_JMP | (how) | BPF_K, \
                                            (unsigned)(k), holds, fails)

static size_t write_rule(struct sock_filter *to, const struct rule *r)
{
	const unsigned arg = (unsigned)(offsetof(struct seccomp_data, args) +
	                     (size_t)r->arg * sizeof(uint64_t));
	const long value = r->value == SELF ? getpid() : r->value;
	const struct sock_filter test[] = {
		[ALWAYS] = JUMP(BPF_JA, 0, 0, 0),
		[EQUAL] = JUMP(BPF_JEQ, value, 0, 1),
		[OTHER] = JUMP(BPF_JEQ, value, 1, 0),
		[BITS] = JUMP(BPF_JSET, value, 0, 1),
	};
	const struct sock_filter rule[EACH] = {
		DATA(nr), JUMP(BPF_JEQ, r->call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, arg),
		test[r->when], RETURN(r->refusal),
	};

	for (int i = 0; i < EACH; i++)
		to[i] = rule[i];
	return EACH;
}

int sandbox_calls(void)
{
	struct sock_filter code[HEAD + EACH * COUNT(rules) + FOOT] = {
		DATA(arch), JUMP(BPF_JEQ, ARCHITECTURE, 1, 0), RETURN(ENOSYS),
		DATA(nr), JUMP(BPF_JGT, CALL_MOST, 0, 1), RETURN(ENOSYS),
	};
	struct sock_fprog program = { .len = COUNT(code), .filter = code };
	size_t n = HEAD;

	if (ARCHITECTURE == 0) {
		errno = ENOSYS;
		return -1;
	}
	for (size_t i = 0; i < COUNT(rules); i++)
		n += write_rule(code + n, &rules[i]);
	code[n] = (struct sock_filter)RETURN(0);
	/* The flag spares what older kernels turn off with a filter, which
	 * costs time, and protects processes that run several users' code. */
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	               SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) ? -1 : 0;
}
