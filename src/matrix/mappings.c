/* mappings.c - see mappings.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "matrix/mappings.h"
#include "matrix/pages.h"

static void let_go(struct mapping *m)
{
	memory_unref(m->memory);
	*m = (struct mapping){ 0 };
}

bool mappings_trim(struct mappings *k, int64_t before_ns)
{
	bool left = false;

	for (int i = 0; i < MAPPINGS; i++) {
		if (k->kept[i].memory && k->kept[i].used_ns < before_ns)
			let_go(&k->kept[i]);
		left |= k->kept[i].memory != NULL;
	}
	return left;
}

/* Can the mapping be used again? Not if the memfd has changed its size, nor for
 * an output that was received as an operand before: that mapping was made from
 * a read-only descriptor. */
static bool suits(struct memory *m, const struct stat *st, bool writable)
{
	return m->room == (size_t)st->st_size &&
	       (!writable || received_protect(m, true) == 0);
}

static struct memory *find(struct mappings *k, const struct stat *st,
                           bool writable)
{
	for (int i = 0; i < MAPPINGS; i++) {
		struct mapping *m = &k->kept[i];

		if (!m->memory || m->inode != st->st_ino
		    || m->device != st->st_dev)
			continue;
		if (suits(m->memory, st, writable)) {
			m->used_ns = clock_ns();
			return memory_ref(m->memory);
		}
		let_go(m);
	}
	return NULL;
}

static struct mapping *oldest(struct mappings *k, bool full)
{
	struct mapping *o = NULL;

	for (int i = 0; i < MAPPINGS; i++) {
		struct mapping *m = &k->kept[i];

		if ((!full || m->memory) && (!o || m->used_ns < o->used_ns))
			o = m;
	}
	return o;
}

/* Returns a free place, after unmapping the least recently used mappings as far
 * as necessary; unmapping is slow. */
static struct mapping *make_room(struct mappings *k, size_t bytes)
{
	struct mapping *o;

	for (int i = 0; i < MAPPINGS; i++)
		bytes += k->kept[i].memory ? k->kept[i].memory->bytes : 0;
	while (bytes > k->most && (o = oldest(k, true))) {
		bytes -= o->memory->bytes;
		let_go(o);
	}
	o = oldest(k, false);
	let_go(o);
	return o;
}

/* Maps a descriptor's `all` bytes, of which the first `used` will be used. */
static struct memory *map(const struct mappings *k, int fd, size_t all,
                          size_t used, bool writable, struct err *e)
{
	struct memory *m = received_map(fd, all, writable, e);

	/* Faults of kernels, one page at a time, would take far longer. */
	if (m && !(k && k->bare))
		pages_bring(m->data, used, writable);
	return m;
}

struct memory *mappings_get(struct mappings *k, int fd, size_t bytes,
                            bool writable, struct err *e)
{
	struct memory *m;
	struct stat st;

	if (!k || fstat(fd, &st) < 0 || (size_t)st.st_size < bytes
	    || (size_t)st.st_size > k->most)
		return map(k, fd, bytes, bytes, writable, e);
	m = find(k, &st, writable);
	if (m) {
		close(fd);
		return m;
	}
	m = map(k, fd, (size_t)st.st_size, bytes, writable, e);
	if (m)
		*make_room(k, m->bytes) = (struct mapping){
			st.st_dev, st.st_ino, clock_ns(), memory_ref(m),
		};
	return m;
}

struct memory *mappings_part(const struct mappings *k, int fd, size_t all,
                             size_t offset, size_t bytes, bool writable,
                             struct err *e)
{
	const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	struct memory *whole, *part;

	if (own < 0) {
		err_set(e, ERR_MEMORY, "a descriptor: %s", strerror(errno));
		return NULL;
	}
	whole = received_map(own, all, writable, e);
	part = whole ? memory_part(whole, offset, bytes, e) : NULL;
	if (part && !(k && k->bare))
		pages_bring(part->data, part->bytes, writable);
	memory_unref(whole);
	return part;
}

void mappings_protect(struct mappings *k)
{
	for (int i = 0; i < MAPPINGS; i++)
		if (k->kept[i].memory && k->kept[i].memory->writable &&
		    received_protect(k->kept[i].memory, false) < 0)
			let_go(&k->kept[i]);
}
