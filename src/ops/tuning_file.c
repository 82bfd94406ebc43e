/* tuning_file.c - reads and writes the table that `linalgd tune` keeps for a
 * device; see tuning.h. */
#include "device/device_file.h"
#include "ops/tuning.h"

static const char file[] = "tuning";

void tuning_recall(struct tuning *t, const struct sheet *s, const char *cache)
{
	struct text kept = { 0 };

	tuning_ship(t, s);
	device_file_read(s, cache, file, &kept);
	if (!kept.failed)
		tuning_read(t, kept.data);
	text_fini(&kept);
}

int tuning_keep(const struct tuning *t, const struct sheet *s,
              const char *cache, struct err *e)
{
	struct text lines = { 0 };
	int rc;

	text_puts(&lines, "");
	tuning_print(t, &lines);
	rc = lines.failed ? err_set(e, ERR_MEMORY, "no memory for the table") :
	     device_file_write(s, cache, file, &lines, e);
	text_fini(&lines);
	return rc;
}
