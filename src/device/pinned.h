/* pinned.h - outputs whose memory on the host the driver has pinned, so that
 * the device writes them there without a copy by the host.
 *
 * On an H200 4 MB arrive in 0.085 ms then, instead of 0.47 ms (the driver's
 * copy to other memory) or about 0.2 ms (staging.h). Pinning takes 0.45 ms
 * itself, and so pays only for memory that is used again: an output's memory is
 * pinned when a second output is downloaded to it, and stays pinned until it is
 * unmapped. A worker keeps few mappings (mappings.h), which bounds the bytes
 * that are pinned. As long as they are, the device's kernels could reach them,
 * as they could reach every buffer on the device. */
#ifndef DEVICE_PINNED_H
#define DEVICE_PINNED_H

#include <stdbool.h>

struct buffer;
struct memory;
struct seq;

/* Returns whether the output's memory on the host is pinned, after pinning it
 * if it is due. The memory must be a piece with a memfd of its own, which the
 * output fills. If the driver cannot pin it, it never is; that is no error. */
bool pinned_output(struct seq *s, const struct buffer *b);

/* Returns whether that memory is pinned already. */
bool pinned_already(const struct seq *s, const struct buffer *b);

/* Pins memory that is to be copied to and from the device many times, if the
 * driver can. */
void pinned_now(struct seq *s, struct memory *m);

#endif
