/* stages.c - see stages.h. */
#include "queue/stages.h"

static int64_t queue_ns(const struct job *j)
{
	return j->started_ns ? j->started_ns - j->accepted_ns - j->compile_ns
	                     : 0;
}

static int64_t parse_ns(const struct job *j)
{
	return j->parse_ns;
}

static int64_t compile_ns(const struct job *j)
{
	return j->compile_ns + j->timing->compile_ns;
}

static int64_t upload_ns(const struct job *j)
{
	return j->timing->upload_ns;
}

static int64_t compute_ns(const struct job *j)
{
	return j->timing->compute_ns;
}

static int64_t host_ns(const struct job *j)
{
	return j->timing->host_ns;
}

static int64_t download_ns(const struct job *j)
{
	return j->timing->download_ns;
}

static int64_t total_ns(const struct job *j)
{
	const int64_t end = j->replied_ns ? j->replied_ns : j->ended_ns;

	return end ? end - j->first_byte_ns : 0;
}

static const struct {
	const char *name, *field;
	int64_t (*ns)(const struct job *j);
} stages[] = {
#define X(name) [STAGE_##name] = { #name, #name "_ms", name##_ns },
	STAGES(X)
#undef X
};

const char *stage_name(enum stage s)
{
	return stages[s].name;
}

const char *stage_field(enum stage s)
{
	return stages[s].field;
}

int64_t stage_ns(enum stage s, const struct job *j)
{
	return stages[s].ns(j);
}

bool stage_is_rare(enum stage s)
{
	return s == STAGE_compile || s == STAGE_host;
}
