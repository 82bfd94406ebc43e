/* sandbox.c - what a confined process tries is refused, and what OpenCL
 * platforms need is not. Each attempt is made in a process of its own. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "matrix/memory.h"
#include "tests/test.h"
#include "worker/sandbox.h"

#define CACHE "/tmp/linalgd-sandbox-XXXXXX"
static char cache[] = CACHE;
static char outside[sizeof cache + 8];
static struct memory *operand;
static int operand_fd;

/* Attempts return whether they succeeded. Those of files need Landlock. */
static bool makes_an_inet_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool makes_a_datagram_socket(void)
{
	return socket(AF_UNIX, SOCK_DGRAM, 0) >= 0;
}

static bool makes_a_netlink_socket(void)
{
	return socket(AF_NETLINK, SOCK_RAW, 0) >= 0;
}

/* With nobody there the call fails in any case: by another error. */
static bool connects(void)
{
	const struct sockaddr_un to = { .sun_family = AF_UNIX,
	                                .sun_path = "/nowhere" };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	return connect(fd, (const struct sockaddr *)&to, sizeof to) == 0 ||
	       errno != EPERM;
}

static bool makes_a_ring(void)
{
	return syscall(SYS_io_uring_setup, 1, NULL) >= 0 || errno != EPERM;
}

static bool signals_its_parent(void)
{
	return kill(getppid(), 0) == 0;
}

static bool signals_everybody(void)
{
	return kill(-1, 0) == 0;
}

static bool limits_its_parent(void)
{
	struct rlimit r;

	return prlimit(getppid(), RLIMIT_CPU, NULL, &r) == 0;
}

static bool traces_its_parent(void)
{
	return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0;
}

static bool mounts(void)
{
	return mount("none", cache, "tmpfs", 0, NULL) == 0 || errno != EPERM;
}

static bool leaves_its_namespace(void)
{
	return unshare(CLONE_NEWUSER) == 0 || errno != EPERM;
}

static bool clones_into_a_namespace(void)
{
	const long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL,
	                         NULL, NULL);

	if (pid == 0)
		_exit(0);
	return pid > 0;
}

static bool loads_a_program_into_the_kernel(void)
{
	return syscall(SYS_bpf, 0, NULL, 0) >= 0 || errno != EPERM;
}

static bool changes_a_mode(void)
{
	return chmod(cache, 0755) == 0;
}

/* Operands come by descriptors for reading; the file behind one could be opened
 * again through /proc. */
static bool opens_an_operand_for_writing(void)
{
	char path[40];

	snprintf(path, sizeof path, "/proc/self/fd/%d", operand_fd);
	return open(path, O_RDWR) >= 0;
}

static bool writes_a_file_outside(void)
{
	return open(outside, O_WRONLY | O_CREAT, 0600) >= 0;
}

static bool reads_a_file_outside(void)
{
	return open("/etc/passwd", O_RDONLY) >= 0;
}

static bool lists_a_directory_outside(void)
{
	return open("/tmp", O_RDONLY | O_DIRECTORY) >= 0;
}

static bool reads_its_parents_memory(void)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/%d/environ", getppid());
	return open(path, O_RDONLY) >= 0;
}

static bool executes_what_it_wrote(void)
{
	static const char script[] = "#!/bin/sh\n";
	char path[sizeof cache + 8];
	int fd;

	snprintf(path, sizeof path, "%s/run", cache);
	fd = open(path, O_WRONLY | O_CREAT, 0700);
	ck_assert_int_eq(write(fd, script, sizeof script - 1),
	                 sizeof script - 1);
	close(fd);
	execl(path, path, NULL);
	return errno != EACCES;
}

static const struct attempt {
	bool (*succeeds)(void);
	unsigned needs;
	const char *name;
} attempts[] = {
#define TRY(what, part) { what, SANDBOX_##part, #what }
	TRY(makes_an_inet_socket, CALLS), TRY(makes_a_datagram_socket, CALLS),
	TRY(makes_a_netlink_socket, CALLS), TRY(connects, CALLS),
	TRY(makes_a_ring, CALLS), TRY(signals_its_parent, CALLS),
	TRY(signals_everybody, CALLS), TRY(limits_its_parent, CALLS),
	TRY(traces_its_parent, CALLS), TRY(mounts, CALLS),
	TRY(leaves_its_namespace, CALLS), TRY(clones_into_a_namespace, CALLS),
	TRY(loads_a_program_into_the_kernel, CALLS),
	TRY(changes_a_mode, CALLS), TRY(opens_an_operand_for_writing, PROCESS),
	TRY(writes_a_file_outside, FILES), TRY(reads_a_file_outside, FILES),
	TRY(lists_a_directory_outside, FILES),
	TRY(reads_its_parents_memory, FILES),
	TRY(executes_what_it_wrote, FILES),
};

