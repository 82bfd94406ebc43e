/* sandbox.c - see sandbox.h: the order of the parts, and the process's own
 * properties. */
#include <linux/capability.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/size.h"
#include "worker/sandbox.h"

/* The largest file that the process may write; compiled kernels have some
 * megabytes. */
static const rlim_t file_most = (rlim_t)4 << 30;

static int set_limits(void)
{
	const struct rlimit core = { 0, 0 };
	struct rlimit file;

	if (getrlimit(RLIMIT_FSIZE, &file))
		return -1;
	if (file.rlim_cur > file_most)
		file.rlim_cur = file_most;
	file.rlim_max = file.rlim_cur;
	return setrlimit(RLIMIT_CORE, &core) ||
	       setrlimit(RLIMIT_FSIZE, &file) ? -1 : 0;
}

/* Root needs this capability if its cache belongs to somebody else. */
static uint32_t needed_capabilities(const char *cache)
{
	struct stat st;

	return cache && stat(cache, &st) == 0 && st.st_uid != geteuid() ?
	       UINT32_C(1) << CAP_DAC_OVERRIDE : 0;
}

static int drop_capabilities(const char *cache)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	const uint32_t needed = needed_capabilities(cache);

	for (int i = 0; i <= CAP_LAST_CAP; i++)
		if (i >= 32 || !(needed >> i & 1))
			prctl(PR_CAPBSET_DROP, i);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capget, &head, data) < 0)
		return -1;
	for (size_t i = 0; i < COUNT(data); i++) {
		const uint32_t kept = i == 0 ? needed : 0;

		data[i].effective &= kept;
		data[i].permitted &= kept;
		data[i].inheritable = 0;
	}
	return (int)syscall(SYS_capset, &head, data);
}

unsigned sandbox_enter(const char *cache)
{
	unsigned in_force = 0;

	/* Without this one the kernel grants neither of the filters. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return 0;
	if (!drop_capabilities(cache) && !set_limits() &&
	    !prctl(PR_SET_DUMPABLE, 0))
		in_force |= SANDBOX_PROCESS;
	if (!sandbox_files(cache))
		in_force |= SANDBOX_FILES;
	if (!sandbox_calls())
		in_force |= SANDBOX_CALLS;
	return in_force;
}

void sandbox_protect_front(void)
{
	if (!sandbox_files_version())
		prctl(PR_SET_DUMPABLE, 0);
}

const char *sandbox_missing(unsigned in_force, char *text, size_t room)
{
	static const struct {
		unsigned bit;
		const char *name;
	} part[] = {
		{ SANDBOX_PROCESS, "the process's capabilities and limits" },
		{ SANDBOX_FILES, "files (Landlock)" },
		{ SANDBOX_CALLS, "system calls (seccomp)" },
	};
	size_t n = 0;

	text[0] = 0;
	for (size_t i = 0; i < COUNT(part) && n < room; i++)
		if (!(in_force & part[i].bit))
			n += (size_t)snprintf(text + n, room - n, "%s%s",
			                      n ? ", " : "", part[i].name);
	return text;
}
