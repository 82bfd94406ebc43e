/* formats.h - the readers of whole bodies that formats.c lists. */
#ifndef FORMAT_FORMATS_H
#define FORMAT_FORMATS_H

#include "format/reader.h"

struct reader *json_open(const struct sink *k, const char *media,
                         uint64_t length, struct err *e);
struct reader *npz_open(const struct sink *k, const char *media,
                        uint64_t length, struct err *e);
struct reader *multipart_open(const struct sink *k, const char *media,
                              uint64_t length, struct err *e);

#endif
