/* mm_banner.c - see mm_banner.h. */
#include <strings.h>

#include "format/mm_banner.h"
#include "format/mm_text.h"

enum field { REAL, DOUBLE, INTEGER, PATTERN, COMPLEX };

static const char *const layouts[] = { "array", "coordinate", NULL };
static const char *const fields[] = {
	[REAL] = "real", [DOUBLE] = "double", [INTEGER] = "integer",
	[PATTERN] = "pattern", [COMPLEX] = "complex", NULL
};
static const char *const symmetries[] = {
	[MM_GENERAL] = "general", [MM_SYMMETRIC] = "symmetric",
	[MM_SKEW] = "skew-symmetric", [MM_HERMITIAN] = "hermitian", NULL
};

const char *mm_banner_read(struct mm_banner *b, const char *p,
                           const char *end)
{
	char w[MM_WORDS][MM_WORD] = { 0 };
	const int words = mm_split(w, p, end), layout = mm_find(layouts, w[2]);
	const int field = mm_find(fields, w[3]);
	const int symmetry = mm_find(symmetries, w[4]);

	if (words != MM_WORDS || strcasecmp(w[0], "%%MatrixMarket") != 0 ||
	    strcasecmp(w[1], "matrix") != 0 || layout < 0)
		return "must be \"%%MatrixMarket matrix array|coordinate field "
		       "symmetry\"";
	if (field < 0)
		return "the field must be real, integer, complex or pattern";
	if (symmetry < 0)
		return "the symmetry must be general, symmetric, "
		       "skew-symmetric or hermitian";
	if (field == PATTERN && (layout == 0 || symmetry > MM_SYMMETRIC))
		return "a pattern must be a general or symmetric coordinate "
		       "matrix";
	*b = (struct mm_banner){
		.coordinate = layout == 1, .pattern = field == PATTERN,
		.integers = field == INTEGER, .complex = field == COMPLEX,
		/* Real numbers are their own conjugates. */
		.hermitian = symmetry == MM_HERMITIAN && field == COMPLEX,
		.symmetry = symmetry == MM_HERMITIAN ? MM_SYMMETRIC :
		            (enum mm_symmetry)symmetry,
	};
	return NULL;
}
