/* sheet.c - checks a device's sheet that another process wrote. */
#include <math.h>
#include <stddef.h>

#include "base/size.h"
#include "base/text.h"
#include "wire/sheet.h"

#define AT(member) offsetof(struct sheet, member)

static const struct {
	size_t at;
	const char *what;
} texts[] = {
	{ AT(name), "name" }, { AT(platform), "platform" },
	{ AT(vendor), "vendor" }, { AT(driver), "driver" },
	{ AT(version), "version" },
};

static const size_t truths[] = {
	AT(float64), AT(atomics64), AT(unified_memory),
};

static const size_t peaks[] = {
	AT(peaks.gflops_float32), AT(peaks.gflops_float64),
	AT(peaks.gbytes_per_s),
};

/* Is the byte there a valid bool? It is read as a byte, because reading any
 * other value as a bool is undefined. */
static bool is_truth(const struct sheet *s, size_t at)
{
	return ((const unsigned char *)s)[at] <= 1;
}

static bool is_peak(const struct sheet *s, size_t at)
{
	const double x = *(const double *)((const char *)s + at);

	return isfinite(x) && x >= 0;
}

int sheet_check(const struct sheet *s, struct err *e)
{
	for (size_t i = 0; i < COUNT(texts); i++)
		if (!text_is_plain((const char *)s + texts[i].at, SHEET_NAME))
			return err_set(e, ERR_DEVICE, "told of a device whose "
			               "%s is no text", texts[i].what);
	for (size_t i = 0; i < COUNT(truths); i++)
		if (!is_truth(s, truths[i]))
			return err_set(e, ERR_DEVICE, "told of a device by a "
			               "truth value that is none");
	for (size_t i = 0; i < COUNT(peaks); i++)
		if (!is_peak(s, peaks[i]))
			return err_set(e, ERR_DEVICE, "told of a device's peak "
			               "that is no number");
	if (s->type != DEVICE_CPU && s->type != DEVICE_GPU &&
	    s->type != DEVICE_OTHER && s->type != DEVICE_CLUSTER)
		return err_set(e, ERR_DEVICE, "told of a device of type %d",
		               (int)s->type);
	if (s->index < 0)
		return err_set(e, ERR_DEVICE, "told of device %d", s->index);
	return 0;
}
