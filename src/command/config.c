/* config.c - `linalgd config`: prints a configuration file with the settings
 * that `linalgd serve` would have with the same options, environment and
 * configuration file. */
#include <stdio.h>

#include "base/usage.h"
#include "command/command.h"
#include "command/settings.h"

int command_config(int argc, char **argv)
{
	static struct settings s;
	enum option_source sources[OPTION_ROWS];
	struct text t = { 0 };
	struct err e = { 0 };
	int status;

	status = usage_read(argv[0], settings_rows, settings_begin(&s), argc,
	                    argv, sources);
	if (status != USAGE_GO_ON)
		return status;
	if (settings_settle(&s, &e))
		return usage_fail(&e);
	settings_warn_unknown();
	options_show(settings_rows, &s, sources, &t);
	if (t.failed)
		return STATUS_FAILED;
	fputs(t.data, stdout);
	if (s.token)
		puts("# one token is in the environment's LINALGD_TOKEN");
	text_fini(&t);
	return STATUS_OK;
}
