/* small.c - see small.h. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "wire/small.h"

/* Makes a memfd that cannot change its size, nor be opened for writing by a
 * worker; -1 with errno. */
static int make_file(void)
{
	const int fd = memfd_create("linalgd-small", MFD_CLOEXEC |
	                                             MFD_ALLOW_SEALING);

	if (fd >= 0 && ftruncate(fd, SMALL_BYTES) == 0 &&
	    fchmod(fd, S_IRUSR) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW |
	                           F_SEAL_SEAL) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

int small_open(struct small *s, struct err *e)
{
	const int fd = make_file();
	char path[32];
	void *data = MAP_FAILED;
	int reading = -1;

	*s = (struct small){ 0 };
	if (fd >= 0)
		data = mmap(NULL, SMALL_BYTES, PROT_READ | PROT_WRITE,
		            MAP_SHARED, fd, 0);
	if (data != MAP_FAILED) {
		s->data = data;
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		reading = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (reading < 0) {
		err_set(e, ERR_MEMORY, "memory for a worker's small operands: "
		        "%s (is /proc mounted?)", strerror(errno));
		small_close(s);
	}
	if (fd >= 0)
		close(fd);
	return reading;
}

void small_close(struct small *s)
{
	if (s->data)
		munmap(s->data, SMALL_BYTES);
	*s = (struct small){ 0 };
}

void small_begin(struct small *s, uint32_t tenant)
{
	if (tenant != s->tenant) {
		memset(s->data, 0, s->dirty);
		s->dirty = 0;
	}
	s->tenant = tenant;
	s->used = 0;
}

size_t small_put(struct small *s, const struct memory *m)
{
	const size_t at = s->used;

	assert(m->bytes <= SMALL_BYTES - at);
	memcpy(s->data + at, m->data, m->bytes);
	s->used = size_round_up(at + m->bytes, MEMORY_ALIGN);
	s->dirty = size_max(s->dirty, s->used);
	return at;
}
