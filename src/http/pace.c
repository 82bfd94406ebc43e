/* pace.c - see pace.h. */
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "http/pace.h"

struct paces pace_of(int64_t whole_ns)
{
	const int64_t grace_ns = INT64_C(20000000000);

	return (struct paces){ whole_ns < grace_ns ? whole_ns : grace_ns,
	                       whole_ns };
}

bool pace_is_slow(const struct paces *p, uint64_t bytes, uint64_t all,
                  int64_t elapsed_ns)
{
	const double seconds = (double)(elapsed_ns - p->grace_ns) / 1e9;
	const double whole = (double)p->whole_ns / 1e9;
	double least = PACE_LEAST;

	if (seconds <= 0)
		return false;
	if (all == UINT64_MAX && seconds > whole)
		return true;
	if (all != UINT64_MAX && (double)all / whole > least)
		least = (double)all / whole;
	return (double)bytes < least * seconds;
}

/* Sets *bytes to those that the client's TCP has acknowledged; false for
 * another kind of socket or an old kernel. */
static bool acknowledged(int fd, uint64_t *bytes)
{
	struct tcp_info i;
	socklen_t size = sizeof i;

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &i, &size) ||
	    size < offsetof(struct tcp_info, tcpi_bytes_acked) +
	           sizeof i.tcpi_bytes_acked)
		return false;
	*bytes = i.tcpi_bytes_acked;
	return true;
}

bool pace_reader(struct pace *r, const struct paces *p, int fd, uint64_t all,
                 int64_t now_ns)
{
	uint64_t bytes;
	int waiting = 0;

	if (ioctl(fd, SIOCOUTQ, &waiting) || !acknowledged(fd, &bytes))
		return false;
	if (waiting == 0 || r->since_ns == 0) {
		*r = (struct pace){ now_ns, bytes };
		return false;
	}
	return pace_is_slow(p, bytes - r->acknowledged, all,
	                    now_ns - r->since_ns);
}

bool pace_live_reader(struct pace *r, const struct paces *p, int fd,
                      int64_t now_ns)
{
	uint64_t bytes;
	int waiting = 0;

	if (ioctl(fd, SIOCOUTQ, &waiting) || !acknowledged(fd, &bytes))
		return false;
	if (waiting == 0 || r->since_ns == 0 || bytes > r->acknowledged)
		*r = (struct pace){ now_ns, bytes };
	return now_ns - r->since_ns > p->grace_ns;
}

bool pace_has_unread(int fd)
{
	int unread = 0;

	return ioctl(fd, SIOCINQ, &unread) == 0 && unread > 0;
}
