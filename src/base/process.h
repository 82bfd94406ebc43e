/* process.h - the resources that this process uses. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

/* Each function returns NAN if the system does not tell the value. */
double process_start_seconds(void);	/* since 1970; constant */
double process_cpu_seconds(void);	/* of all threads, user and system */
double process_resident_bytes(void);
double process_virtual_bytes(void);
double process_open_fds(void);
double process_max_fds(void);
double process_threads(void);

#endif
