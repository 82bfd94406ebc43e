/* dates.c - see dates.h. */
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/size.h"
#include "http/dates.h"

const char *date_text(int64_t wall_ms, char text[DATE_TEXT])
{
	const time_t t = (time_t)(wall_ms / 1000);
	struct tm utc;

	text[0] = 0;
	if (gmtime_r(&t, &utc))
		strftime(text, DATE_TEXT, "%a, %d %b %Y %H:%M:%S GMT", &utc);
	return text;
}

bool date_parse(const char *text, int64_t *wall_ms)
{
	static const char *const forms[] = {
		"%a, %d %b %Y %H:%M:%S GMT",	/* IMF-fixdate */
		"%A, %d-%b-%y %H:%M:%S GMT",	/* RFC 850 */
		"%a %b %e %H:%M:%S %Y",		/* asctime() */
	};

	for (size_t i = 0; text && i < COUNT(forms); i++) {
		struct tm utc = { 0 };
		const char *end = strptime(text, forms[i], &utc);

		if (!end || *end)
			continue;
		*wall_ms = (int64_t)timegm(&utc) * 1000;
		return true;
	}
	return false;
}

bool date_unchanged(const struct exchange *x, const char *header,
                    int64_t changed_ms, bool *given)
{
	int64_t date = 0;
	const bool is_date = date_parse(exchange_header(x, header), &date);

	if (given)
		*given = is_date;
	return is_date && changed_ms <= date;
}

void date_reply(struct exchange *x, int64_t changed_ms)
{
	const int64_t end = (changed_ms + 999) / 1000 * 1000;
	char text[DATE_TEXT];

	if (clock_wall_ms() > end)
		exchange_reply_header(x, "Last-Modified",
		                      date_text(end, text));
}
