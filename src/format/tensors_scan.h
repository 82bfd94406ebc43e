/* tensors_scan.h - finds the values of "data" in the objects of the list
 * "inputs", character by character, while the JSON arrives. */
#ifndef FORMAT_TENSORS_SCAN_H
#define FORMAT_TENSORS_SCAN_H

#include <stdbool.h>

#include "base/text.h"

enum { SCAN_KEYS = 4, SCAN_KEY = 16 };

/* The state of the scan. { 0 } is the beginning of the JSON. */
struct tensors_scan {
	int depth;			/* open brackets and braces */
	int input;			/* the index of the present object of
					 * the list "inputs" */
	bool listed;			/* there was one before */
	bool string, escape;		/* inside a string; after a backslash */
	bool value;			/* the value of "data" is next */
	char last[SCAN_KEY];		/* the last string, cut to its room */
	size_t length;			/* of the last string, uncut */
	char key[SCAN_KEYS][SCAN_KEY];	/* the last key at each depth */
};

enum scanned { SCAN_MORE, SCAN_LIST, SCAN_NO_LIST };

/* Takes the next character. Returns SCAN_LIST if it is the '[' that begins a
 * list "data": the caller reads the list and resumes the scan after its ']'.
 * Returns SCAN_NO_LIST if a value of "data" begins that is no list. */
enum scanned tensors_scan(struct tensors_scan *s, char c);

#endif
