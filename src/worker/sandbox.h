/* sandbox.h - confines a worker's process, because a kernel that writes where
 * it should not may have the process do anything.
 *
 *     system calls   seccomp: no sockets to others, no signals to others, no
 *                    tracing, mounts, namespaces, keys, modules, modes of files
 *     files          Landlock: only the cache is writable; only the system's
 *                    libraries, /proc, /sys and the cache are readable; signals
 *                    and abstract sockets end at the sandbox
 *     process        no new privileges, no capabilities, no core files, memory
 *                    that other processes of the same user cannot read
 *
 * What the process starts later, such as its compilers, inherits all of it but
 * the last one. Programs of the system's directories may be started, since
 * PoCL's compiler runs a linker.
 */
#ifndef WORKER_SANDBOX_H
#define WORKER_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

/* The protections, as bits. */
enum {
	SANDBOX_PROCESS = 1 << 0,
	SANDBOX_FILES = 1 << 1,
	SANDBOX_CALLS = 1 << 2,
	SANDBOX_ALL = SANDBOX_PROCESS | SANDBOX_FILES | SANDBOX_CALLS,
};

/* Confines the calling process, which must have one thread, for good. cache:
 * the directory that stays writable; NULL: none. Returns the protections that
 * are in force; the kernel may lack others, or a container refuse them. */
unsigned sandbox_enter(const char *cache);

/* Makes this process's memory unreadable for other processes of the same user,
 * as far as sandbox_enter() cannot keep workers from it: where the kernel lacks
 * Landlock. For the front. */
void sandbox_protect_front(void);

/* Writes the names of the protections that are missing in `in_force`, as in
 * "files (Landlock)"; returns text. */
const char *sandbox_missing(unsigned in_force, char *text, size_t room);

/* sandbox_calls.c and sandbox_files.c: the parts of sandbox_enter(); -1 with
 * errno if the kernel refuses. sandbox_files_version() returns the version of
 * Landlock's interface, or 0. */
int sandbox_calls(void);
int sandbox_files(const char *cache);
int sandbox_files_version(void);

#endif
