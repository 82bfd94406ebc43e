/* notify.h - systemd's protocols without its library: readiness and watchdog
 * over NOTIFY_SOCKET (sd_notify(3)), and socket activation by LISTEN_FDS
 * (sd_listen_fds(3)). Without systemd every function does nothing. */
#ifndef BASE_NOTIFY_H
#define BASE_NOTIFY_H

#include <stdint.h>

/* Sends a state: "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=...". */
void notify_send(const char *state);

/* The interval at which to send WATCHDOG=1, in nanoseconds: half of what
 * systemd asked for; 0: never. */
int64_t notify_watchdog_ns(void);

/* The first socket that systemd passed to this process; -1: none. */
int notify_listen_fd(void);

#endif
