/* plan_cpu.c - plans for CPUs: packed panels (Goto and van de Geijn, 2008); a
 * single launch that packs as it goes, if the product is small or C has few
 * rows or columns; or a matrix times a vector. docs/matmul.md explains the
 * choice. */
#include <math.h>

#include "base/size.h"
#include "ops/matmul/costs.h"
#include "ops/matmul/share.h"
#include "shared/matmul_tile.h"

static size_t panel_cols(const struct gemm_on *on)
{
	return MATMUL_PANEL_BYTES / dtype_bytes(on->t);
}

/* Work-groups that one product of the stack should have at least, so that all
 * compute units get nearly the same work. */
static size_t groups_wanted(const struct gemm_on *on, const struct product *p)
{
	return size_blocks(at_least_one(on->d->compute_units) *
	                   CPU_GROUPS_PER_UNIT, p->stack);
}

static size_t strips_of(const struct product *p)
{
	return size_blocks(p->m, MATMUL_STRIP);
}

static size_t panels_of(const struct gemm_on *on, const struct product *p)
{
	return size_blocks(p->n, panel_cols(on));
}

static void set_blocks(struct gemm_plan *g, const struct gemm_on *on,
                       const struct product *p, size_t m_blocks,
                       size_t n_blocks)
{
	g->m_blocks = m_blocks;
	g->n_blocks = n_blocks;
	g->rows = size_blocks(strips_of(p), m_blocks) * MATMUL_STRIP;
	g->cols = size_blocks(panels_of(on, p), n_blocks) * panel_cols(on);
	gemm_count_groups(g, p);
}

/* If there are more panels than work-groups wanted, a work-group gets several.
 * If there are too few, m is cut, but only into blocks of CPU_MIN_STRIPS strips
 * so that a packed panel is used often enough; then k is split; and m is cut
 * further if even that is not enough. */
void gemm_share_small(struct gemm_plan *g, const struct gemm_on *on,
                      const struct product *p)
{
	const size_t room = size_min(on->d->local_memory_bytes /
	                             MATMUL_PANEL_BYTES, MATMUL_ROOM);
	const size_t wanted = groups_wanted(on, p);
	const size_t strips = strips_of(p), panels = panels_of(on, p);
	const size_t wide = size_min(MATMUL_WIDE,
	                             at_least_one(panels / wanted));
	const size_t n_blocks = size_blocks(panels, wide);
	const size_t rest = size_blocks(wanted, n_blocks);
	const size_t high = size_min(rest,
	                             at_least_one(strips / CPU_MIN_STRIPS));
	const size_t k_splits = size_min(size_blocks(rest, high),
	    at_least_one(p->k / MATMUL_SMALL_KC));
	const size_t m_blocks = size_max(high, size_min(strips,
	    size_blocks(rest, 2 * k_splits)));

	if (g->depth == 0) {		/* the whole product: split k */
		g->k_splits = k_splits;
		g->depth = size_blocks(p->k, k_splits);
		g->kc = size_min(g->depth, size_min(at_least_one(room / wide),
		                                    MATMUL_SMALL_KC));
	}
	set_blocks(g, on, p, m_blocks, n_blocks);
}

/* Returns the least number of blocks along n that bounds a work-group's work,
 * if there are m_blocks along m. */
static size_t least_n_blocks(const struct gemm_on *on, const struct product *p,
                             size_t m_blocks)
{
	const double each = product_flops(p) / (double)(p->stack * m_blocks);

	return size_min(panels_of(on, p), at_least_one(
	    (size_t)ceil(each / (CPU_GROUP_MFLOPS * 1e6))));
}

/* A block of C has as many rows as the second-level cache has room for in the
 * packed A. m, and then n, is cut further until all compute units have an equal
 * share. */
