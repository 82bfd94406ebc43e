/* faulty_files.c - calls on files that can be made to fail: see faulty.c. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/faults/faults.h"

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_openat(int dir, const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, ...);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
ssize_t __real_read(int fd, void *bytes, size_t n);
ssize_t __wrap_read(int fd, void *bytes, size_t n);
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
int __real_renameat(int from_dir, const char *from, int to_dir,
                    const char *to);
int __wrap_renameat(int from_dir, const char *from, int to_dir,
                    const char *to);
int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
DIR *__real_fdopendir(int fd);
DIR *__wrap_fdopendir(int fd);
struct dirent *__real_readdir(DIR *dir);
struct dirent *__wrap_readdir(DIR *dir);

/* Returns the argument `mode` of open(), given only if the flags create a
 * file. */
static mode_t mode_of(int flags, va_list *more)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ?
	       va_arg(*more, mode_t) : 0;
}

int __wrap_open(const char *path, int flags, ...)
{
	mode_t mode;
	va_list ap;

	va_start(ap, flags);
	mode = mode_of(flags, &ap);
	va_end(ap);
	return fault_hits(FAULT_FILE) ? -1 : __real_open(path, flags, mode);
}

int __wrap_openat(int dir, const char *path, int flags, ...)
{
	mode_t mode;
	va_list ap;

	va_start(ap, flags);
	mode = mode_of(flags, &ap);
	va_end(ap);
	return fault_hits(FAULT_FILE) ? -1 :
	       __real_openat(dir, path, flags, mode);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	return fault_hits(FAULT_FILE) ? NULL : __real_fopen(path, mode);
}

/* Only writes to files and pipes fail here, because those to an eventfd cannot
 * fail. */
static bool can_refuse(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode));
}

/* Only reads of files fail here, not those of pipes and eventfds. */
ssize_t __wrap_read(int fd, void *bytes, size_t n)
{
	struct stat st;

	return fault_on() && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       fault_hits(FAULT_FILE) ? -1 : __real_read(fd, bytes, n);
}

ssize_t __wrap_write(int fd, const void *bytes, size_t n)
{
	return fault_on() && can_refuse(fd) && fault_hits(FAULT_FILE) ? -1 :
	       __real_write(fd, bytes, n);
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	return fault_hits(FAULT_FILE) ? -1 : __real_pwrite(fd, bytes, n, at);
}

size_t __wrap_fwrite(const void *bytes, size_t each, size_t n, FILE *f)
{
	return fault_hits(FAULT_FILE) ? 0 : __real_fwrite(bytes, each, n, f);
}

/* fclose() writes the rest of the buffer. If that fails, the stream is closed
 * all the same. */
int __wrap_fclose(FILE *f)
{
	const bool refused = fault_hits(FAULT_FILE);
	const int error = errno, rc = __real_fclose(f);

	if (refused)
		errno = error;
	return refused ? EOF : rc;
}

int __wrap_fsync(int fd)
{
	return fault_hits(FAULT_FILE) ? -1 : __real_fsync(fd);
}

int __wrap_fdatasync(int fd)
{
	return fault_hits(FAULT_FILE) ? -1 : __real_fdatasync(fd);
}

int __wrap_rename(const char *from, const char *to)
{
	return fault_hits(FAULT_FILE) ? -1 : __real_rename(from, to);
}

int __wrap_renameat(int from_dir, const char *from, int to_dir,
                    const char *to)
{
	return fault_hits(FAULT_FILE) ? -1 :
	       __real_renameat(from_dir, from, to_dir, to);
}

int __wrap_mkdir(const char *path, mode_t mode)
{
	return fault_hits(FAULT_FILE) ? -1 : __real_mkdir(path, mode);
}

DIR *__wrap_fdopendir(int fd)
{
	return fault_hits(FAULT_FILE) ? NULL : __real_fdopendir(fd);
}

struct dirent *__wrap_readdir(DIR *dir)
{
	return fault_hits(FAULT_FILE) ? NULL : __real_readdir(dir);
}
