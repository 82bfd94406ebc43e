/* job_record_lines.c - see job_record_lines.h. */
#include <stdlib.h>
#include <string.h>

#include "queue/job_record_lines.h"

/* In the year 2255: as nanoseconds it is below INT64_MAX. */
#define RECORD_LAST_MS INT64_C(9000000000000)

int record_wrong(struct reading *r, const char *what)
{
	return err_set(r->e, ERR_FORMAT, "a job's record: wrong %s", what);
}

int record_moment(struct reading *r, const char *text, int64_t *ms)
{
	*ms = strtoll(text, NULL, 10);
	return *ms < 0 || *ms > RECORD_LAST_MS ? record_wrong(r, "moment") : 0;
}

bool record_is_time(int64_t ns)
{
	return ns > -RECORD_LAST_MS * 100000 && ns < RECORD_LAST_MS * 100000;
}

static int read_line(struct reading *r, const struct record_line *lines,
                     char *line)
{
	const struct record_line *const first = lines;
	char *values = strchr(line, ' ');

	if (values)
		*values++ = 0;
	for (; lines->name; lines++)
		if (strcmp(lines->name, line) == 0)
			return r->job || lines == first ?
			       lines->read(r, values ? values : "") :
			       record_wrong(r, "beginning");
	return err_set(r->e, ERR_FORMAT, "a job's record: there is no line "
	               "\"%.40s\"", line);
}

int record_lines(struct reading *r, const struct record_line *lines,
                      const char *text)
{
	char line[RECORD_LINE];

	while (*text) {
		const size_t n = strcspn(text, "\n");

		if (n >= sizeof line)
			return record_wrong(r, "length of a line");
		memcpy(line, text, n);
		line[n] = 0;
		text += n + (text[n] == '\n');
		if (read_line(r, lines, line))
			return -1;
	}
	return 0;
}
