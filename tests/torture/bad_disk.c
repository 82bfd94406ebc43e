/* bad_disk.c - a library to be preloaded, in which writing below a directory
 * fails while a file says so.
 *
 * BAD_DISK is the directory. BAD_DISK_ERROR is the file: while it holds a
 * number other than 0, that is the errno of every call that changes a file
 * below the directory; descriptors are recognised by their names in /proc. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int wanted_error(void)
{
	const char *file = getenv("BAD_DISK_ERROR");
	char text[16] = "";
	int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof text - 1) < 0)
		text[0] = 0;
	close(fd);
	return atoi(text);
}

static int is_below(int fd)
{
	const char *directory = getenv("BAD_DISK");
	char link[40], path[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	if (!directory || n < 0)
		return 0;
	path[n] = 0;
	return strncmp(path, directory, strlen(directory)) == 0;
}

/* Sets errno if a call on the descriptor is to fail. */
static int fails(int fd)
{
	const int saved = errno, error = is_below(fd) ? wanted_error() : 0;

	errno = error ? error : saved;
	return error;
}

/* BAD(type, name, fd, parameters, arguments): the call fails, or is the C
 * library's. */
#define BAD(type, name, fd, parameters, arguments)                       \
	type name parameters                                             \
	{                                                                \
		static type (*real) parameters;                          \
		if (!real)                                               \
			*(void **)&real = dlsym(RTLD_NEXT, #name);       \
		return fails(fd) ? (type)-1 : real arguments;            \
	}

BAD(ssize_t, write, fd, (int fd, const void *b, size_t n), (fd, b, n))
BAD(ssize_t, pwrite, fd, (int fd, const void *b, size_t n, off_t at),
    (fd, b, n, at))
BAD(ssize_t, pwrite64, fd, (int fd, const void *b, size_t n, off64_t at),
    (fd, b, n, at))
BAD(int, fsync, fd, (int fd), (fd))
BAD(int, fdatasync, fd, (int fd), (fd))
BAD(int, ftruncate, fd, (int fd, off_t n), (fd, n))
BAD(int, ftruncate64, fd, (int fd, off64_t n), (fd, n))
BAD(int, renameat, to, (int from, const char *a, int to, const char *b),
    (from, a, to, b))
