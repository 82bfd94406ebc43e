/* cgroup.c - see cgroup.h, and cgroups(7).
 *
 * /proc/self/cgroup tells the path of our group in each hierarchy, and
 * /proc/self/mountinfo which part of a hierarchy is mounted where. A limit
 * stands in a file of the group's directory.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cgroup.h"
#include "base/size.h"

enum { PATH = 4096 };

/* Reads the first line of a file in the group's directory; false when there is
 * no such file, or it cannot be read. */
static bool read_line(const char *directory, const char *file,
                      char line[PATH])
{
	char path[PATH];
	FILE *f;
	bool got;

	if (snprintf(path, sizeof path, "%s/%s", directory, file) >= PATH)
		return false;
	f = fopen(path, "re");
	if (!f)
		return false;
	got = fgets(line, PATH, f) != NULL;
	fclose(f);
	return got;
}

/* --- limits; "max" (version 2) and -1 (version 1) mean that there is none */

static void take_memory(struct cgroup_limits *l, const char *directory,
                        const char *file)
{
	char line[PATH];
	uint64_t bytes;

	if (read_line(directory, file, line) &&
	    sscanf(line, "%" SCNu64, &bytes) == 1 && bytes < l->memory)
		l->memory = bytes;
}

/* Takes a quota of processor time in each period, both in microseconds. */
static void take_cpus(struct cgroup_limits *l, double quota, double period)
{
	if (quota > 0 && period > 0)
		l->cpus = fmin(l->cpus, quota / period);
}

static void memory_limits(struct cgroup_limits *l, const char *directory)
{
	take_memory(l, directory, "memory.limit_in_bytes");
}

static void cpu_limits(struct cgroup_limits *l, const char *directory)
{
	char quota[PATH], period[PATH];

	if (read_line(directory, "cpu.cfs_quota_us", quota) &&
	    read_line(directory, "cpu.cfs_period_us", period))
		take_cpus(l, strtod(quota, NULL), strtod(period, NULL));
}

static void unified_limits(struct cgroup_limits *l, const char *directory)
{
	char line[PATH], *end;
	double quota;

	take_memory(l, directory, "memory.max");
	take_memory(l, directory, "memory.high");
	if (!read_line(directory, "cpu.max", line))
		return;
	quota = strtod(line, &end);
	if (end != line)
		take_cpus(l, quota, strtod(end, NULL));
}

/* The hierarchies whose limits are read. Version 2 has a single hierarchy,
 * which names no controller. */
static const struct hierarchy {
	const char *controller;		/* as /proc/self/cgroup has it */
	const char *filesystem;
	void (*read)(struct cgroup_limits *l, const char *directory);
} hierarchies[] = {
	{ "", "cgroup2", unified_limits },
	{ "memory", "cgroup", memory_limits },
	{ "cpu", "cgroup", cpu_limits },
};

/* Does the comma-separated list contain the word? */
static bool lists(const char *list, const char *word)
{
	const size_t n = strlen(word);

	if (!n)
		return true;
	for (const char *p = list; p; p = strchr(p, ',')) {
		p += *p == ',';
		if (!strncmp(p, word, n) && strchr(",\n", p[n]))
			return true;
	}
	return false;
}

/* --- where a hierarchy is mounted */

struct mount {
	char root[PATH];		/* the group that is mounted */
	char point[PATH];		/* where it is mounted */
};

/* mountinfo writes blanks and backslashes as three octal digits. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; to++) {
		unsigned byte;

		if (*s == '\\' && sscanf(s + 1, "%3o", &byte) == 1) {
			*to = (char)byte;
			s += 4;
		} else {
			*to = *s++;
		}
	}
	*to = 0;
}

/* Parses a line of mountinfo, of which the words in capitals are used:
 * id parent major:minor ROOT POINT options ... - TYPE source OPTIONS */
static bool parse_mount(const char *line, const struct hierarchy *h,
                        struct mount *m)
{
	const char *rest = strstr(line, " - ");
	char type[32], options[PATH];

	if (!rest || sscanf(rest, " - %31s %*s %4095[^\n]", type,
	                    options) != 2 ||
	    strcmp(type, h->filesystem) != 0 || !lists(options, h->controller))
		return false;
	if (sscanf(line, "%*s %*s %*s %4095s %4095s", m->root, m->point) != 2)
		return false;
	unescape(m->root);
	unescape(m->point);
	return true;
}

static bool find_mount(const char *root, const struct hierarchy *h,
                       struct mount *m)
{
	char path[PATH], *line = NULL;
	size_t room = 0;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof path, "%s/proc/self/mountinfo", root);
	f = fopen(path, "re");
	while (f && !found && getline(&line, &room, f) > 0)
		found = parse_mount(line, h, m);
	free(line);
	if (f)
		fclose(f);
	return found;
}

/* Returns the part of the group's path that follows the mounted group's path.
 * It is "" when the group is not below the mounted one, as within a namespace
 * of control groups: the mounted group is then the nearest that can be read. */
static const char *below(const char *group, const struct mount *m)
{
	const size_t n = strcmp(m->root, "/") ? strlen(m->root) : 0;

	if (strncmp(group, m->root, n) || (group[n] && group[n] != '/') ||
	    strstr(group, "/.."))
		return "";
	return group + n;
}

/* Takes the limits of the group and of all groups above it, as far as they are
 * mounted. */
static void read_hierarchy(struct cgroup_limits *l, const char *root,
                           const struct hierarchy *h, const char *group)
{
	char directory[3 * PATH];
	struct mount m;
	size_t top;

	if (!find_mount(root, h, &m))
		return;
	top = (size_t)snprintf(directory, sizeof directory, "%s%s", root,
	                       m.point);
	snprintf(directory + top, sizeof directory - top, "%s",
	         below(group, &m));
	for (;;) {
		char *slash;

		h->read(l, directory);
		slash = strrchr(directory + top, '/');
		if (!slash)
			return;
		*slash = 0;
	}
}

/* Reads a line of /proc/self/cgroup: ID:CONTROLLERS:PATH */
static void read_group(struct cgroup_limits *l, const char *root, char *line)
{
	char *controllers = strchr(line, ':'), *path;

	path = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!path)
		return;
	*controllers++ = 0;
	*path++ = 0;
	path[strcspn(path, "\n")] = 0;
	for (size_t i = 0; i < COUNT(hierarchies); i++) {
		const struct hierarchy *h = &hierarchies[i];

		if (h->controller[0] ? lists(controllers, h->controller) :
		    !controllers[0])
			read_hierarchy(l, root, h, path);
	}
}

struct cgroup_limits cgroup_read(const char *root)
{
	struct cgroup_limits l = { UINT64_MAX, INFINITY };
	char path[PATH], *line = NULL;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
	f = fopen(path, "re");
	while (f && getline(&line, &room, f) > 0)
		read_group(&l, root, line);
	free(line);
	if (f)
		fclose(f);
	return l;
}
