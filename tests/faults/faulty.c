/* faulty.c - calls of our own objects that can be made to fail.
 *
 * The test build is linked with --wrap for the functions below: the linker has
 * our calls of malloc() go to __wrap_malloc(), while libraries keep the C
 * library's. Jansson's allocations come through ours (format/json_memory.h).
 * Without LINALGD_FAULTS, which names the shared table, nothing fails.
 */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/faults/faults.h"

extern const char __executable_start[];

static struct fault_table *table;
static enum fault_process process = FAULT_OTHER;

/* Of builds with a leak detector. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* What this process is, by the words of its command. */
static enum fault_process process_kind(void)
{
	char line[4096] = "";
	const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
	enum fault_process is = FAULT_OTHER;

	if (fd >= 0)
		close(fd);
	for (const char *a = line; a < line + n; a += strlen(a) + 1)
		if (strcmp(a, "serve") == 0)
			is = FAULT_FRONT;
		else if (strcmp(a, "--control") == 0)
			is = FAULT_WORKER;
	return is;
}

__attribute__((constructor)) static void open_table(void)
{
	const char *path = getenv("LINALGD_FAULTS");
	const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *at = MAP_FAILED;

	if (fd >= 0) {
		at = mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE,
		          MAP_SHARED, fd, 0);
		close(fd);
	}
	if (at == MAP_FAILED)
		return;
	process = process_kind();
	table = at;
}

static void note_frames(struct fault_point *p)
{
	void *frame[FAULT_FRAMES + 2] = { NULL };
	const int n = backtrace(frame, FAULT_FRAMES + 2);

	for (int i = 0; i < FAULT_FRAMES; i++)
		p->frames[i] = i + 2 < n ? (char *)frame[i + 2] -
		                           __executable_start : 0;
}

/* Must this call fail? errno is set then. */
static bool fails(enum fault_kind kind)
{
	struct fault_point *p;

	if (!table)
		return false;
	p = &table->point[process][kind];
	if (++p->calls != p->fail_at)
		return false;
	note_frames(p);
	p->failed++;
	errno = (int)p->code;
	return true;
}

/* The allocation of a process that is asked to do so looks for leaks. */
static void look_for_leaks(void)
{
	int64_t asked = process + 1;

	if (!table || table->look != asked ||
	    !atomic_compare_exchange_strong(&table->look, &asked, 0))
		return;
	table->leaks = __lsan_do_recoverable_leak_check &&
	               __lsan_do_recoverable_leak_check() ? -1 : 1;
}

static bool no_memory(void)
{
	look_for_leaks();
	return fails(FAULT_MEMORY);
}

/* --- memory */

void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__real_calloc(size_t n, size_t each);
void *__wrap_calloc(size_t n, size_t each);
void *__real_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n);
void *__real_reallocarray(void *p, size_t n, size_t each);
void *__wrap_reallocarray(void *p, size_t n, size_t each);
char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s);
int __wrap_asprintf(char **to, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
ssize_t __real_getline(char **line, size_t *room, FILE *f);
ssize_t __wrap_getline(char **line, size_t *room, FILE *f);

void *__wrap_malloc(size_t n)
{
	return no_memory() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t each)
{
	return no_memory() ? NULL : __real_calloc(n, each);
}

void *__wrap_realloc(void *p, size_t n)
{
	return no_memory() ? NULL : __real_realloc(p, n);
}

void *__wrap_reallocarray(void *p, size_t n, size_t each)
{
	return no_memory() ? NULL : __real_reallocarray(p, n, each);
}

char *__wrap_strdup(const char *s)
{
	return no_memory() ? NULL : __real_strdup(s);
}

int __wrap_asprintf(char **to, const char *fmt, ...)
{
	va_list ap;
	int n = -1;

	if (no_memory())
		return -1;		/* *to is undefined then */
	va_start(ap, fmt);
	n = vasprintf(to, fmt, ap);
	va_end(ap);
	return n;
}

ssize_t __wrap_getline(char **line, size_t *room, FILE *f)
{
	return no_memory() ? -1 : __real_getline(line, room, f);
}

/* --- what the system gives: descriptors, mappings, threads */

int __real_memfd_create(const char *name, unsigned flags);
int __wrap_memfd_create(const char *name, unsigned flags);
int __real_ftruncate(int fd, off_t n);
int __wrap_ftruncate(int fd, off_t n);
int __real_fallocate(int fd, int mode, off_t at, off_t n);
int __wrap_fallocate(int fd, int mode, off_t at, off_t n);
void *__real_mmap(void *at, size_t n, int prot, int flags, int fd, off_t o);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t o);
void *__real_mremap(void *at, size_t was, size_t n, int flags);
void *__wrap_mremap(void *at, size_t was, size_t n, int flags);
int __real_pipe2(int fd[2], int flags);
int __wrap_pipe2(int fd[2], int flags);
int __real_socketpair(int domain, int type, int protocol, int fd[2]);
int __wrap_socketpair(int domain, int type, int protocol, int fd[2]);
int __real_accept4(int fd, struct sockaddr *to, socklen_t *n, int flags);
int __wrap_accept4(int fd, struct sockaddr *to, socklen_t *n, int flags);
int __real_pthread_create(pthread_t *t, const pthread_attr_t *a,
                          void *(*f)(void *), void *arg);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a,
                          void *(*f)(void *), void *arg);