void gemm_share_packed(struct gemm_plan *g, const struct gemm_on *on,
                       const struct product *p)
{
	const size_t strips = strips_of(p);
	const size_t strip_bytes = MATMUL_STRIP * MATMUL_DEPTH *
	                           dtype_bytes(on->t);
	const size_t most = at_least_one(
	    size_min(on->d->local_memory_bytes / 2, MATMUL_BLOCK_BYTES) /
	    strip_bytes);
	const size_t wanted = groups_wanted(on, p);
	size_t m_blocks = size_max(size_blocks(strips, most),
	    size_min(wanted, at_least_one(strips / CPU_MIN_STRIPS)));
	const size_t n_blocks = size_min(panels_of(on, p),
	                                 size_blocks(wanted, m_blocks));

	if (m_blocks > wanted)
		m_blocks = size_round_up(m_blocks, on->d->compute_units);
	else
		m_blocks = size_max(m_blocks, size_blocks(wanted, n_blocks));
	m_blocks = size_min(m_blocks, strips);
	g->depth = p->k;
	set_blocks(g, on, p, m_blocks,
	           size_max(n_blocks, least_n_blocks(on, p, m_blocks)));
}

/* Returns the k of a split, at least `least`, such that `groups` work-groups
 * become `wanted`. It is all of k if there are enough work-groups without a
 * split, as in a stack. */
static size_t matvec_depth(const struct product *p, size_t groups,
                           size_t wanted, size_t least)
{
	if (p->stack > 1 || groups >= wanted)
		return p->k;
	return size_min(p->k, size_round_up(size_max(least,
	    size_blocks(p->k, size_blocks(wanted, groups))), MATVEC_ALIGNED));
}

/* Plans y = A x without packing: a work-group reads `depth` elements of each of
 * `rows` rows of A, or of columns if A is stored as its transpose. */
static struct gemm_plan plan_matvec(const struct gemm_on *on,
                                    const struct product *p)
{
	const bool columns = p->a_col != 1 && p->a_row == 1;
	const size_t wanted = groups_wanted(on, p);
	const size_t most = MATVEC_MOST_GROUPS * wanted;
	struct gemm_plan g = gemm_plan_new(columns ? GEMM_MATVEC_COLUMNS :
	                                             GEMM_MATVEC_ROWS);

	if (!columns)
		g.rows = size_round_up(size_max(MATVEC_SHARE / p->k,
		    size_blocks(p->m, most)), MATVEC_ROWS);
	g.depth = matvec_depth(p, size_blocks(p->m, g.rows),
	                       columns ? most : wanted, MATVEC_SHARE /
	                       (columns ? size_min(p->m, g.rows) :
	                                  MATVEC_ROWS));
	g.k_splits = size_blocks(p->k, g.depth);
	gemm_share_tiles(&g, on, p);
	gemm_cut(&g, on, p, 1);
	return g;
}

static bool is_small(const struct gemm_on *on, const struct product *p)
{
	return product_flops(p) / (double)p->stack <= (double)CPU_SMALL_FLOPS ||
	       strips_of(p) <= CPU_FEW_STRIPS ||
	       panels_of(on, p) <= CPU_FEW_PANELS;
}

struct gemm_plan gemm_plan_cpu(const struct gemm_on *on,
                               const struct product *whole)
{
	const bool turned = whole->m == 1 && whole->n > 1;
	const struct product p = turned ? product_transposed(whole) : *whole;
	const bool small = is_small(on, &p);
	struct gemm_plan g;

	if (p.n == 1) {
		g = plan_matvec(on, &p);
		g.turned = turned;
		return g;
	}
	g = gemm_plan_new(small ? GEMM_SMALL : GEMM_PACKED);
	g.kernel->share(&g, on, &p);
	gemm_cut(&g, on, &p, small ? 1 : panel_cols(on));
	return g;
}

/* A packed panel of B must fit local memory, hence the limit of k. */
bool gemm_suits_batch(const struct product *p)
{
	return p->m > 1 && p->n > 1 && p->k > 0 && p->k <= MATMUL_DEPTH;
}

