/* tensors_scan.c - see tensors_scan.h. */
#include <string.h>

#include "format/tensors_scan.h"

enum { LIST_DEPTH = 3 };		/* of "data" in {"inputs": [{"data" */

static void in_string(struct tensors_scan *s, char c)
{
	if (!s->escape && c == '"') {
		s->string = false;
		return;
	}
	s->escape = !s->escape && c == '\\';
	if (s->length < SCAN_KEY - 1)
		s->last[s->length] = c;
	s->length++;
}

static void begin_string(struct tensors_scan *s)
{
	s->string = true;
	s->length = 0;
	memset(s->last, 0, sizeof s->last);
}

/* Keeps the last string as the key at the present depth; called at its
 * colon. */
static void take_key(struct tensors_scan *s)
{
	if (s->depth < 1 || s->depth >= SCAN_KEYS)
		return;
	memcpy(s->key[s->depth], s->length < SCAN_KEY ? s->last : "",
	       s->length < SCAN_KEY ? SCAN_KEY : 1);
	s->value = s->depth == LIST_DEPTH &&
	           strcmp(s->key[1], "inputs") == 0 &&
	           strcmp(s->key[LIST_DEPTH], "data") == 0;
}

/* Counts the objects of "inputs". */
static void open_bracket(struct tensors_scan *s)
{
	s->depth++;
	if (s->depth != LIST_DEPTH || strcmp(s->key[1], "inputs") != 0)
		return;
	s->input += s->listed;
	s->listed = true;
}

enum scanned tensors_scan(struct tensors_scan *s, char c)
{
	if (s->string) {
		in_string(s, c);
		return SCAN_MORE;
	}
	if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
		return SCAN_MORE;
	if (s->value) {
		s->value = false;
		return c == '[' ? SCAN_LIST : SCAN_NO_LIST;
	}
	if (c == '"')
		begin_string(s);
	else if (c == ':')
		take_key(s);
	else if (c == '{' || c == '[')
		open_bracket(s);
	else if (c == '}' || c == ']')
		s->depth--;
	return SCAN_MORE;
}
