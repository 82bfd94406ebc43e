/* fuzz_pipelines.c - arbitrary JSON as requests for a pipeline, and as
 * descriptions to be saved: what is accepted has become a pipeline whose steps
 * were checked, and all memory returns to the pool. */
#include "fuzz.h"

#include "format/formats.h"
#include "http/draft.h"
#include "queue/state.h"

static struct engine *engine;
static const struct tenant *tenant;
static struct store *store;

static void make_engine(void)
{
	struct err e = { 0 };

	store = store_new(&e);
	fuzz_want(store != NULL);

	engine = calloc(1, sizeof *engine);
	fuzz_want(engine != NULL);
	engine->tenants = tenants_new(&e);
	fuzz_want(engine->tenants != NULL);
	tenant = tenants_get(engine->tenants, "", &e);
	fuzz_want(tenant != NULL);
	engine->n_workers = 1;
	engine->worker[0].sheet = (struct sheet){
		.type = DEVICE_CPU, .name = "a processor", .float64 = true,
	};
}

struct room {
	struct args args;
	struct request request;
	struct keeping *keeping;
	struct draft *draft;
};

static void begin(struct room *r, struct memory_pool *pool)
{
	struct err e = { 0 };

	*r = (struct room){ 0 };
	args_init(&r->args, &draft_op);
	fuzz_want(request_init(&r->request, engine, &r->args, &e) == 0);
	request_set_tenant(&r->request, tenant);
	r->request.keeping = &r->keeping;
	r->request.store = store;
	r->draft = draft_new(&r->request, pool, &e);
	fuzz_want(r->draft != NULL);
}

static void end(struct room *r)
{
	draft_free(r->draft);
	args_fini(&r->args);
	request_fini(&r->request);
	free(r->keeping);
}

/* Does what run.c does with a body, on one thread. */
static bool read_body(struct room *r, struct sink *sink, const uint8_t *data,
                      size_t n, struct err *e)
{
	static const char media[] = "application/json";
	struct reader *reader = format_find(media)->open(sink, media, n, e);
	bool work = false, later, taken;

	taken = reader && reader_feed(reader, data, n, e) == 0 &&
	        reader_end(reader, &work, e) == 0;
	later = work;
	taken = taken && (later || reader_finish(reader, e) == 0) &&
	        draft_build(r->draft, &r->args, &work, e) == 0;
	if (taken && later) {
		sink_retire(sink);
		taken = reader_finish(reader, e) == 0;
	}
	reader_free(reader);
	return taken && draft_prepare(r->draft, &r->args, e) == 0;
}

static void try_request(struct memory_pool *pool, const uint8_t *data,
                        size_t n)
{
	struct err e = { 0 };
	struct sink sink;
	struct room r;
	bool taken;

	begin(&r, pool);
	sink = draft_sink(r.draft);
	sink.arrived = NULL;		/* the engine has no workers */
	taken = read_body(&r, &sink, data, n, &e);
	fuzz_want(taken == (e.code == ERR_NONE));
	fuzz_want(taken || e.text[0]);
	fuzz_want(e.code != ERR_INTERNAL);
	if (taken)
		fuzz_want(r.args.pipeline->n > 0 &&
		          r.args.pipeline->n <= PIPELINE_STEPS);
	end(&r);
}

static void try_description(struct memory_pool *pool, const char *text)
{
	struct err e = { 0 };
	struct room r;
	struct pipeline *p = NULL;

	begin(&r, pool);
	if (draft_describe(r.draft, text, &e) == 0)
		p = draft_steps(r.draft, &e);
	fuzz_want((p != NULL) == (e.code == ERR_NONE));
	r.draft->pipeline = NULL;
	pipeline_free(p);
	end(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct memory_pool *const pool = fuzz_pool();
	char *text = malloc(n + 1);

	if (!engine)
		make_engine();
	fuzz_want(text != NULL);
	memcpy(text, data, n);
	text[n] = 0;
	try_request(pool, data, n);
	try_description(pool, text);
	free(text);
	return 0;
}
