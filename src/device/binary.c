/* binary.c - compiled programs on disk, one file each:
 *
 *     8 bytes magic | 8 key | 8 length | 8 checksum | the binary
 *
 * The name and the key are a hash of everything that the binary depends on.
 * A file is written whole under another name and then renamed; a file that does
 * not match or does not load is treated as absent. Of processes that share the
 * directory one compiles a program, while the others wait for it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "device/binary.h"
#include "device/state.h"

static const uint64_t magic = 0x31304e494244414c;	/* "LADBIN01" */

struct head {
	uint64_t magic, key, length, checksum;
};

/* FNV-1a (Fowler, Noll, Vo 1991). */
static uint64_t hash(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3;
	return h;
}

static uint64_t hash_text(uint64_t h, const char *s)
{
	return hash(h, s, strlen(s) + 1);
}

uint64_t binary_key(const struct device *d, const char *source,
                    const char *options)
{
	uint64_t h = 0xcbf29ce484222325;

	h = hash_text(h, source);
	h = hash_text(h, options);
	h = hash_text(h, d->sheet.name);
	h = hash_text(h, d->sheet.version);
	return hash_text(h, d->sheet.driver);
}

static void path_of(const char *cache, uint64_t key, char path[512])
{
	snprintf(path, 512, "%s/%016llx.clbin", cache,
	         (unsigned long long)key);
}

bool binary_there(const struct device *d, const char *cache,
                  const char *source, const char *options)
{
	char path[512];

	path_of(cache, binary_key(d, source, options), path);
	return access(path, R_OK) == 0;
}

/* Locks one byte of a file shared by all keys; the system releases such a lock
 * when its process ends. */
int binary_lock(const char *cache, uint64_t key, bool wait)
{
	struct flock l = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1,
		.l_start = (off_t)(key >> 2),
	};
	char path[512];
	int fd;

	snprintf(path, sizeof path, "%s/programs.lock", cache);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0 && fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &l) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Returns the file's binary, which the caller frees, and sets *n to its length;
 * NULL if there is no valid one. */
static unsigned char *read_binary(const char *path, uint64_t key, size_t *n)
{
	struct head h = { 0 };
	struct stat st;
	unsigned char *binary = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	if (io_read_all(fd, &h, sizeof h) == 0 && h.magic == magic
	    && h.key == key && fstat(fd, &st) == 0
	    && (uint64_t)st.st_size == sizeof h + h.length)
		binary = malloc(h.length + 1);
	*n = h.length;
	if (binary && (io_read_all(fd, binary, *n) < 0
	    || hash(key, binary, *n) != h.checksum)) {
		free(binary);
		binary = NULL;
	}
	close(fd);
	return binary;
}

cl_program binary_load(struct device *d, const char *cache, const char *source,
                       const char *options)
{
	uint64_t key = binary_key(d, source, options);
	char path[512];
	size_t n = 0;
	unsigned char *binary;
	cl_program p;
	cl_int status = CL_SUCCESS, rc = CL_SUCCESS;

	path_of(cache, key, path);
	binary = read_binary(path, key, &n);
	if (!binary)
		return NULL;
	p = clCreateProgramWithBinary(d->context, 1, &d->id, &n,
	    (const unsigned char *[]){ binary }, &status, &rc);
	free(binary);
	if (p && rc == CL_SUCCESS && status == CL_SUCCESS
	    && clBuildProgram(p, 1, &d->id, options, NULL, NULL) == CL_SUCCESS)
		return p;
	if (p)
		clReleaseProgram(p);
	return NULL;
}

static void write_binary(const char *path, const struct head *h,
                         const unsigned char *binary)
{
	char other[544];
	bool ok;
	int fd;

	snprintf(other, sizeof other, "%s.%ld", path, (long)getpid());
	fd = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	ok = io_write_all(fd, h, sizeof *h) == 0
	    && io_write_all(fd, binary, h->length) == 0;
	ok = close(fd) == 0 && ok && rename(other, path) == 0;
	if (!ok)
		unlink(other);
}

void binary_store(const struct device *d, cl_program p, const char *cache,
                  const char *source, const char *options)
{
	struct head h = { magic, binary_key(d, source, options), 0, 0 };
	char path[512];
	size_t n = 0;
	unsigned char *binary;

	if (clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL)
	    != CL_SUCCESS || n == 0)
		return;
	binary = malloc(n);
	if (binary && clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof binary,
	    &binary, NULL) == CL_SUCCESS) {
		h.length = n;
		h.checksum = hash(h.key, binary, n);
		path_of(cache, h.key, path);
		write_binary(path, &h, binary);
	}
	free(binary);
}
