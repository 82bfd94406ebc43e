/* load.c - see load.h. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/load.h"
#include "bench/process.h"

#define WRK "/usr/bin/env", "wrk"

enum { WIDER = 16 };		/* largest factor by which a run is extended */

bool load_parse(const char *output, struct load_figures *f)
{
	const char *line = strstr(output, "load: requests ");
	double us, p50_us, p99_us;

	if (!line || sscanf(line, "load: requests %lf duration %lf p50 %lf "
	                    "p99 %lf failures %lf", &f->requests, &us, &p50_us,
	                    &p99_us, &f->failures) != 5)
		return false;
	f->seconds = us * 1e-6;
	f->p50_ms = p50_us * 1e-3;
	f->p99_ms = p99_us * 1e-3;
	return true;
}

/* Reads until the other end closes, and drops the text that does not fit. */
static void read_text(int fd, char *text, size_t room)
{
	char sink[512];
	size_t used = 0;
	ssize_t n;

	while (used + 1 < room &&
	       (n = read(fd, text + used, room - used - 1)) > 0)
		used += (size_t)n;
	text[used] = 0;
	while (read(fd, sink, sizeof sink) > 0)
		;
}

/* Runs wrk; text becomes its standard output. */
static int run(char *const argv[], char *text, size_t room, struct err *e)
{
	int output[2], status;
	pid_t pid;

	if (pipe2(output, O_CLOEXEC) < 0)
		return err_set(e, ERR_INTERNAL, "bench: no pipe for wrk");
	if (process_start(&pid, argv, (int[]){ -1, output[1], -1 }, e) < 0) {
		close(output[0]);
		close(output[1]);
		return -1;
	}
	close(output[1]);
	read_text(output[0], text, room);
	close(output[0]);
	if (waitpid(pid, &status, 0) < 0 || status != 0)
		return err_set(e, ERR_INTERNAL, "bench: wrk failed");
	return 0;
}

static int run_for(const struct load *l, const struct question_form *q,
                   int seconds, struct load_figures *f, struct err *e)
{
	char url[64 + QUESTION_TARGET], connections[24], window[24];
	char output[4096];
	char *argv[] = {
		WRK, "-t1", connections, window, "-s", (char *)l->script, url,
		"--", (char *)l->body, (char *)q->type, (char *)q->accept,
		NULL
	};

	snprintf(url, sizeof url, "http://127.0.0.1:%d%s", l->port, q->target);
	snprintf(connections, sizeof connections, "-c%d", l->connections);
	snprintf(window, sizeof window, "-d%d", seconds);
	if (run(argv, output, sizeof output, e) < 0)
		return -1;
	return load_parse(output, f) ? 0 : err_set(e, ERR_INTERNAL,
	    "bench: wrk ended without its figures: %.100s", output);
}

/* wrk counts only the requests that are answered while it runs. If it counts
 * none, it is started again for twice as long. */
int load_run(const struct load *l, const struct question_form *q,
             struct load_figures *f, struct err *e)
{
	int seconds = l->seconds;

	while (run_for(l, q, seconds, f, e) == 0 && f->requests <= 0 &&
	       seconds < WIDER * l->seconds)
		seconds *= 2;
	if (e->code != ERR_NONE)
		return -1;
	if (f->requests <= 0)
		return err_set(e, ERR_INTERNAL, "bench: %s was not answered "
		               "once within %d s", q->target, seconds);
	if (f->failures > 0)
		return err_set(e, ERR_INTERNAL, "bench: %.0f of %.0f requests "
		               "failed", f->failures, f->requests);
	return 0;
}
