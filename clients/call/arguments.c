/* arguments.c - the command line of `linalgd call`: see call.h. */
#include <stddef.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/usage.h"
#include "clients/call/call.h"
#include "clients/call/operand.h"

#define AT(member) offsetof(struct call, member)
#define DEFAULT_URL "http://127.0.0.1:8080"

enum { FORMAT_BY_NAME, FORMAT_TEXT };

static const char *const formats[] = {
	[FORMAT_BY_NAME] = "auto", [FORMAT_TEXT] = "text", "npy", "npz",
	"mtx", "json", "bin", NULL
};

static const struct option_row rows[] = {
	{ "output", NULL, OPTION_TEXT, AT(output), NULL, 0, 0, NULL, "FILE",
	  "file for the result, whose extension says the format: .npy (the "
	  "first output), .npz (every output), .mtx, .json or .bin; - is "
	  "standard output; without it the result is printed as text" },
	{ "format", NULL, OPTION_CHOICE, AT(format), "auto", 0, 0, formats,
	  "text|npy|npz|mtx|json|bin", "format of the result, whatever the "
	  "file's name; by default text, and npy for -o -" },
	{ "url", "LINALGD_URL", OPTION_TEXT, AT(url), DEFAULT_URL, 0, 0, NULL,
	  "URL", "address of the service: http://HOST:PORT, https:// or "
	  "unix:/PATH" },
	{ "unix", NULL, OPTION_TEXT, AT(unix_path), NULL, 0, 0, NULL, "PATH",
	  "Unix socket on which the service listens; replaces --url" },
	{ "token-file", NULL, OPTION_TEXT, AT(token_file), NULL, 0, 0, NULL,
	  "FILE", "file whose first word is the service's token; by default "
	  "the environment variable LINALGD_TOKEN holds it" },
	{ "timing", NULL, OPTION_FLAG, AT(timing), NULL, 0, 0, NULL, NULL,
	  "print the times of the stages and the kernels on standard error" },
	{ "quiet", NULL, OPTION_FLAG, AT(quiet), NULL, 0, 0, NULL, NULL,
	  "show no progress on a terminal" },
	{ 0 }
};

static const char usage[] =
	"usage: linalgd call OPERATION NAME=VALUE... [-o FILE] [--OPTION "
	"VALUE]...\n\n"
	"Sends operands and parameters to a running service, and prints or "
	"keeps the result.\nAn operand is\n"
	"  NAME=@FILE                 a .npy, .npz, .mtx or .json file; @- is "
	"standard input\n"
	"  NAME=ref:STORED            a matrix that the service stores\n"
	"  NAME=generate:KIND:4x3     one that it makes; :seed=1 may follow\n"
	"  NAME='[[1,2],[3,4]]'       JSON\n"
	"Parameters are NAME=VALUE. linalgd call OPERATION --help lists an "
	"operation's.\n"
	"Exit status: 0; 1 if the service refused; 2 for a wrong command "
	"line; 3 without a\nconnection.\n\n";

/* --- separating options from words */

struct split {
	char **options, **words;	/* options[0] is argv[0] */
	int n_options, n_words;
};

static bool is_option(const char *s)
{
	return s[0] == '-' && s[1];
}

static void split(struct split *s, int argc, char **argv)
{
	s->options[s->n_options++] = argv[0];
	for (int i = 1; i < argc; i++) {
		const bool next = options_takes_next(rows, argv[i]) &&
		                  i + 1 < argc;

		if (!is_option(argv[i])) {
			s->words[s->n_words++] = argv[i];
			continue;
		}
		s->options[s->n_options++] = argv[i];
		if (next)
			s->options[s->n_options++] = argv[++i];
	}
}

/* --- checking the options */

static int settle_format(struct call *c, struct err *e)
{
	static const char stdout_type[] = "application/x-npy";
	char name[8];

	if (c->format == FORMAT_TEXT)
		return 0;
	if (c->format != FORMAT_BY_NAME) {
		snprintf(name, sizeof name, "x.%s", formats[c->format]);
		c->accept = operand_media(name);
		return 0;
	}
	if (!c->output)
		return 0;
	c->accept = strcmp(c->output, "-") ? operand_media(c->output) :
	            stdout_type;
	if (c->accept)
		return 0;
	return err_set(e, ERR_PARAMETER, "-o %.150s: the extension must be "
	               ".npy, .npz, .mtx, .json or .bin, or --format says the "
	               "format", c->output);
}

