/* formats.c - the media types that bodies may have. */
#include <string.h>
#include <strings.h>

#include "format/formats.h"
#include "format/part.h"

#define OF_ONE_PART(name)                                                  \
static struct reader *name##_body(const struct sink *k, const char *media, \
                                  uint64_t length, struct err *e)          \
{                                                                          \
	struct part p = part_of_body(k, length);                           \
									   \
	(void)media;                                                       \
	return name##_open(&p, e);                                         \
}

OF_ONE_PART(npy)
OF_ONE_PART(octets)
OF_ONE_PART(matrix_market)

const struct format formats[] = {
	{ "application/json", false, json_open },
	{ "application/x-npy", true, npy_body },
	{ "application/x-npz", true, npz_open },
	{ "application/octet-stream", true, octets_body },
	{ "multipart/form-data", true, multipart_open },
	{ "application/x-matrix-market", false, matrix_market_body },
	{ NULL, false, NULL },
};

const struct format *format_find(const char *media)
{
	size_t n = strcspn(media, "; \t");

	for (const struct format *f = formats; f->media_type; f++)
		if (strlen(f->media_type) == n &&
		    strncasecmp(f->media_type, media, n) == 0)
			return f;
	return NULL;
}
