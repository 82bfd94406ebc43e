/* notes.c - the notes of launched kernels, which lie in PoCL's cache, apart
 * from those of other tests. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/ops/op.h"

static char notes[] = "/tmp/linalgd-notes-XXXXXX", own_notes[4096];

/* This has no effect on PoCL, which read the variable at its start. */
void forget_notes(void)
{
	snprintf(own_notes, sizeof own_notes, "%s",
	         getenv("POCL_CACHE_DIR") ? getenv("POCL_CACHE_DIR") : "");
	snprintf(notes + sizeof notes - 7, 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(notes));
	setenv("POCL_CACHE_DIR", notes, 1);
}

void restore_notes(void)
{
	char path[64];

	snprintf(path, sizeof path, "%s/linalgd-launched", notes);
	unlink(path);
	rmdir(notes);
	if (own_notes[0])
		setenv("POCL_CACHE_DIR", own_notes, 1);
	else
		unsetenv("POCL_CACHE_DIR");
}
