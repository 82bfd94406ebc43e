/* control.c - see control.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "queue/control.h"

int control_open(struct control **control, struct err *e)
{
	const int fd = memfd_create("linalgd-control", MFD_CLOEXEC |
	                                               MFD_ALLOW_SEALING);
	void *page = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, sizeof **control) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		page = mmap(NULL, sizeof **control, PROT_READ | PROT_WRITE,
		            MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		err_set(e, ERR_MEMORY, "a worker's shared memory: %s",
		        strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	*control = page;
	return fd;
}
