/* sheets.c - see sheets.h. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "http/fleet_sheet.h"
#include "http/json_text.h"
#include "http/sheets.h"
#include "matrix/generate.h"
#include "ops/manual.h"
#include "ops/variant.h"
#include "wire/sheet_text.h"

static json_t *subgroup_sizes(const struct sheet *s)
{
	json_t *list = json_array();

	for (int i = 0; i < SHEET_SUBGROUPS && s->subgroup_sizes[i]; i++)
		json_array_append_new(list,
		                      json_integer(s->subgroup_sizes[i]));
	return list;
}

/* Adds the peaks, if they were measured. */
static void add_peaks(json_t *device, const struct peaks *p)
{
	const struct { const char *name; double value; } peak[] = {
		{ "peak_gflops_float32", p->gflops_float32 },
		{ "peak_gflops_float64", p->gflops_float64 },
		{ "peak_gbytes_per_s", p->gbytes_per_s },
	};

	for (size_t i = 0; i < COUNT(peak); i++)
		if (peak[i].value > 0)
			json_object_set_new(device, peak[i].name,
			                    json_real(peak[i].value));
}

static json_t *device(const struct sheet_row *row)
{
	const struct sheet *s = row->sheet;
	json_t *j = json_pack("{s:i, s:o, s:o, s:o, s:s, s:o, s:o, s:I, s:I, "
	    "s:I, s:I, s:I, s:I, s:o, s:I, s:I, s:b, s:b, s:b}",
	    "index", s->index,
	    "name", json_text_string(s->name),
	    "platform", json_text_string(s->platform),
	    "vendor", json_text_string(s->vendor),
	    "type", sheet_type_name(s->type),
	    "driver", json_text_string(s->driver),
	    "version", json_text_string(s->version),
	    "compute_units", (json_int_t)s->compute_units,
	    "global_memory_bytes", (json_int_t)s->global_memory_bytes,
	    "local_memory_bytes", (json_int_t)s->local_memory_bytes,
	    "cache_bytes", (json_int_t)s->cache_bytes,
	    "max_allocation_bytes", (json_int_t)s->max_allocation_bytes,
	    "max_work_group_size", (json_int_t)s->max_work_group_size,
	    "subgroup_sizes", subgroup_sizes(s),
	    "cache_line_bytes", (json_int_t)s->cache_line_bytes,
	    "clock_mhz", (json_int_t)s->clock_mhz,
	    "float64", s->float64,
	    "unified_memory", s->unified_memory,
	    "healthy", row->healthy);

	add_peaks(j, &s->peaks);
	return j;
}

void sheets_devices(struct text *t, const struct sheet_row *rows, int n,
                    const struct depot *d)
{
	json_t *list = json_array(), *sheet;

	for (int i = 0; i < n; i++)
		json_array_append_new(list, device(&rows[i]));
	sheet = json_pack("{s:o}", "devices", list);
	if (d)
		json_object_set_new(sheet, "fleet", fleet_sheet(d));
	json_text_print(t, sheet);
}

static json_t *dtypes(unsigned bits)
{
	json_t *list = json_array();

	for (int d = 0; d < DTYPE_COUNT; d++)
		if (bits & DTYPE_BIT(d))
			json_array_append_new(list, json_string(
			    dtype_name((enum dtype)d)));
	return list;
}

static json_t *choices(const struct param *p)
{
	json_t *list = json_array();

	for (int i = 0; p->choices[i]; i++)
		json_array_append_new(list, json_string(p->choices[i]));
	return list;
}

/* A parameter's value as a client writes it. */
static json_t *value(const struct param *p, double x)
{
	switch (p->type) {
	case PARAM_BOOLEAN:
		return json_boolean(x != 0);
	case PARAM_CHOICE:
		return json_string(p->choices[(int)x]);
	case PARAM_INTEGER:
		return json_integer((json_int_t)x);
	default:
		return json_real(x);
	}
}

static void add_bound(json_t *o, const char *name, const struct param *p,
                      double bound)
{
	if (fabs(bound) < 1e18)
		json_object_set_new(o, name, value(p, bound));
}

static json_t *parameter(const struct param *p)
{
	static const char *const types[] = {
		[PARAM_REAL] = "number", [PARAM_INTEGER] = "integer",
		[PARAM_BOOLEAN] = "boolean", [PARAM_CHOICE] = "string",
		[PARAM_LIST] = "string",
	};
	json_t *o = json_pack("{s:s, s:s}", "name", p->name,
	                      "type", types[p->type]);

	if (!isnan(p->fallback))
		json_object_set_new(o, "default", value(p, p->fallback));
	if (p->type == PARAM_CHOICE)
		json_object_set_new(o, "choices", choices(p));
	if (p->type == PARAM_REAL || p->type == PARAM_INTEGER) {
		add_bound(o, p->above_min ? "above" : "min", p, p->min);
		add_bound(o, p->below_max ? "below" : "max", p, p->max);
	}
	json_object_set_new(o, "help", json_string(p->help));
	return o;
}

static json_t *inputs(const struct op *o)
{
	json_t *list = json_array();

	for (const struct operand *in = o->inputs; in->name; in++)
		json_array_append_new(list, json_pack(
		    "{s:s, s:s, s:i, s:b}", "name", in->name,
		    "help", in->help, "min_dims", in->min_dims,
		    "optional", in->optional));
	return list;
}

