/* usage.h - how every subcommand treats its command line and reports its
 * errors: the same words, prefix and exit status.
 *
 * -h or --help prints the options, -V or --version the version. An error is
 * one line on standard error that begins with "linalgd: "; the exit status is
 * STATUS_USAGE when the command line or the environment is to blame.
 */
#ifndef BASE_USAGE_H
#define BASE_USAGE_H

#include "base/options.h"

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

enum { USAGE_GO_ON = -1 };

/* Fills in the struct at `into` and `sources`, as options_parse() does. command
 * is the name of a subcommand, such as "check". Returns USAGE_GO_ON, or the
 * exit status if help or the version was printed or an option is wrong. */
int usage_read(const char *command, const struct option_row *rows,
               void *into, int argc, char *const *argv,
               enum option_source *sources);

/* Prints the version or the table of options if that is the question, and
 * returns STATUS_OK; otherwise USAGE_GO_ON. */
int usage_answer(enum options_question question, const struct option_row *rows);

/* Prints the error that ends the command, and returns the exit status:
 * STATUS_USAGE for ERR_PARAMETER, else STATUS_FAILED. */
int usage_fail(const struct err *e);

/* Writes what standard output still buffers. Returns the status, but in place
 * of STATUS_OK, with a line on standard error, STATUS_FAILED if some of the
 * output could not be written. */
int usage_end(int status);

/* Prints a line on standard error that begins with "linalgd: ". */
void usage_complain(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

#endif
