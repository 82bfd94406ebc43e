/* main.c - linalgd-call, which `linalgd call` executes: calls one operation of
 * a running service from a shell.
 *
 *     GET /ops       the operands and parameters that the operation has; the
 *                    command line is checked against them
 *     POST /OP       operands and parameters, as a form. On a terminal the
 *                    request is asynchronous: the events of its job are shown,
 *                    and then its result is fetched
 *     GET /jobs/ID   with --timing, the times of the job
 *
 * `linalgd devices --url URL` executes it, too, as a program named devices with
 * the options --url, --token-file and --format json, to have the reply to GET
 * /devices printed.
 *
 * SIGINT and SIGTERM end the request, dismiss its job, and end the process.
 */
#include "base/usage.h"
#include "clients/call/call.h"

int main(int argc, char **argv)
{
	struct call c;
	bool help = false;
	int status = call_read(&c, argc, argv, &help);

	if (status == USAGE_GO_ON)
		status = c.lists_devices ? call_list_devices(&c) :
		         call_run(&c, help);
	call_fini(&c);
	return usage_end(status);
}
