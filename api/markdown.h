/* markdown.h - prints Markdown: paragraphs, and the cells of tables. */
#ifndef API_MARKDOWN_H
#define API_MARKDOWN_H

/* Prints paragraphs, separated by "\n\n", as lines of at most 88 bytes, and an
 * empty line after each. */
void markdown_text(const char *paragraphs);

/* Prints a summary or a help (see ops/op.h) as a sentence with an initial
 * capital and a full stop, followed by `end`. */
void markdown_sentence(const char *phrase, const char *end);

/* Prints the same as the last cell of a table's row, whose bars are escaped; or
 * the phrase as it is. */
void markdown_cell(const char *phrase);
void markdown_cell_as_is(const char *phrase);

#endif
