/* fuzz_journal.c - what a journal holds when it was damaged: a job's request
 * and answer, and packed matrices. Each is refused, or gives a job that can be
 * looked at and matrices whose every byte can be read.
 *
 * The first byte is even for packed matrices, whose checksums are then made
 * right if it has bit 1, else for the text of a request and, after a byte 0, of
 * an answer. */
#include <stddef.h>

#include "fuzz.h"
#include "http/job_text.h"
#include "journal/payload_file.h"
#include "matrix/store.h"
#include "queue/job_record.h"
#include "queue/tenant.h"

static struct tenants *tenants;
static struct store *store;

static uint64_t same_devices(void *arg, uint64_t indices)
{
	(void)arg;
	return indices;
}

static void look_at(struct job *j, const struct err *e)
{
	struct text t = { 0 };

	j->err = *e;
	j->state = e->code ? JOB_FAILED : JOB_SUCCESSFUL;
	j->parts_on = 0;
	job_text_stored(&t, j);
	job_text_quality(&t, j);
	job_text_timing(&t, NULL, j);
	text_fini(&t);
	job_unref(j);
}

static void try_texts(const char *request, const char *answer)
{
	const struct record_room room = {
		.tenants = tenants, .store = store, .memory = fuzz_pool(),
		.devices = same_devices,
	};
	struct err e = { 0 };
	struct job *j = record_read_request(request, &room, &e);

	fuzz_want(j || e.code);
	fuzz_want(!e.code || e.text[0]);
	if (j && !e.code)
		record_read_answer(j, answer, &e);
	if (j)
		look_at(j, &e);
}

static uint64_t sum;			/* of what was read */

static uint64_t sum_of(const struct memory *m, size_t n)
{
	return m ? fuzz_hash(0, m->data, n) : 0;
}

/* Gives the bytes the checksums of a good file, so that what they guard is
 * reached. */
static void put_sums(uint8_t *data, size_t n)
{
	struct payload_header h;
	size_t head;

	if (n < sizeof h)
		return;
	memcpy(&h, data, sizeof h);
	if (h.matrices > PAYLOAD_MOST)
		return;
	head = payload_head_bytes(h.matrices);
	if (n < head + sizeof h.crc)
		return;
	h.bytes = n;
	h.rows_crc = payload_crc(0, data + sizeof h, head - sizeof h);
	h.crc = payload_crc(0, &h, offsetof(struct payload_header, crc));
	memcpy(data, &h, sizeof h);
	h.crc = payload_crc(0, data + head, n - head - sizeof h.crc);
	memcpy(data + n - sizeof h.crc, &h.crc, sizeof h.crc);
}

static void try_packed(const uint8_t *data, size_t n)
{
	static struct matrix m[PAYLOAD_MOST];
	struct err e = { 0 };
	size_t n_read = 0;

	if (payload_unpack(data, n, "it", m, PAYLOAD_MOST, &n_read,
	                   fuzz_pool(), &e)) {
		fuzz_want(e.code && e.text[0]);
		return;
	}
	fuzz_want(n_read <= PAYLOAD_MOST);
	for (size_t i = 0; i < n_read; i++) {
		if (m[i].ndim == MATRIX_ABSENT)
			continue;
		sum += sum_of(m[i].memory, matrix_size(&m[i]));
		if (m[i].layout == CSR)
			sum += sum_of(m[i].index, matrix_index_size(&m[i]));
		matrix_fini(&m[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err e = { 0 };
	const char *answer;
	char *text;

	if (n < 1)
		return 0;
	if (!store) {
		tenants = tenants_new(&e);
		store = store_new(&e);
		fuzz_want(tenants && store);
	}
	text = calloc(1, n + 1);
	fuzz_want(text != NULL);
	memcpy(text, data + 1, n - 1);
	if (data[0] % 2 == 0) {
		if (data[0] & 2)
			put_sums((uint8_t *)text, n - 1);
		try_packed((const uint8_t *)text, n - 1);
		free(text);
		return 0;
	}
	answer = text + strlen(text);
	answer += answer < text + n - 1;
	try_texts(text, answer);
	free(text);
	fuzz_pool();
	return 0;
}
