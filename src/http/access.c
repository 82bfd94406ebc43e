/* access.c - see access.h. */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/log.h"
#include "http/access.h"
#include "http/peers.h"
#include "http/service.h"
#include "queue/audit.h"
#include "queue/stages.h"
#include "queue/tenant.h"

enum {
	CLIENT_LEFT = 499,		/* nginx's; HTTP has none */
	FIELDS = 24,
	TARGET = 512,			/* bytes of path and query, at most */
};

/* The facts of one line. */
struct facts {
	int n;
	struct log_field field[FIELDS + 1];
};

static void add_text(struct facts *f, const char *name, const char *text)
{
	if (text && *text && f->n < FIELDS)
		f->field[f->n++] = (struct log_field)LOG_TEXT(name, text);
}

static void add_number(struct facts *f, const char *name, double number)
{
	if (f->n < FIELDS)
		f->field[f->n++] = (struct log_field)LOG_NUMBER(name, number);
}

static void add_ms(struct facts *f, const char *name, int64_t ns)
{
	add_number(f, name, (double)(ns / 1000) / 1000);
}

void access_shapes(struct exchange *x, const struct args *args)
{
	struct access *a = &x->access;

	if (x->options->log_shapes)
		audit_shapes(args, a->shapes, sizeof a->shapes);
}

void access_job(struct exchange *x, struct job *j)
{
	if (!x->access.job)
		x->access.job = job_ref(j);
}

void access_token(struct exchange *x, const char *name)
{
	snprintf(x->access.token, sizeof x->access.token, "%s", name);
}

void access_problem(struct exchange *x, const struct err *e)
{
	x->access.problem = e->code;
	strcpy(x->access.detail, e->text);
}

void access_fini(struct access *a)
{
	job_unref(a->job);
	*a = (struct access){ 0 };
}

static const char *client_of(const struct exchange *x, char text[64])
{
	struct sockaddr_storage s;
	socklen_t n = sizeof s;

	text[0] = 0;
	if (getpeername(x->peer->fd, (struct sockaddr *)&s, &n))
		return text;
	if (s.ss_family == AF_UNIX)
		return "unix";
	getnameinfo((struct sockaddr *)&s, n, text, 64, NULL, 0,
	            NI_NUMERICHOST);
	return text;
}

/* Adds a job's times to the line of the request that submitted it; a request
 * for a job's state gets only the job's id. */
static void add_job(struct facts *f, const struct exchange *x,
                    const struct op *ran)
{
	const struct job *j = x->access.job;

	if (!j)
		return;
	add_text(f, "job", j->id);
	if (!ran || !job_state_is_end(j->state))
		return;
	if (j->device >= 0)
		add_number(f, "device", j->device);
	add_text(f, "variant", j->variant);
	for (enum stage s = 0; s < STAGE_total; s++)
		if (stage_ns(s, j) > 0 || !stage_is_rare(s))
			add_ms(f, stage_field(s), stage_ns(s, j));
}

/* Returns the operation that the request runs, or NULL if it runs none. */
static const struct op *op_of(const struct exchange *x)
{
	const struct handler *h = x->route ? x->route->handler : NULL;

	if (h != &run_handler && h != &infer_handler)
		return NULL;
	if (x->route->arg)
		return x->route->arg;
	return x->access.job ? x->access.job->args.op : NULL;
}

static void add_all(struct facts *f, const struct exchange *x,
                    const char *client)
{
	const struct op *ran = op_of(x);

	add_text(f, "op", ran ? ran->name : NULL);
	add_text(f, "shapes", x->access.shapes);
	add_job(f, x, ran);
	add_ms(f, "total_ms", clock_ns() - x->first_byte_ns);
	add_number(f, "bytes_in", (double)x->taken);
	add_number(f, "bytes_out", x->method == HEAD ? 0 : (double)x->sent);
	add_text(f, "trace", x->traceparent.id);
	add_text(f, "span", x->traceparent.span);
	add_text(f, "token", x->access.token);
	add_text(f, "tenant", x->tenant ? x->tenant->name : NULL);
	add_text(f, "client", client);
	if (x->access.problem != ERR_NONE) {
		add_text(f, "problem", err_slug(x->access.problem));
		add_text(f, "detail", x->access.detail);
	}
	if (x->aborted)
		add_text(f, "end", "aborted");
}

bool access_is_probe(const struct exchange *x)
{
	return x->route && (x->route->arg == &page_health ||
	                    x->route->arg == &page_ready);
}

int access_status(const struct exchange *x)
{
	const int status = x->access.status ? x->access.status :
	                   x->reply.status;

	return status ? status : CLIENT_LEFT;
}

void access_write(const struct exchange *x, enum access_log which)
{
	const int status = access_status(x);
	const char *const method = method_name(x->method);
	char target[TARGET], client[64];
	struct facts said = { 0 }, facts = { 0 };

	if (access_is_probe(x) || (status < 400 && which != ACCESS_ON))
		return;
	snprintf(target, sizeof target, "%s%s%s", x->path,
	         x->query ? "?" : "", x->query ? x->query : "");
	add_text(&said, "method", method);
	add_text(&said, "path", x->path);
	add_text(&said, "query", x->query);
	add_number(&said, "status", status);
	add_all(&facts, x, client_of(x, client));
	log_record(status < 500 ? LOG_LEVEL_INFO : LOG_LEVEL_WARN, said.field,
	           facts.field, "%s %s %d", method, target, status);
}