/* Writes to the cache, makes memory and runs a program of the system, which
 * must all succeed. */
static bool works(void)
{
	char path[sizeof cache + 8];
	int status, pair[2];
	pid_t pid;

	snprintf(path, sizeof path, "%s/file", cache);
	if (open(path, O_RDWR | O_CREAT, 0600) < 0 || unlink(path) < 0 ||
	    open("/proc/self/maps", O_RDONLY) < 0 ||
	    open("/dev/null", O_RDWR) < 0 || memfd_create("x", 0) < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) ||
	    socket(AF_UNIX, SOCK_STREAM, 0) < 0 || kill(getpid(), 0))
		return false;
	pid = fork();
	if (pid == 0)
		execl("/bin/sh", "sh", "-c", "exit 7", NULL);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 7;
}

static void make_cache(void)
{
	struct err e = { 0 };

	operand = memory_new(test_pool, MEMORY_SLAB, &e);
	operand_fd = memory_descriptor(operand, false);
	strcpy(cache, CACHE);
	ck_assert_ptr_nonnull(mkdtemp(cache));
	snprintf(outside, sizeof outside, "%s.new", cache);
}

static void remove_cache(void)
{
	char command[64];

	memory_unref(operand);
	snprintf(command, sizeof command, "rm -r %s", cache);
	ck_assert_int_eq(system(command), 0);
}

/* Exit statuses of the processes that try. */
enum { REFUSED = 0, SUCCEEDED = 1, UNPROTECTED = 2 };

static int try(bool (*succeeds)(void), unsigned needs)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (!(sandbox_enter(cache) & needs) && needs)
			_exit(UNPROTECTED);
		_exit(succeeds() ? SUCCEEDED : REFUSED);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status), "status %d", status);
	return WEXITSTATUS(status);
}

START_TEST(a_confined_process_reaches_nobody)
{
	const struct attempt *a = &attempts[_i];
	const int is = try(a->succeeds, a->needs);

	/* Only Landlock may be missing: in an old kernel. */
	if (is == UNPROTECTED && a->needs == SANDBOX_FILES &&
	    !sandbox_files_version())
		return;
	ck_assert_msg(is == REFUSED, "%s: %d", a->name, is);
	ck_assert_int_ne(access(outside, F_OK), 0);
}
END_TEST

START_TEST(a_confined_process_can_work)
{
	ck_assert_int_eq(try(works, 0), SUCCEEDED);
}
END_TEST

/* Without the sandbox they succeed, so that the refusals are its own; two need
 * rights that the tests may lack. */
START_TEST(what_is_refused_would_succeed_outside)
{
	ck_assert(makes_an_inet_socket());
	ck_assert(makes_a_datagram_socket());
	ck_assert(connects());
	ck_assert(signals_its_parent());
	ck_assert(changes_a_mode());
	ck_assert(reads_a_file_outside());
	ck_assert(lists_a_directory_outside());
	ck_assert(writes_a_file_outside());
	unlink(outside);
}
END_TEST

START_TEST(missing_protections_are_named)
{
	char text[128];

	ck_assert_str_eq(sandbox_missing(SANDBOX_ALL, text, sizeof text), "");
	ck_assert_str_eq(sandbox_missing(SANDBOX_PROCESS, text, sizeof text),
	                 "files (Landlock), system calls (seccomp)");
}
END_TEST

TCase *tcase_sandbox(void)
{
	TCase *t = tcase_create("sandbox");

	tcase_add_checked_fixture(t, make_cache, remove_cache);
	tcase_add_loop_test(t, a_confined_process_reaches_nobody, 0,
	                    COUNT(attempts));
	tcase_add_test(t, a_confined_process_can_work);
	tcase_add_test(t, what_is_refused_would_succeed_outside);
	tcase_add_test(t, missing_protections_are_named);
	return t;
}