static json_t *parameters(const struct op *o)
{
	json_t *list = json_array();

	for (const struct param *p = o->params; p->name; p++)
		json_array_append_new(list, parameter(p));
	return list;
}

static json_t *outputs(const struct op *o)
{
	json_t *list = json_array();

	for (const struct output *out = o->outputs; out->name; out++)
		json_array_append_new(list, json_pack(
		    "{s:s, s:s, s:b, s:b}", "name", out->name, "help",
		    out->help, "on_request", out->on_request, "into",
		    (int)(o->changing_out >> (out - o->outputs) & 1)));
	return list;
}

static json_t *variants(const struct op *o)
{
	json_t *list = json_array();

	for (const struct variant *v = o->variants; v->name; v++)
		json_array_append_new(list, json_string(v->name));
	return list;
}

static json_t *refusals(const struct manual *m)
{
	json_t *list = json_array();

	for (const struct refusal *r = m->refusals; r->code; r++)
		json_array_append_new(list, json_pack("{s:o, s:i, s:s}",
		    "type", json_sprintf("/problems/%s", err_slug(r->code)),
		    "status", err_status(r->code), "when", r->when));
	return list;
}

static void add_manual(json_t *op, const struct op *o)
{
	const struct manual *m = manual_of(o);
	json_t *more = json_pack("{s:s?, s:s, s:s, s:s, s:s, s:o}",
	    "details", o->details, "mathematics", m->mathematics,
	    "work", m->work, "verdict", m->verdict, "source", m->source,
	    "refusals", refusals(m));

	json_object_update(op, more);
	json_decref(more);
}

static json_t *operation(const struct op *o)
{
	json_t *op = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}",
	    "name", o->name, "summary", o->summary,
	    "dtypes", dtypes(o->dtypes | (o->halves ? DTYPE_HALVES : 0)),
	    "inputs", inputs(o), "parameters", parameters(o),
	    "outputs", outputs(o), "variants", variants(o));

	add_manual(op, o);
	return op;
}

/* Returns the rows of the generators, the names that {"generate": NAME}
 * takes. */
static json_t *generators(void)
{
	json_t *list = json_array();
	const struct generator *g;

	for (size_t i = 0; (g = generator_at(i)); i++)
		json_array_append_new(list, json_pack(
		    "{s:s, s:s, s:b, s:b}", "name", generator_name(g),
		    "help", generator_help(g),
		    "square", generator_is_square(g),
		    "seeded", generator_is_seeded(g)));
	return list;
}

void sheets_ops(struct text *t)
{
	json_t *list = json_array();

	for (const struct op *const *o = ops; *o; o++)
		json_array_append_new(list, operation(*o));
	json_text_print(t, json_pack("{s:o, s:o}", "ops", list,
	                             "generators", generators()));
}

static json_t *requirements(const struct variant *v)
{
	json_t *list = json_array();
	const char *name;

	for (int i = 0; (name = variant_requirement(v, i)); i++)
		json_array_append_new(list, json_string(name));
	return list;
}

/* {"available": true} or {"available": false, "reason": ...}. */
static json_t *availability(const struct variant *v, const struct sheet *s)
{
	const char *reason = s ? variant_lacks(v, s) : "there is no device";
	json_t *o = json_pack("{s:b}", "available", !reason);

	if (reason)
		json_object_set_new(o, "reason", json_string(reason));
	return o;
}

/* One kernel of a variant: name, n characters long. */
static json_t *kernel(const struct op *o, const struct variant *v,
                      const char *name, size_t n,
                      const struct sheet_row *rows, int n_rows)
{
	json_t *row = json_pack("{s:s, s:s, s:s%, s:o, s:o, s:s}",
	                        "op", o->name, "variant", v->name,
	                        "kernel", name, n,
	                        "requires", requirements(v),
	                        "dtypes", dtypes(v->dtypes),
	                        "origin", v->origin);
	json_t *own = availability(v, n_rows ? rows[0].sheet : NULL);
	json_t *list = json_array();

	for (int i = 0; i < n_rows; i++) {
		json_t *d = availability(v, rows[i].sheet);

		json_object_set_new(d, "index",
		                    json_integer(rows[i].sheet->index));
		json_array_append_new(list, d);
	}
	json_object_update(row, own);
	json_decref(own);
	json_object_set_new(row, "devices", list);
	return row;
}

static void add_kernels(json_t *list, const struct op *o,
                        const struct variant *v, const char *s,
                        const struct sheet_row *rows, int n_rows)
{
	for (s += strspn(s, " "); *s; s += strspn(s, " ")) {
		const size_t n = strcspn(s, " ");

		json_array_append_new(list, kernel(o, v, s, n, rows, n_rows));
		s += n;
	}
}

void sheets_kernels(struct text *t, const struct sheet_row *rows, int n)
{
	json_t *list = json_array();

	for (const struct op *const *o = ops; *o; o++)
		for (const struct variant *v = (*o)->variants; v->name; v++)
			for (int i = 0; i < 2; i++)
				add_kernels(list, *o, v, i == 0 ? v->kernels :
				            v->more_kernels ?
				            v->more_kernels : "", rows, n);
	json_text_print(t, json_pack("{s:o}", "kernels", list));
}
