/* markdown.c - see markdown.h. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "api/markdown.h"

enum { WIDTH = 88 };

/* How many of n bytes go on a line: up to the last space that fits. */
static size_t line_length(const char *s, size_t n)
{
	size_t cut = WIDTH;

	if (n <= WIDTH)
		return n;
	while (cut > 1 && s[cut] != ' ')
		cut--;
	return cut;
}

void markdown_text(const char *paragraphs)
{
	for (const char *s = paragraphs; *s; s += strspn(s, "\n")) {
		size_t n = strcspn(s, "\n");

		while (n > 0) {
			const size_t cut = line_length(s, n);
			const size_t space = s[cut] == ' ';

			printf("%.*s\n", (int)cut, s);
			s += cut + space;
			n -= cut + space;
		}
		putchar('\n');
	}
}

void markdown_sentence(const char *phrase, const char *end)
{
	printf("%c%s.%s", toupper((unsigned char)*phrase), phrase + 1, end);
}

static void escape(const char *s)
{
	for (; *s; s++) {
		if (*s == '|')
			putchar('\\');
		putchar(*s);
	}
}

void markdown_cell(const char *phrase)
{
	putchar(toupper((unsigned char)*phrase));
	escape(phrase + 1);
	puts(". |");
}

void markdown_cell_as_is(const char *phrase)
{
	escape(phrase);
	puts(" |");
}
