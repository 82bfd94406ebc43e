/* variant.c - which variants of an operation a device can run; see op.h. */
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "ops/op.h"
#include "wire/sheet.h"

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

static bool has_sm90(const struct sheet *s)
{
	return s->nvidia_sm == 90;
}

/* What a device may lack. */
static const struct {
	enum requirement bit;
	const char *reason;
	bool (*has)(const struct sheet *s);
} requirements[] = {
	{ NEEDS_CPU, "written for CPUs", has_cpu },
	{ NEEDS_SUBGROUPS, "needs sub-groups", has_subgroups },
	{ NEEDS_SM80, "needs NVIDIA's sm_80", has_sm80 },
	{ NEEDS_ATOMICS64, "needs atomics of 64 bits", has_atomics64 },
	{ NEEDS_SM90, "needs NVIDIA's sm_90", has_sm90 },
};

bool variant_available(const struct variant *v, const struct sheet *s,
                       const char **reason)
{
	for (size_t i = 0; i < COUNT(requirements); i++)
		if ((v->requires & requirements[i].bit) &&
		    !requirements[i].has(s)) {
			*reason = requirements[i].reason;
			return false;
		}
	if (v->dtypes == DTYPE_BIT(FLOAT64) && !s->float64) {
		*reason = "needs float64";
		return false;
	}
	*reason = NULL;
	return true;
}

const struct variant *op_variant(const struct op *o, const char *name)
{
	for (const struct variant *v = o->variants; v->name; v++)
		if (strcmp(v->name, name) == 0)
			return v;
	return NULL;
}

const struct variant *op_variant_auto(const struct args *a,
                                      const struct sheet *s, struct err *e)
{
	struct err why = { 0 };
	const char *reason;

	for (const struct variant *v = a->op->variants; v->name; v++)
		if ((v->auto_for & s->type) &&
		    (v->dtypes & DTYPE_BIT(a->dtype)) &&
		    variant_available(v, s, &reason) &&
		    args_fit(a, v, s, &why) == 0)
			return v;
	if (!why.code)
		err_set(&why, ERR_PARAMETER, "%s: %s cannot compute in %s",
		        a->op->name, s->name, dtype_name(a->dtype));
	err_set(e, why.code, "%s", why.text);
	return NULL;
}

bool op_has_batches(const struct op *o)
{
	const struct variant *v = o->variants;

	while (v->name && !v->run_batch)
		v++;
	return v->name != NULL;
}
