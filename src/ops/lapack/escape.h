/* escape.h - leaves a call of LAPACK that is cancelled while it runs.
 *
 * LAPACK has no way to end a routine early, and some of its routines take
 * minutes. But it is written in Fortran on top of the BLAS, of which it calls
 * many routines, each short. So this program exports functions with the names
 * of those routines (exported.h). The dynamic linker looks for a library's
 * symbols in the program first (ELF's symbol interposition), and LAPACK calls
 * ours, which look for a cancellation, call the library's, and cut those that
 * take long into pieces (blocks_real.h).
 *
 *     guarded.c    DGESDD's pointer in struct lapack: notes where to return to
 *     LAPACK       DGESDD calls DGEMV
 *     exported.c   our DGEMV: is the call cancelled? Then longjmp() to there,
 *                  else the library's DGEMV
 *
 * A routine may be left at such a place because it owns nothing: all memory is
 * the caller's, and LAPACK has no state between two calls. (The workspaces of
 * the BLAS belong to routines of the BLAS, which are never left: they call each
 * other by names of their own.) What it computed is then undefined, and it
 * returns LAPACK_LEFT. Where a LAPACK library does not call the BLAS by its
 * public names, nothing is left early, and the front ends the worker after its
 * grace time, as it does with any that does not answer (queue/end.h). */
#ifndef OPS_LAPACK_ESCAPE_H
#define OPS_LAPACK_ESCAPE_H

#include <setjmp.h>
#include <stdbool.h>

struct seq;

/* The return value of a routine that was left. Each of LAPACK's routines
 * returns 1 when it fails, too, so that callers need not tell them apart. */
enum { LAPACK_LEFT = 1 };

struct escape {
	jmp_buf at;
	struct escape *outer;
};

/* Where the call of this thread is left; NULL outside of LAPACK. */
extern _Thread_local struct escape *escape_here;

/* From now on calls are left when s is cancelled; NULL: none are. */
void escape_watch(const struct seq *s);
bool escape_wanted(void);

/* Opens a region that escape_poll() leaves: the caller continues after
 * setjmp(e->at). escape_end() closes it in both cases. */
void escape_begin(struct escape *e);
void escape_end(const struct escape *e);

/* Leaves the innermost region of this thread if its call was cancelled. */
void escape_poll(void);

#endif
