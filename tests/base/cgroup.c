/* cgroup.c - the limits of control groups are found in a made-up root
 * directory, laid out as each kind of system has it. */
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/cgroup.h"
#include "base/host.h"
#include "tests/test.h"

#define GIB (UINT64_C(1) << 30)

static char root[] = "/tmp/linalgd-cgroup-XXXXXX";

static void setup(void)
{
	strcpy(root + sizeof root - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
}

static void teardown(void)
{
	char command[64];

	snprintf(command, sizeof command, "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

/* Writes a file below the root, and makes the directories above it. */
static void put(const char *path, const char *text)
{
	char whole[512];
	struct err e = { 0 };
	FILE *f;

	snprintf(whole, sizeof whole, "%s%s", root, path);
	*strrchr(whole, '/') = 0;
	ck_ok(host_make_directory(whole, &e), &e);
	snprintf(whole, sizeof whole, "%s%s", root, path);
	f = fopen(whole, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static void expect(uint64_t memory, double cpus)
{
	const struct cgroup_limits l = cgroup_read(root);

	ck_assert_uint_eq(l.memory, memory);
	if (isinf(cpus))
		ck_assert(isinf(l.cpus));
	else
		ck_assert_double_eq_tol(l.cpus, cpus, 1e-12);
}

static void mount_unified(const char *group)
{
	put("/proc/self/mountinfo",
	    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
	    "29 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 "
	    "rw,nsdelegate\n");
	put("/proc/self/cgroup", group);
}

START_TEST(without_control_groups_there_is_no_limit)
{
	expect(UINT64_MAX, INFINITY);
	mount_unified("0::/user.slice\n");
	expect(UINT64_MAX, INFINITY);
}
END_TEST

START_TEST(a_services_own_limits_are_seen_from_the_host)
{
	mount_unified("0::/system.slice/linalgd.service\n");
	put("/sys/fs/cgroup/system.slice/linalgd.service/memory.max",
	    "2147483648\n");
	put("/sys/fs/cgroup/system.slice/linalgd.service/memory.high",
	    "max\n");
	put("/sys/fs/cgroup/system.slice/linalgd.service/cpu.max",
	    "150000 100000\n");
	expect(2 * GIB, 1.5);
}
END_TEST

START_TEST(the_least_of_all_groups_above_counts)
{
	mount_unified("0::/a.slice/b.slice/c.service\n");
	put("/sys/fs/cgroup/a.slice/memory.max", "4294967296\n");
	put("/sys/fs/cgroup/a.slice/b.slice/memory.high", "1073741824\n");
	put("/sys/fs/cgroup/a.slice/b.slice/memory.max", "max\n");
	put("/sys/fs/cgroup/a.slice/b.slice/c.service/memory.max",
	    "8589934592\n");
	put("/sys/fs/cgroup/a.slice/cpu.max", "50000 200000\n");
	put("/sys/fs/cgroup/a.slice/b.slice/c.service/cpu.max",
	    "max 100000\n");
	expect(GIB, 0.25);
}
END_TEST

START_TEST(within_a_namespace_the_mounted_group_is_ours)
{
	mount_unified("0::/\n");
	put("/sys/fs/cgroup/memory.max", "1073741824\n");
	put("/sys/fs/cgroup/cpu.max", "300000 100000\n");
	expect(GIB, 3);
}
END_TEST

START_TEST(a_path_that_is_not_mounted_falls_back_on_what_is)
{
	mount_unified("0::/../other\n");
	put("/sys/fs/cgroup/memory.max", "1073741824\n");
	expect(GIB, INFINITY);
}
END_TEST

START_TEST(version_1_has_a_hierarchy_for_each_controller)
{
	put("/proc/self/mountinfo",
	    "30 22 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup "
	    "rw,cpu,cpuacct\n"
	    "31 22 0:28 / /sys/fs/cgroup/mem\\040ory rw - cgroup cgroup "
	    "rw,memory\n"
	    "32 22 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup "
	    "rw,cpuset\n");
	put("/proc/self/cgroup", "12:cpuset:/x\n11:cpu,cpuacct:/lim\n"
	    "10:memory:/lim/it\n0::/\n");
	put("/sys/fs/cgroup/cpu,cpuacct/lim/cpu.cfs_quota_us", "200000\n");
	put("/sys/fs/cgroup/cpu,cpuacct/lim/cpu.cfs_period_us", "100000\n");
	put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
	put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
	put("/sys/fs/cgroup/mem ory/memory.limit_in_bytes",
	    "9223372036854771712\n");
	put("/sys/fs/cgroup/mem ory/lim/memory.limit_in_bytes",
	    "1073741824\n");
	put("/sys/fs/cgroup/mem ory/lim/it/memory.limit_in_bytes",
	    "3221225472\n");
	expect(GIB, 2);
}
END_TEST

START_TEST(a_container_sees_its_part_of_a_version_1_hierarchy)
{
	put("/proc/self/mountinfo",
	    "31 22 0:28 /docker/0123 /sys/fs/cgroup/memory ro - cgroup cgroup "
	    "rw,memory\n");
	put("/proc/self/cgroup", "10:memory:/docker/0123\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
	put("/sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes",
	    "1048576\n");
	expect(GIB, INFINITY);
}
END_TEST

START_TEST(what_is_no_number_sets_no_limit)
{
	mount_unified("0::/a\nnonsense\n7:\n::\n");
	put("/sys/fs/cgroup/a/memory.max", "a lot\n");
	put("/sys/fs/cgroup/a/cpu.max", "-5 100000\n");
	put("/sys/fs/cgroup/cpu.max", "100000\n");
	put("/sys/fs/cgroup/memory.max", "");
	expect(UINT64_MAX, INFINITY);
}
END_TEST

START_TEST(this_host_has_memory_and_processors)
{
	ck_assert_uint_gt(host_memory(), 0);
	ck_assert_double_gt(host_cpus(), 0);
	ck_assert_int_ge(host_threads(), 1);
}
END_TEST

TCase *tcase_cgroup(void)
{
	TCase *t = tcase_create("cgroup");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, without_control_groups_there_is_no_limit);
	tcase_add_test(t, a_services_own_limits_are_seen_from_the_host);
	tcase_add_test(t, the_least_of_all_groups_above_counts);
	tcase_add_test(t, within_a_namespace_the_mounted_group_is_ours);
	tcase_add_test(t, a_path_that_is_not_mounted_falls_back_on_what_is);
	tcase_add_test(t, version_1_has_a_hierarchy_for_each_controller);
	tcase_add_test(t, a_container_sees_its_part_of_a_version_1_hierarchy);
	tcase_add_test(t, what_is_no_number_sets_no_limit);
	tcase_add_test(t, this_host_has_memory_and_processors);
	return t;
}
