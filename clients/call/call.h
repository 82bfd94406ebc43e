/* call.h - one call of an operation, as the command line of linalgd-call
 * describes it, or the list of a service's devices. */
#ifndef CLIENTS_CALL_CALL_H
#define CLIENTS_CALL_CALL_H

#include "clients/call/http.h"

/* Exit statuses in addition to those of base/usage.h. */
enum { STATUS_REFUSED = 1, STATUS_UNREACHED = 3 };

struct call {
	/* The options. */
	const char *url, *unix_path, *token_file, *output;
	int format;			/* FORMAT_BY_NAME: chosen by the
					 * extension of output's name */
	bool timing, quiet;
	/* The arguments that are no options. */
	const char *op;
	char *const *words;		/* each is NAME=VALUE */
	int n_words;
	bool lists_devices;		/* argv[0] is "devices": `linalgd
					 * devices --url`, which has no op */
	/* Derived from the options. */
	const char *accept;		/* the media type to ask for; NULL: JSON
					 * is printed as text */
	char *token;			/* NULL: none */
};

/* Parses the command line. Returns USAGE_GO_ON, or the exit status after it has
 * printed the help, the version or an error. For --help with an operation it
 * sets *help and returns USAGE_GO_ON; call_run() then prints that operation's
 * help. */
int call_read(struct call *c, int argc, char **argv, bool *help);
void call_fini(struct call *c);

/* Makes the call, or prints the operation's help. Returns the exit status. */
int call_run(const struct call *c, bool help);

/* Prints the service's devices and, below them, those of the other hosts of its
 * fleet, or the reply to GET /devices as it is if c->accept is set. Returns the
 * exit status. */
int call_list_devices(const struct call *c);

#endif
