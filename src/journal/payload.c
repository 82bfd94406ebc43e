/* payload.c - see payload.h: the directory. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/size.h"
#include "journal/payload_file.h"

#define DAMAGED ".damaged"

struct payload_calls payload_calls = {
	openat, write, fdatasync, fsync, renameat, unlinkat,
};

int payload_failed(const struct payloads *d, const char *name,
                   const char *what, struct err *e)
{
	return err_set(e, ERR_STATE, "%s %.120s/%.80s: %s", what, d->path,
	               name, strerror(errno));
}

int payload_check_name(const char *name, struct err *e)
{
	static const char usual[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	const size_t n = strlen(name);

	if (n > 0 && n < PAYLOAD_NAME && strspn(name, usual) == n)
		return 0;
	return err_set(e, ERR_INTERNAL, "\"%.80s\" is no name of a payload "
	               "file", name);
}

uint32_t payload_crc(uint32_t crc, const void *bytes, size_t n)
{
	return (uint32_t)crc32_z(crc, bytes, n);
}

size_t payload_head_bytes(size_t matrices)
{
	return sizeof(struct payload_header) +
	       matrices * sizeof(struct payload_row);
}

static bool add(uint64_t *sum, size_t bytes)
{
	return !__builtin_add_overflow(*sum, bytes, sum);
}

int payload_bytes(const struct matrix *m, size_t n, uint64_t *bytes,
                       struct err *e)
{
	size_t elements, index;

	*bytes = payload_head_bytes(n) + sizeof(uint32_t);
	for (size_t i = 0; i < n; i++) {
		if (m[i].ndim == MATRIX_ABSENT)
			continue;
		if (matrix_bytes(&m[i], &elements, e) < 0 ||
		    matrix_index_bytes(&m[i], &index, e) < 0)
			return -1;
		if (!add(bytes, elements) || !add(bytes, index))
			return err_set(e, ERR_TOO_LARGE, "%zu matrices are "
			               "beyond any file", n);
	}
	return 0;
}

/* Makes the entry of a new directory durable. */
static int sync_parent(int fd)
{
	const int parent = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = -1;

	if (parent >= 0) {
		rc = payload_calls.fsync(parent);
		close(parent);
	}
	return rc;
}

static int open_directory(struct payloads *d)
{
	const bool made = mkdir(d->path, 0700) == 0;

	if (!made && errno != EEXIST)
		return -1;
	d->fd = open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return d->fd < 0 || (made && sync_parent(d->fd) < 0) ? -1 : 0;
}

struct payloads *payloads_open(const char *path, struct err *e)
{
	struct payloads *d = calloc(1, sizeof *d);

	if (!d) {
		err_set(e, ERR_MEMORY, "no memory for the directory %.120s",
		        path);
		return NULL;
	}
	d->fd = -1;
	if (snprintf(d->path, sizeof d->path, "%s", path) >=
	    (int)sizeof d->path)
		errno = ENAMETOOLONG;
	else if (open_directory(d) == 0)
		return d;
	err_set(e, ERR_STATE, "the directory %.160s: %s", path,
	        strerror(errno));
	payloads_close(d);
	return NULL;
}

void payloads_close(struct payloads *d)
{
	if (!d)
		return;
	if (d->fd >= 0)
		close(d->fd);
	free(d);
}

int payload_remove(const struct payloads *d, const char *name, struct err *e)
{
	if (payload_calls.unlinkat(d->fd, name, 0) < 0 && errno != ENOENT)
		return payload_failed(d, name, "removing", e);
	return 0;
}

int payload_set_aside(const struct payloads *d, const char *name,
                      struct err *e)
{
	char aside[PAYLOAD_NAME + sizeof DAMAGED];

	if (payload_check_name(name, e) < 0)
		return -1;
	snprintf(aside, sizeof aside, "%s" DAMAGED, name);
	if (payload_calls.renameat(d->fd, name, d->fd, aside) < 0 ||
	    payload_calls.fsync(d->fd) < 0)
		return payload_failed(d, name, "setting aside", e);
	return 0;
}

static bool listed(const char *name)
{
	const size_t n = strlen(name), end = strlen(DAMAGED);

	return strcmp(name, ".") && strcmp(name, "..") &&
	       !(n > end && !strcmp(name + n - end, DAMAGED));
}

int payloads_list(const struct payloads *d,
                  int (*fn)(void *arg, const char *name, struct err *e),
                  void *arg, struct err *e)
{
	const int fd = openat(d->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int rc = 0;

	if (!dir) {
		rc = payload_failed(d, "", "listing", e);
		if (fd >= 0)
			close(fd);
		return rc;
	}
	while (rc == 0 && (errno = 0, entry = readdir(dir)))
		if (listed(entry->d_name))
			rc = fn(arg, entry->d_name, e);
	if (rc == 0 && errno)
		rc = payload_failed(d, "", "listing", e);
	closedir(dir);
	return rc;
}
