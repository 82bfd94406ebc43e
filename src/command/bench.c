/* bench.c - `linalgd bench`: executes linalgd-bench, from the directory of this
 * program. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/host.h"
#include "base/usage.h"
#include "command/command.h"

int command_bench(int argc, char **argv)
{
	char path[HOST_PATH];
	struct err e = { 0 };

	(void)argc;
	if (host_beside(path, "linalgd-bench", &e) == 0) {
		execv(path, argv);
		err_set(&e, ERR_INTERNAL, "bench: %.200s: %s", path,
		        strerror(errno));
	}
	return usage_fail(&e);
}
