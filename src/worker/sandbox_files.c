/* sandbox_files.c - the files that a worker may open, by Landlock:
 * landlock(7), and Documentation/userspace-api/landlock.rst of the kernel. */
#include <fcntl.h>
#include <glob.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/size.h"
#include "worker/sandbox.h"

/* Rights of later versions than that of Debian 12's headers. */
#define RIGHT_REFER (UINT64_C(1) << 13)		/* version 2 */
#define RIGHT_TRUNCATE (UINT64_C(1) << 14)	/* version 3 */
#define RIGHT_IOCTL (UINT64_C(1) << 15)		/* version 5 */

#define READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define RUN (READ | LANDLOCK_ACCESS_FS_EXECUTE)
#define DRIVE (READ | LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_IOCTL)
#define CHANGE (READ | LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE | \
                RIGHT_REFER | LANDLOCK_ACCESS_FS_MAKE_REG | \
                LANDLOCK_ACCESS_FS_MAKE_DIR | \
                LANDLOCK_ACCESS_FS_REMOVE_FILE | \
                LANDLOCK_ACCESS_FS_REMOVE_DIR)

/* Rights of files that are no directories. */
#define OF_FILES (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE | \
                  LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE | RIGHT_IOCTL)

/* The kernel's struct landlock_ruleset_attr, version 6. */
struct attributes {
	uint64_t files, net, scoped;
};

/* Abstract sockets, and signals. */
enum { SCOPED = 1 << 0 | 1 << 1 };

/* Which versions handle which rights, and have which length of attributes. */
static const struct version {
	int since;
	uint64_t files, scoped;
	size_t length;
} versions[] = {
	{ 1, RIGHT_REFER - 1, 0, offsetof(struct attributes, net) },
	{ 2, RIGHT_TRUNCATE - 1, 0, offsetof(struct attributes, net) },
	{ 3, RIGHT_IOCTL - 1, 0, offsetof(struct attributes, net) },
	{ 5, 2 * RIGHT_IOCTL - 1, 0, offsetof(struct attributes, net) },
	{ 6, 2 * RIGHT_IOCTL - 1, SCOPED, sizeof(struct attributes) },
};

/* Patterns of glob(3). Of /etc only what libraries read: its other files may
 * hold the secrets of programs, this service's tokens among them. */
static const struct place {
	const char *pattern;
	uint64_t rights;
} places[] = {
	{ "/usr", RUN }, { "/lib*", RUN }, { "/bin", RUN }, { "/sbin", RUN },
	{ "/opt", RUN }, { "/nix/store", RUN }, { "/gnu/store", RUN },
	{ "/run/opengl-driver*", RUN }, { "/proc/self/exe", RUN },
	{ "/proc", READ }, { "/sys", READ },
	{ "/etc/OpenCL", READ }, { "/etc/alternatives", READ },
	{ "/etc/ld.so.*", READ }, { "/etc/localtime", READ },
	{ "/etc/nvidia*", READ }, { "/etc/debian_version", READ },
	{ "/dev/null", DRIVE }, { "/dev/zero", DRIVE }, { "/dev/full", DRIVE },
	{ "/dev/random", READ }, { "/dev/urandom", READ },
	{ "/dev/nvidia*", DRIVE }, { "/dev/dri", DRIVE },
	{ "/dev/kfd", DRIVE }, { "/dev/dxg", DRIVE }, { "/dev/accel", DRIVE },
};

/* Variables with lists of paths that the operator has set. */
static const struct place variables[] = {
	{ "LD_LIBRARY_PATH", RUN }, { "OCL_ICD_VENDORS", READ },
	{ "OPENCL_VENDOR_PATH", READ }, { "POCL_CACHE_DIR", CHANGE },
	{ "CUDA_CACHE_PATH", CHANGE },
};

int sandbox_files_version(void)
{
	const long v = syscall(SYS_landlock_create_ruleset, NULL, 0,
	                       LANDLOCK_CREATE_RULESET_VERSION);

	return v > 0 ? (int)v : 0;
}

/* Grants rights to what lies at a path, if there is something; -1 with errno if
 * the kernel refuses. */
static int grant(int rules, uint64_t handled, const char *path, uint64_t rights)
{
	const int fd = open(path, O_PATH | O_CLOEXEC);
	struct landlock_path_beneath_attr a = {
		.allowed_access = rights & handled, .parent_fd = fd,
	};
	struct stat st;
	long rc = 0;

	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		a.allowed_access &= OF_FILES;
	if (a.allowed_access)
		rc = syscall(SYS_landlock_add_rule, rules,
		             LANDLOCK_RULE_PATH_BENEATH, &a, 0);
	close(fd);
	return rc ? -1 : 0;
}

static int grant_all(int rules, uint64_t handled, const struct place *p)
{
	glob_t found;
	int rc = 0;

	if (glob(p->pattern, GLOB_NOSORT, NULL, &found))
		return 0;
	for (size_t i = 0; i < found.gl_pathc && !rc; i++)
		rc = grant(rules, handled, found.gl_pathv[i], p->rights);
	globfree(&found);
	return rc;
}

static int grant_listed(int rules, uint64_t handled, const struct place *p)
{
	const char *const value = getenv(p->pattern);
	char *list, *rest = NULL;
	int rc = 0;

	list = value ? strdup(value) : NULL;
	for (char *one = list ? strtok_r(list, ":", &rest) : NULL; one && !rc;
	     one = strtok_r(NULL, ":", &rest))
		rc = grant(rules, handled, one, p->rights);
	free(list);
	return rc;
}

static int grant_places(int rules, uint64_t handled, const char *cache)
{
	for (size_t i = 0; i < COUNT(places); i++)
		if (grant_all(rules, handled, &places[i]))
			return -1;
	for (size_t i = 0; i < COUNT(variables); i++)
		if (grant_listed(rules, handled, &variables[i]))
			return -1;
	return cache ? grant(rules, handled, cache, CHANGE) : 0;
}

int sandbox_files(const char *cache)
{
	const int version = sandbox_files_version();
	struct attributes a = { 0 };
	size_t length = 0;
	int rules, rc;

	for (size_t i = 0; i < COUNT(versions); i++)
		if (versions[i].since <= version) {
			a.files = versions[i].files;
			a.scoped = versions[i].scoped;
			length = versions[i].length;
		}
	if (length == 0)
		return -1;
	rules = (int)syscall(SYS_landlock_create_ruleset, &a, length, 0);
	if (rules < 0)
		return -1;
	rc = grant_places(rules, a.files, cache);
	if (!rc)
		rc = (int)syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
	return rc;
}
