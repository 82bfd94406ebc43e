/* process.h - what this process takes of the machine. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

/* Each returns NAN where the system does not say. */
double process_start_seconds(void);	/* since 1970; always the same */
double process_cpu_seconds(void);	/* of all threads, user and system */
double process_resident_bytes(void);
double process_virtual_bytes(void);
double process_open_fds(void);
double process_max_fds(void);
double process_threads(void);

#endif
