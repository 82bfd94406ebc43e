/* variant.c - see variant.h. */
#include "base/size.h"
#include "ops/need.h"
#include "ops/tuning.h"
#include "ops/variant.h"

static bool has_cpu(const struct sheet *s)
{
	return s->type == DEVICE_CPU;
}

static bool has_subgroups(const struct sheet *s)
{
	return s->subgroup_sizes[0] != 0;
}

static bool has_sm80(const struct sheet *s)
{
	return s->nvidia_sm >= 80;
}

static bool has_atomics64(const struct sheet *s)
{
	return s->atomics64;
}

static bool is_cluster(const struct sheet *s)
{
	return s->type == DEVICE_CLUSTER;
}

static bool has_sm90(const struct sheet *s)
{
	return s->nvidia_sm == 90;
}

/* What a variant may require of a device. */
static const struct {
	enum requirement bit;
	const char *name, *reason;
	bool (*has)(const struct sheet *s);
} requirements[] = {
	{ NEEDS_CPU, "cpu", "written for CPUs", has_cpu },
	{ NEEDS_SUBGROUPS, "subgroups", "needs sub-groups", has_subgroups },
	{ NEEDS_SM80, "sm_80", "needs NVIDIA's sm_80", has_sm80 },
	{ NEEDS_ATOMICS64, "atomics64", "needs atomics of 64 bits",
	  has_atomics64 },
	{ NEEDS_SM90, "sm_90", "needs NVIDIA's sm_90", has_sm90 },
	{ NEEDS_CLUSTER, "cluster", "needs the processes of linalgd-mpi",
	  is_cluster },
};

const char *variant_requirement(const struct variant *v, int i)
{
	for (size_t k = 0; k < COUNT(requirements); k++)
		if ((v->requires & requirements[k].bit) && i-- == 0)
			return requirements[k].name;
	return NULL;
}

const char *variant_lacks(const struct variant *v, const struct sheet *s)
{
	for (size_t i = 0; i < COUNT(requirements); i++)
		if ((v->requires & requirements[i].bit) &&
		    !requirements[i].has(s))
			return requirements[i].reason;
	if (is_cluster(s) && !(v->requires & NEEDS_CLUSTER))
		return "written for OpenCL devices";
	return v->dtypes == DTYPE_BIT(FLOAT64) && !s->float64 ?
	       "needs float64" : NULL;
}

bool op_runs(const struct op *o, enum dtype t, const struct sheet *s)
{
	return (o->dtypes & DTYPE_BIT(t)) &&
	       (dtype_part(t) != FLOAT64 || s->float64);
}

bool variant_runs(const struct variant *v, enum dtype t,
                  const struct sheet *s)
{
	return (v->dtypes & DTYPE_BIT(t)) && !variant_lacks(v, s) &&
	       (dtype_part(t) != FLOAT64 || s->float64);
}

bool variant_is_usual(const struct variant *v, enum dtype t,
                      const struct sheet *s)
{
	return (v->auto_for & s->type) && variant_runs(v, t, s);
}

bool variant_contends(const struct variant *v, enum dtype t,
                      const struct sheet *s)
{
	return v->auto_for && !v->streams && variant_runs(v, t, s);
}

int variant_fit(const struct variant *v, const struct args *a,
                const struct sheet *s, struct err *e)
{
	const struct need n = args_need(a, v, s);
	const unsigned long long room = sheet_room(s);
	const unsigned long long most = s->max_allocation_bytes;

	if (v->takes && v->takes(a, e) < 0)
		return -1;
	if (is_cluster(s) && s->global_memory_bytes == 0)
		return 0;		/* it has not started yet */
	if (n.bytes > room)
		return err_set(e, ERR_TOO_LARGE, "%s: variant %s needs %zu "
		               "bytes of the memory of device %d (%.40s), "
		               "which has %llu for it", a->op->name, v->name,
		               n.bytes, s->index, s->name, room);
	if (n.largest > most)
		return err_set(e, ERR_TOO_LARGE, "%s: variant %s needs %zu "
		               "bytes in one piece, device %d (%.40s) gives "
		               "%llu at most", a->op->name, v->name, n.largest,
		               s->index, s->name, most);
	return 0;
}

bool variant_is_candidate(const struct variant *v, const struct args *a,
                          const struct sheet *s)
{
	return variant_contends(v, a->dtype, s) &&
	       variant_fit(v, a, s, &(struct err){ 0 }) == 0;
}

/* Says that the device has no variant for the call's type, or none at all. */
static void refuse_type(const struct args *a, const struct sheet *s,
                        struct err *e)
{
	const struct variant *v = a->op->variants;

	while (v->name && variant_lacks(v, s))
		v++;
	if (v->name)
		err_set(e, ERR_PARAMETER, "%s: %s cannot compute in %s",
		        a->op->name, s->name, dtype_name(a->dtype));
	else
		err_set(e, ERR_PARAMETER, "%s: %s does not compute this "
		        "operation", a->op->name, s->name);
}

/* The first usual variant that fits; else NULL, with the reason why the first
 * of them does not fit. */
static const struct variant *usual_for(const struct args *a,
                                       const struct sheet *s, struct err *e)
{
	struct err why = { 0 };

	for (const struct variant *v = a->op->variants; v->name; v++)
		if (variant_is_usual(v, a->dtype, s) &&
		    variant_fit(v, a, s, &why) == 0)
			return v;
	if (!why.code)
		refuse_type(a, s, &why);
	err_set_at(e, why.code, why.pointer, "%s", why.text);
	return NULL;
}

static const struct variant *named_for(const struct args *a,
                                       const struct sheet *s, struct err *e)
{
	const char *reason = variant_lacks(a->variant, s);

	if (reason)
		err_set_at(e, ERR_PARAMETER, "/variant", "%s: variant %s "
		           "cannot run on %s: %s", a->op->name,
		           a->variant->name, s->name, reason);
	else if (!variant_runs(a->variant, a->dtype, s))
		err_set_at(e, ERR_PARAMETER, "/variant", "%s: variant %s "
		           "cannot compute in %s on %s", a->op->name,
		           a->variant->name, dtype_name(a->dtype), s->name);
	else if (variant_fit(a->variant, a, s, e) == 0)
		return a->variant;
	return NULL;
}

const struct variant *variant_for(const struct args *a, const struct tuning *t,
                                  const struct sheet *s, struct err *e)
{
	const struct variant *v = t ? tuning_best(t, a) : NULL;

	if (a->variant)
		return named_for(a, s, e);
	return v && variant_is_candidate(v, a, s) ? v : usual_for(a, s, e);
}
