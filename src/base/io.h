/* io.h - file descriptors: whole reads and writes, and messages that carry
 * descriptors (SCM_RIGHTS). Interrupted calls are repeated. Unless a comment
 * says otherwise, a function returns 0, or -1 with errno. */
#ifndef BASE_IO_H
#define BASE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

enum { IO_FDS = 96 };		/* most descriptors of a message */

int io_write_all(int fd, const void *bytes, size_t n);

/* Reads exactly n bytes; 0, or -1 at the end of file or an error. */
int io_read_all(int fd, void *bytes, size_t n);

int io_nonblocking(int fd, bool on);

/* Sends one message on a SOCK_SEQPACKET socket with n_fds descriptors, which
 * stay the caller's. */
int io_send(int socket, const void *bytes, size_t n, const int *fds,
            int n_fds, struct err *e);

/* Receives the next message and returns its length, 0 when the peer is gone,
 * or -1 with errno. EAGAIN: there is no message now. EMSGSIZE: the message had
 * more bytes or descriptors than there is space for, and is lost. fds[]
 * receives at most IO_FDS descriptors (close-on-exec), *n_fds their number. */
ssize_t io_receive(int socket, void *bytes, size_t room, int fds[IO_FDS],
                   int *n_fds);

/* Fills in n random bytes, for names; they are not fit for secrets. */
void io_random(void *bytes, size_t n);

#endif
