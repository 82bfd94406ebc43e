/* execute.c - `linalgd bench`, `linalgd call` and `linalgd devices --url`:
 * execute linalgd-bench and linalgd-call, which are in the same directory as
 * this program. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/host.h"
#include "base/usage.h"
#include "command/command.h"

static int execute(const char *name, const char *program, char **argv)
{
	char path[HOST_PATH];
	struct err e = { 0 };

	if (host_beside(path, program, &e) == 0) {
		execv(path, argv);
		err_set(&e, ERR_INTERNAL, "%s: %.200s: %s", name, path,
		        strerror(errno));
	}
	return usage_fail(&e);
}

int command_bench(int argc, char **argv)
{
	(void)argc;
	return execute("bench", "linalgd-bench", argv);
}

int command_call(int argc, char **argv)
{
	(void)argc;
	return execute("call", "linalgd-call", argv);
}

int command_devices_of(char **argv)
{
	return execute("devices", "linalgd-call", argv);
}
