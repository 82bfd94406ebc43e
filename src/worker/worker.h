/* worker.h - the process on the far side of the socket: it owns a device.
 *
 *     linalgd worker --list
 *         writes an int, the number of devices, and as many struct sheet
 *     linalgd worker --measure --device I [--cache DIR]
 *         measures the device's peaks, keeps them in DIR and writes the same
 *         for this device alone
 *     linalgd worker --compile WHAT --device I --cache DIR
 *         compiles what will be launched (compilers.h)
 *     linalgd worker --device I --socket FD --slab FD --control FD --cache DIR
 *                    --workers N [--sandbox off] [--cluster COMMAND]
 *         serves calls (wire/call.h) until the socket is closed; one of N that
 *         share the processors; confined (sandbox.h) unless that is off. With
 *         a command that is not empty, other processes serve them (cluster.h)
 *
 * The exit status is 0 when the front is gone, 1 when it could not begin (with
 * one line on standard error) and 3 when the device failed for good during a
 * call that was answered: then another process may do better.
 */
#ifndef WORKER_WORKER_H
#define WORKER_WORKER_H

enum { WORKER_END = 0, WORKER_NO_START = 1, WORKER_LOST_DEVICE = 3 };

int worker_main(int argc, char **argv);

#endif
