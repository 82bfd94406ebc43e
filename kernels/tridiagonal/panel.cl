/* panel.cl - the columns of a panel of the tridiagonal reduction in one launch.
 * The head of sytrd.cl describes the mathematics and the layout of the arrays.
 * The two launches that sytrd.cl needs for each column are two phases here, and
 * all work-groups wait for each other after each phase.
 *
 *     sytrd_panel   columns p to p + cols - 1
 *
 * All work-groups must be co-resident. Each adds 1 to *arrived at the end of a
 * phase; *arrived is 0 before the first panel, and `passed` is the number of
 * phases of all earlier panels. On an NVIDIA device, a work-group that has
 * polled *arrived PATIENCE times in vain ends the kernel with a fault instead
 * of hanging.
 */
#include "tridiagonal/column.h"
#include "lib/meet.h"

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void sytrd_panel(global real *a, int n, int ld, int p, int cols,
                 global real *x, global real *pp, global real *q,
                 global real *y, global real *s, global wide *products,
                 global wide *t, volatile global int *arrived, int passed)
{
	local struct sums l;
	const int group = get_group_id(0), groups = get_num_groups(0);
	struct column c = { a, n, ld, p, x, pp, q, 0, y, s, products, t };
	struct head head;

	column_head(&head, &c, group);

	for (int i = 0; i < cols; i++) {
		const int blocks = all_blocks(&c);
		const int parts = (n - c.p - 1 + ROWS - 1) / ROWS;
		struct reflection h;
		struct common u;
		struct near near;
		real own_y;
		int b;

		/* Another work-group may have written a row of Q after this one
		 * had called column_head(). */
		if (row_number(&c, group) >= n)
			column_head(&head, &c, group);
		for (b = group; b == group || b < blocks; b += groups) {
			if (b != group)
				column_head(&head, &c, b);
			column_times(&c, &head, b, b == group, &h, &l);
		}
		if (group == 0 && get_local_id(0) == 0) {
			t[n + c.p] = h.beta;
			t[2 * n + c.p] = h.tau;
		}
		column_near(&near, &c, group);
		meet(arrived, passed + 2 * i + 1);
		own_y = column_y(&c, group);
		u = column_common(&c, &near, h, &l);
		column_next(&c, &u, &near, own_y, group, &l);
		for (b = group + groups; b < parts; b += groups) {
			barrier(CLK_LOCAL_MEM_FENCE);
			column_near(&near, &c, b);
			column_next(&c, &u, &near, column_y(&c, b), b, &l);
		}
		c.p++;
		c.count += 2;
		column_head(&head, &c, group);
		meet(arrived, passed + 2 * i + 2);
	}
}
