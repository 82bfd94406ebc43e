/* ptx.c - instructions that NVIDIA's OpenCL compiler does not know.
 *
 * It compiles for an architecture's plain target, sm_90, while the tensor
 * cores' asynchronous matrix products belong to sm_90a. But its binaries are
 * PTX text, and it accepts PTX text as a binary. So kernels/lib/ptx.h writes
 * such instructions as comments, which pass through the compiler with their
 * operands filled in; this file turns the comments into instructions and sets
 * the target that has them. In the same way a kernel gets directives for which
 * OpenCL C has no attribute. */
#include <stdlib.h>
#include <string.h>

#include "device/programs.h"
#include "device/state.h"

static const char hidden[] = "//sm_90a ", directive[] = "//entry ";
static const char target[] = ".target sm_90", threads[] = ".reqntid";

/* Returns the program's PTX text with room for `more` bytes, which the caller
 * frees; NULL on failure. */
static char *text_of(cl_program p, size_t more)
{
	size_t n = 0;
	char *text;

	if (clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL)
	    != CL_SUCCESS)
		return NULL;
	text = calloc(1, n + more + 1);
	if (text && clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof text,
	    &text, NULL) == CL_SUCCESS)
		return text;
	free(text);
	return NULL;
}

/* Inserts n characters of s at `at`. */
static void insert(char *at, const char *s, size_t n)
{
	memmove(at + n, at, strlen(at) + 1);
	memcpy(at, s, n);
}

static bool uncover_instructions(char *text)
{
	char *at = strstr(text, target), *line = strstr(text, hidden);

	if (!line)
		return true;
	if (!at || at[strlen(target)] == 'a')
		return false;
	for (; line; line = strstr(line, hidden))
		memset(line, ' ', strlen(hidden));
	insert(at + strlen(target), "a", 1);
	return true;
}

/* Moves the directive to the kernel's head, after the size of its
 * work-group. */
static bool place_directive(char *text)
{
	char *from = strstr(text, directive), *to = strstr(text, threads);
	char line[80];
	size_t n;

	if (!from)
		return true;
	n = strcspn(from, "\n");
	to = to ? strchr(to, '\n') : NULL;
	if (!to || n >= sizeof line)
		return false;
	memcpy(line, from, n);
	memset(line, ' ', strlen(directive));
	line[0] = '\n';
	insert(to, line, n);
	return true;
}

cl_program ptx_uncovered(const struct device *d, cl_program p,
                         const char *options, cl_int *rc)
{
	char *text = text_of(p, 128);
	cl_program q = NULL;
	cl_int status;
	size_t n;

	clReleaseProgram(p);
	*rc = CL_INVALID_BINARY;
	if (text && uncover_instructions(text) && place_directive(text)) {
		n = strlen(text) + 1;
		q = clCreateProgramWithBinary(d->context, 1, &d->id, &n,
		    (const unsigned char *[]){ (unsigned char *)text },
		    &status, rc);
	}
	free(text);
	if (q && *rc == CL_SUCCESS)
		*rc = clBuildProgram(q, 1, &d->id, options, NULL, NULL);
	return q;
}
