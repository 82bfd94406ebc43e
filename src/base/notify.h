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

/* notify_listen_fds() returns the number of sockets that systemd passed to this
 * process. Their descriptors are NOTIFY_LISTEN_FIRST and those that follow. */
enum { NOTIFY_LISTEN_FIRST = 3 };
int notify_listen_fds(void);

#endif