int __wrap_memfd_create(const char *name, unsigned flags)
{
	return fails(FAULT_SYSTEM) ? -1 : __real_memfd_create(name, flags);
}

int __wrap_ftruncate(int fd, off_t n)
{
	return fails(FAULT_SYSTEM) ? -1 : __real_ftruncate(fd, n);
}

int __wrap_fallocate(int fd, int mode, off_t at, off_t n)
{
	return fails(FAULT_SYSTEM) ? -1 : __real_fallocate(fd, mode, at, n);
}

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t o)
{
	return fails(FAULT_SYSTEM) ? MAP_FAILED :
	       __real_mmap(at, n, prot, flags, fd, o);
}

void *__wrap_mremap(void *at, size_t was, size_t n, int flags)
{
	return fails(FAULT_SYSTEM) ? MAP_FAILED :
	       __real_mremap(at, was, n, flags);
}

int __wrap_pipe2(int fd[2], int flags)
{
	return fails(FAULT_SYSTEM) ? -1 : __real_pipe2(fd, flags);
}

int __wrap_socketpair(int domain, int type, int protocol, int fd[2])
{
	return fails(FAULT_SYSTEM) ? -1 :
	       __real_socketpair(domain, type, protocol, fd);
}

int __wrap_accept4(int fd, struct sockaddr *to, socklen_t *n, int flags)
{
	return fails(FAULT_SYSTEM) ? -1 : __real_accept4(fd, to, n, flags);
}

int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a,
                          void *(*f)(void *), void *arg)
{
	return fails(FAULT_SYSTEM) ? EAGAIN :
	       __real_pthread_create(t, a, f, arg);
}

/* --- files */

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
ssize_t __real_write(int fd, const void *bytes, size_t n);
ssize_t __wrap_write(int fd, const void *bytes, size_t n);
ssize_t __real_pwrite(int fd, const void *bytes, size_t n, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t n, off_t at);
size_t __real_fwrite(const void *bytes, size_t each, size_t n, FILE *f);
size_t __wrap_fwrite(const void *bytes, size_t each, size_t n, FILE *f);
int __real_fclose(FILE *f);
int __wrap_fclose(FILE *f);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);

int __wrap_open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	if (fails(FAULT_FILE))
		return -1;
	if (flags & (O_CREAT | O_TMPFILE)) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return __real_open(path, flags, mode);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	return fails(FAULT_FILE) ? NULL : __real_fopen(path, mode);
}

/* A file on a disk or a pipe can refuse a write; an eventfd cannot. */
static bool can_refuse(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode));
}

ssize_t __wrap_write(int fd, const void *bytes, size_t n)
{
	return table && can_refuse(fd) && fails(FAULT_FILE) ? -1 :
	       __real_write(fd, bytes, n);
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	return fails(FAULT_FILE) ? -1 : __real_pwrite(fd, bytes, n, at);
}

size_t __wrap_fwrite(const void *bytes, size_t each, size_t n, FILE *f)
{
	return fails(FAULT_FILE) ? 0 : __real_fwrite(bytes, each, n, f);
}

/* Closing a stream writes what is left in its buffer; the stream is gone even
 * when that fails. */
int __wrap_fclose(FILE *f)
{
	const bool refused = fails(FAULT_FILE);
	const int error = errno, rc = __real_fclose(f);

	if (refused)
		errno = error;
	return refused ? EOF : rc;
}

int __wrap_fsync(int fd)
{
	return fails(FAULT_FILE) ? -1 : __real_fsync(fd);
}

int __wrap_fdatasync(int fd)
{
	return fails(FAULT_FILE) ? -1 : __real_fdatasync(fd);
}

int __wrap_rename(const char *from, const char *to)
{
	return fails(FAULT_FILE) ? -1 : __real_rename(from, to);
}

int __wrap_mkdir(const char *path, mode_t mode)
{
	return fails(FAULT_FILE) ? -1 : __real_mkdir(path, mode);
}

/* --- the environment: OpenCL's layers stay on in this build */

int __real_unsetenv(const char *name);
int __wrap_unsetenv(const char *name);

int __wrap_unsetenv(const char *name)
{
	return table && strncmp(name, "OPENCL_LAYER", 12) == 0 ? 0 :
	       __real_unsetenv(name);
}
