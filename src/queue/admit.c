/* admit.c - see admit.h.
 *
 * OpenCL hands out more memory than a device has and fails when a kernel
 * touches it, so the account is kept here. One job runs on a device at a
 * time: what must fit is that job's operands and results together.
 */
#include "base/size.h"
#include "queue/admit.h"

struct need {
	size_t all, largest;		/* bytes */
};

static void add_need(struct need *n, const struct matrix *m)
{
	const size_t bytes = m->ndim < 0 ? 0 : matrix_size(m);
	const size_t index = matrix_index_size(m);

	n->all += bytes + index;
	n->largest = size_max(n->largest, size_max(bytes, index));
}

static struct need need_of(const struct args *a)
{
	struct need n = { 0 };

	for (int i = 0; i < OP_INPUTS; i++)
		add_need(&n, &a->in[i]);
	for (int i = 0; i < OP_OUTPUTS; i++)
		add_need(&n, &a->out[i]);
	return n;
}

static int check_memory(const struct args *a, const struct sheet *s,
                        struct err *e)
{
	const struct need n = need_of(a);

	if (n.all > s->global_memory_bytes)
		return err_set(e, ERR_TOO_LARGE, "%s: operands and results "
		               "are %zu bytes, device %d (%.40s) has %llu",
		               a->op->name, n.all, s->index, s->name,
		               (unsigned long long)s->global_memory_bytes);
	if (!s->unified_memory && n.largest > s->max_allocation_bytes)
		return err_set(e, ERR_TOO_LARGE, "%s: a matrix of %zu bytes; "
		               "device %d (%.40s) takes at most %llu each",
		               a->op->name, n.largest, s->index, s->name,
		               (unsigned long long)s->max_allocation_bytes);
	return 0;
}

static int check_variant(const struct args *a, const struct sheet *s,
                         struct err *e)
{
	struct err why_not = { 0 };
	const char *reason = why_not.text;

	if (a->variant ? variant_available(a->variant, s, &reason) :
	                 op_variant_auto(a, s, &why_not) != NULL)
		return 0;
	return err_set(e, ERR_PARAMETER, "%s: %s on device %d (%.40s): %s",
	               a->op->name, a->variant ? a->variant->name :
	               dtype_name(a->dtype), s->index, s->name, reason);
}

int admit_devices(struct job *j, const struct sheet *const *sheets, int n,
                  struct err *e)
{
	struct err why_not = { 0 };

	for (int i = 0; i < n; i++) {
		if (!(j->devices >> i & 1))
			continue;
		why_not = (struct err){ 0 };
		if (check_variant(&j->args, sheets[i], &why_not) ||
		    check_memory(&j->args, sheets[i], &why_not))
			j->devices &= ~(UINT64_C(1) << i);
	}
	if (!j->devices)
		return err_set(e, why_not.code ? why_not.code : ERR_PARAMETER,
		               "%s", why_not.code ? why_not.text :
		               "no device of this service was named");
	return 0;
}
