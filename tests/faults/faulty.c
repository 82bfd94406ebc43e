/* faulty.c - calls of our own objects that can be made to fail.
 *
 * The test build is linked with --wrap for the functions below: the linker has
 * our calls of malloc() go to __wrap_malloc(), while libraries keep the C
 * library's. Jansson's allocations come through ours (format/json_memory.h).
 * Without LINALGD_FAULTS, which names the shared table, nothing fails. Calls on
 * files are in faulty_files.c. faulty_leaks.c looks for leaks.
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
#include <unistd.h>

#include "tests/faults/faults.h"

extern const char __executable_start[];

static struct fault_table *_Atomic table;
static enum fault_process process = FAULT_OTHER;

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

void fault_use(struct fault_table *t)
{
	table = t;
}

static void note_frames(struct fault_point *p)
{
	void *frame[FAULT_FRAMES + 2] = { NULL };
	const int n = backtrace(frame, FAULT_FRAMES + 2);

	for (int i = 0; i < FAULT_FRAMES; i++)
		p->frames[i] = i + 2 < n ? (char *)frame[i + 2] -
		                           __executable_start : 0;
}

bool fault_on(void)
{
	return table;
}

bool fault_hits(enum fault_kind kind)
{
	struct fault_table *const t = table;
	struct fault_point *p;

	if (!t)
		return false;
	p = &t->point[process][kind];
	if (++p->calls != p->fail_at)
		return false;
	note_frames(p);
	p->failed++;
	errno = (int)p->code;
	return true;
}

static bool no_memory(void)
{
	struct fault_table *const t = table;

	if (t)
		fault_look_for_leaks(t, process);
	return fault_hits(FAULT_MEMORY);
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
	return fault_hits(FAULT_SYSTEM) ? -1 : __real_memfd_create(name, flags);
}

int __wrap_ftruncate(int fd, off_t n)
{
	return fault_hits(FAULT_SYSTEM) ? -1 : __real_ftruncate(fd, n);
}

int __wrap_fallocate(int fd, int mode, off_t at, off_t n)
{
	return fault_hits(FAULT_SYSTEM) ? -1 :
	       __real_fallocate(fd, mode, at, n);
}

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t o)
{
	return fault_hits(FAULT_SYSTEM) ? MAP_FAILED :
	       __real_mmap(at, n, prot, flags, fd, o);
}

void *__wrap_mremap(void *at, size_t was, size_t n, int flags)
{
	return fault_hits(FAULT_SYSTEM) ? MAP_FAILED :
	       __real_mremap(at, was, n, flags);
}

int __wrap_pipe2(int fd[2], int flags)
{
	return fault_hits(FAULT_SYSTEM) ? -1 : __real_pipe2(fd, flags);
}

int __wrap_socketpair(int domain, int type, int protocol, int fd[2])
{
	return fault_hits(FAULT_SYSTEM) ? -1 :
	       __real_socketpair(domain, type, protocol, fd);
}

int __wrap_accept4(int fd, struct sockaddr *to, socklen_t *n, int flags)
{
	return fault_hits(FAULT_SYSTEM) ? -1 : __real_accept4(fd, to, n, flags);
}

/* How often it has been called: for tests/unit_main.c. */
extern atomic_uint faulty_threads;
atomic_uint faulty_threads;

int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a,
                          void *(*f)(void *), void *arg)
{
	faulty_threads++;
	return fault_hits(FAULT_SYSTEM) ? EAGAIN :
	       __real_pthread_create(t, a, f, arg);
}

/* --- the environment: OpenCL's layers stay on in this build */

int __real_unsetenv(const char *name);
int __wrap_unsetenv(const char *name);

int __wrap_unsetenv(const char *name)
{
	return table && strncmp(name, "OPENCL_LAYER", 12) == 0 ? 0 :
	       __real_unsetenv(name);
}