static int read_token(struct call *c, struct err *e)
{
	FILE *f = fopen(c->token_file, "re");
	char line[1024] = "";

	if (!f)
		return err_set(e, ERR_PARAMETER, "--token-file %.150s: %s",
		               c->token_file, strerror(errno));
	while (!line[strspn(line, " \t\r\n")] && fgets(line, sizeof line, f))
		;
	fclose(f);
	line[strcspn(line, " \t\r\n")] = 0;
	if (!*line)
		return err_set(e, ERR_PARAMETER, "--token-file %.150s: has no "
		               "token in its first line", c->token_file);
	c->token = strdup(line);
	return c->token ? 0 : err_set(e, ERR_MEMORY, "no memory");
}

static int settle_token(struct call *c, struct err *e)
{
	const char *token = getenv("LINALGD_TOKEN");

	if (c->token_file)
		return read_token(c, e);
	c->token = token && *token ? strdup(token) : NULL;
	return 0;
}

static int settle_url(struct call *c, struct err *e)
{
	static char place[512];
	static const char *const schemes[] = { "http://", "https://",
	                                       "unix:/" };

	if (c->unix_path) {
		snprintf(place, sizeof place, "unix:%s", c->unix_path);
		c->url = place;
		return 0;
	}
	for (size_t i = 0; i < COUNT(schemes); i++)
		if (strncmp(c->url, schemes[i], strlen(schemes[i])) == 0)
			return 0;
	return err_set(e, ERR_PARAMETER, "--url %.150s: must begin with "
	               "http://, https:// or unix:/", c->url);
}

static int settle(struct call *c, struct err *e)
{
	if (!c->op && !c->lists_devices)
		return err_set(e, ERR_PARAMETER, "call: which operation? "
		               "linalgd ops lists them");
	return settle_url(c, e) || settle_format(c, e) ||
	       settle_token(c, e) ? -1 : 0;
}

static int print_help(void)
{
	struct text t = { 0 };

	options_help(rows, &t);
	printf("%s%s", usage, t.data && !t.failed ? t.data : "");
	text_fini(&t);
	return STATUS_OK;
}

/* Replaces --help, which options_parse() refuses, by --quiet, which has no
 * effect on the help. */
static void forget_help(const struct split *s)
{
	static char quiet[] = "--quiet";

	for (int i = 1; i < s->n_options; i++)
		if (!strcmp(s->options[i], "-h") ||
		    !strcmp(s->options[i], "--help"))
			s->options[i] = quiet;
}

static int read_split(struct call *c, const struct split *s, bool *help)
{
	struct err e = { 0 };
	enum options_question question = options_ask(rows, s->n_options,
	                                             s->options);

	c->op = s->n_words ? s->words[0] : NULL;
	c->words = s->words + 1;
	c->n_words = s->n_words - 1;
	*help = question == OPTIONS_HELP;
	if (usage_answer(question, rows) == STATUS_OK)
		return STATUS_OK;
	if (*help && !c->op)
		return print_help();
	if (*help)
		forget_help(s);
	if (options_parse(rows, c, s->n_options, s->options, NULL, &e) ||
	    settle(c, &e))
		return usage_fail(&e);
	return USAGE_GO_ON;
}

int call_read(struct call *c, int argc, char **argv, bool *help)
{
	struct split s = {
		.options = calloc(2 * (size_t)argc + 1, sizeof *s.options),
		.words = calloc((size_t)argc + 1, sizeof *s.words),
	};
	int status = STATUS_FAILED;

	*c = (struct call){ .lists_devices = !strcmp(argv[0], "devices") };
	if (s.options && s.words) {
		split(&s, argc, argv);
		status = read_split(c, &s, help);
	}
	free(s.options);
	if (!c->words)
		free(s.words);
	return status;
}

void call_fini(struct call *c)
{
	if (c->words)
		free((void *)(c->words - 1));
	free(c->token);
	*c = (struct call){ 0 };
}
