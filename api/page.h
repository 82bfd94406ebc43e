/* page.h - the pages of docs/operations, in Markdown, made of the operations'
 * tables, of their manuals (ops/manual.h) and of api/examples. */
#ifndef API_PAGE_H
#define API_PAGE_H

#include "ops/op.h"

/* Prints the operation's page; ends the program if a file of api/examples
 * cannot be read. */
void page_print(const struct op *o);

/* Prints the page that lists all of them. */
void page_print_index(void);

#endif
