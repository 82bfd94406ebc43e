/* payload_file.h - the layout of a payload file, for payload*.c alone. */
#ifndef JOURNAL_PAYLOAD_FILE_H
#define JOURNAL_PAYLOAD_FILE_H

#include <stdint.h>

#include "journal/payload.h"

#define PAYLOAD_MAGIC "LINALGDP"

enum {
	PAYLOAD_FORMAT = 1,
	PAYLOAD_CHUNK = PAYLOAD_PIECE,	/* bytes written, read and summed at a
					 * time */
	PAYLOAD_PATH = 512,
};

struct payloads {
	int fd;
	char path[PAYLOAD_PATH];
};

/* Both structs have no padding: their bytes are the file's. */
struct payload_header {
	char magic[8];
	uint32_t format, matrices;
	uint64_t bytes;			/* of the whole file */
	uint32_t rows_crc;		/* of the rows */
	uint32_t crc;			/* of the header up to here */
};

struct payload_row {
	char dtype[16];			/* its name in JSON */
	int32_t ndim;			/* MATRIX_ABSENT: no elements */
	uint32_t flags;			/* enum payload_flags */
	uint64_t dim[MATRIX_DIMS];
	uint64_t nnz;
};

enum payload_flags {
	PAYLOAD_CSR = 1, PAYLOAD_COORDINATES = 2, PAYLOAD_TEXT = 4,
	PAYLOAD_ROUNDED = 8, PAYLOAD_FLAGS = 15,
};

/* The bytes of a header with its rows. */
size_t payload_head_bytes(size_t matrices);

/* CRC-32 of n more bytes; the first crc is 0. */
uint32_t payload_crc(uint32_t crc, const void *bytes, size_t n);

/* Checks a name, and fills in the error of a system call that failed: what it
 * was to do, and errno. Both return -1. */
int payload_check_name(const char *name, struct err *e);
int payload_failed(const struct payloads *d, const char *name,
                   const char *what, struct err *e);

#endif
