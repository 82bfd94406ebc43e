/* err.h - what went wrong, in words a client can act on.
 *
 * A fallible function returns 0 or -1 and fills the caller's struct err,
 * once, where the fault is known: the first failure is kept, later ones are
 * ignored, callers pass -1 up untouched.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

/* code, HTTP status, the problem type's name on the wire, its title */
#define ERR_CODES(X)                                                           \
	X(ERR_NONE,         200, "none",              "No error")              \
	X(ERR_REQUEST,      400, "bad-request",       "Malformed request")     \
	X(ERR_PARAMETER,    400, "bad-parameter",     "Bad parameter")         \
	X(ERR_FORMAT,       400, "bad-matrix",        "Malformed matrix")      \
	X(ERR_TOKEN,        401, "unauthorized",      "Token missing or wrong")\
	X(ERR_ORIGIN,       403, "foreign-origin",    "Foreign origin")        \
	X(ERR_FORBIDDEN,    403, "forbidden",         "Forbidden")             \
	X(ERR_NOT_FOUND,    404, "not-found",         "Not found")             \
	X(ERR_METHOD,       405, "method-not-allowed","Method not allowed")    \
	X(ERR_ACCEPT,       406, "not-acceptable",    "Not acceptable")        \
	X(ERR_SLOW,         408, "too-slow",          "Request too slow")      \
	X(ERR_CONFLICT,     409, "conflict",          "Conflict")              \
	X(ERR_GONE,         410, "gone",              "Gone")                  \
	X(ERR_LENGTH,       411, "length-required",   "Length required")       \
	X(ERR_PRECONDITION, 412, "precondition-failed", "Precondition failed") \
	X(ERR_TOO_LARGE,    413, "too-large",         "Too large")             \
	X(ERR_TARGET,       414, "target-too-long",   "URI too long")          \
	X(ERR_MEDIA,        415, "unsupported-media", "Unsupported media type")\
	X(ERR_RANGE,        416, "range-not-satisfiable",                      \
	  "Range not satisfiable")                                             \
	X(ERR_HOST,         421, "unknown-host",      "Unknown host")          \
	X(ERR_SHAPE,        422, "bad-shape",         "Impossible shapes")     \
	X(ERR_NONFINITE,    422, "nonfinite",         "Not finite")            \
	X(ERR_SINGULAR,     422, "singular",          "Singular matrix")       \
	X(ERR_NOT_POSITIVE, 422, "not-positive-definite",                      \
	  "Not positive definite")                                             \
	X(ERR_ZERO_PIVOT,   422, "zero-pivot",        "Zero pivot")            \
	X(ERR_CONVERGENCE,  422, "not-converged",     "Did not converge")      \
	X(ERR_MATHEMATICS,  422, "impossible",        "Impossible")            \
	X(ERR_KEY_REUSED,   422, "key-reused",        "Idempotency key reused")\
	X(ERR_QUOTA,        429, "quota-exceeded",    "Quota exceeded")        \
	X(ERR_HEAD,         431, "head-too-large",    "Request head too large")\
	X(ERR_INTERNAL,     500, "internal",          "Internal error")        \
	X(ERR_DEVICE,       500, "device-failure",    "Device failure")        \
	X(ERR_CODING,       501, "unknown-coding",    "Unknown coding")        \
	X(ERR_MEMORY,       503, "out-of-memory",     "Memory is full")        \
	X(ERR_BUSY,         503, "busy",              "Queue is full")         \
	X(ERR_STREAMS,      503, "too-many-streams",  "Too many streams")      \
	X(ERR_NOT_READY,    503, "not-ready",         "Not ready")             \
	X(ERR_STATE,        503, "state-failed",      "Storage failed")        \
	X(ERR_TIMEOUT,      504, "timeout",           "Timed out")             \
	X(ERR_DISMISSED,    409, "dismissed",         "Dismissed")

enum err_code {
#define X(code, status, slug, title) code,
	ERR_CODES(X)
#undef X
	ERR_COUNT, ERR_LAST = ERR_COUNT - 1
};

/* Room for the longest name that an operand may have, if each byte of it must
 * be escaped, and the members around it. */
enum { ERR_POINTER = 256 };

struct err {
	enum err_code code;
	char text[256];		/* the problem's detail, with the numbers */
	char pointer[ERR_POINTER];	/* where the fault is: "/a", a JSON
				 * pointer; "?tol", a query parameter;
				 * or "". "/a " or " ", the document: in
				 * that member or document, at one whose
				 * own pointer has no room here */
	unsigned retry_s;	/* it is worth trying again after so many
				 * seconds; 0: that cannot be told */
};

/* Records the first failure; later ones are ignored. Always returns -1. */
int err_set(struct err *e, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same; pointer names the member of the request that is wrong ("/a"). */
int err_set_at(struct err *e, enum err_code code, const char *pointer,
               const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Writes the JSON pointer of a member of what `parent` points to, "" being the
 * document, as the fragment of a URI: ~, / and what a fragment cannot hold are
 * escaped (RFC 6901, sections 3 and 6). If that has no room, or the parent's
 * had none, the pointer stays the parent's, with a space at its end. Returns
 * text. */
const char *err_pointer(char text[ERR_POINTER], const char *parent,
                        const char *name);

/* Sets the error's pointer to that; returns -1. */
int err_point(struct err *e, const char *parent, const char *name);

/* Puts a parent before the error's pointer into it: "/steps/1" before "/b" or
 * before "". The parent takes the place of a parameter of the query. */
void err_within(struct err *e, const char *parent);

/* Returns the length of the error's pointer without the space at its end. */
int err_pointer_length(const struct err *e);

int err_status(enum err_code code);
const char *err_slug(enum err_code code);
const char *err_title(enum err_code code);

/* Sentences for people, from err_help.h: what the error means, and what to do
 * about it. */
const char *err_meaning(enum err_code code);
const char *err_remedy(enum err_code code);

#endif
