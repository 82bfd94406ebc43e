/* notify.h - systemd's protocols, spoken without its library: readiness and
 * watchdog over NOTIFY_SOCKET (sd_notify(3)), sockets handed in by
 * LISTEN_FDS (sd_listen_fds(3)). Without systemd all are no-ops. */
#ifndef BASE_NOTIFY_H
#define BASE_NOTIFY_H

#include <stdint.h>

/* "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=...". */
void notify_send(const char *state);

/* How often WATCHDOG=1 is due, half of what was asked for; 0: never. */
int64_t notify_watchdog_ns(void);

/* The first socket handed in; -1: none. */
int notify_listen_fd(void);

#endif
