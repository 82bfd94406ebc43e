/* plot.c - plots show every value at its place on the axis, and gaps; names
 * with XML's special characters are escaped. */
#include <math.h>
#include <stdio.h>

#include "bench/plot.h"
#include "bench/plot_frame.h"
#include "tests/test.h"

static const double powers[] = { 1, 10, 100 };

/* The plot's document, which the caller frees. */
static char *drawn(const struct plot *p)
{
	struct text t = { 0 };

	plot_svg(&t, p);
	ck_assert(!t.failed);
	return text_take(&t);
}

static char *drawn_line(const char *name, int dash, const double y[3])
{
	const struct plot_line line = { name, 1, dash, y };

	return drawn(&(struct plot){
		.title = "t", .subtitle = "s", .x_name = "x", .y_name = "y",
		.x = powers, .n = 3, .line = &line, .n_lines = 1 });
}

static int count(const char *s, const char *what)
{
	int n = 0;

	for (; (s = strstr(s, what)); s += strlen(what))
		n++;
	return n;
}

/* Does every stroke end before the next element begins? */
static bool strokes_are_closed(const char *s)
{
	while ((s = strstr(s, "points=\""))) {
		s += strlen("points=\"");
		s += strspn(s, "0123456789., ");
		if (strncmp(s, "\"/>\n", 4) != 0)
			return false;
	}
	return true;
}

START_TEST(decades_are_evenly_apart)
{
	const struct plot_scale s = { 1, 1000, 100, 400 };

	ck_assert_double_eq_tol(plot_place(&s, 1), 100, 1e-9);
	ck_assert_double_eq_tol(plot_place(&s, 10), 200, 1e-9);
	ck_assert_double_eq_tol(plot_place(&s, 100), 300, 1e-9);
	ck_assert_double_eq_tol(plot_place(&s, 1000), 400, 1e-9);
}
END_TEST

START_TEST(the_axis_holds_every_value)
{
	const double y[] = { 0.02, NAN, 35 }, z[] = { 0, 7, 9 };
	const struct plot_line lines[] = { { "a", 0, 0, y },
	                                   { "b", 0, 0, z } };
	const struct plot p = { .n = 3, .line = lines, .n_lines = 2 };
	const struct plot_scale s = plot_decades(&p, 0, 1);

	ck_assert_double_eq_tol(s.low, 0.01, 1e-12);
	ck_assert_double_eq_tol(s.high, 100, 1e-9);
}
END_TEST

START_TEST(an_axis_of_one_value_has_a_length)
{
	const double y[] = { 10, 10, 10 };
	const struct plot_line line = { "a", 0, 0, y };
	const struct plot p = { .n = 3, .line = &line, .n_lines = 1 };
	const struct plot_scale s = plot_decades(&p, 0, 1);

	ck_assert(s.high > s.low);
	ck_assert(plot_place(&s, 10) >= 0 && plot_place(&s, 10) <= 1);
}
END_TEST

START_TEST(a_point_stands_where_both_axes_say)
{
	const double y[] = { 1, 10, 100 };
	char *svg = drawn_line("a", 0, y), middle[64];

	/* A power law is the frame's diagonal. */
	snprintf(middle, sizeof middle, "cx=\"%.1f\" cy=\"%.1f\"",
	         (PLOT_MARGIN + PLOT_WIDTH - PLOT_NAMES) / 2.0,
	         (PLOT_TOP + PLOT_BOTTOM) / 2.0);
	ck_assert_ptr_nonnull(strstr(svg, middle));
	ck_assert_int_eq(count(svg, "<circle"), 3);
	free(svg);
}
END_TEST

START_TEST(a_missing_value_breaks_its_line)
{
	const double whole[] = { 1, 2, 3 }, broken[] = { 1, NAN, 3 };
	char *a = drawn_line("a", 0, whole), *b = drawn_line("b", 0, broken);

	/* Each line has a second stroke beside its name. */
	ck_assert_int_eq(count(a, "<polyline"), 2);
	ck_assert_int_eq(count(b, "<polyline"), 3);
	ck_assert_int_eq(count(b, "<circle"), 2);
	ck_assert_ptr_null(strstr(b, "nan"));
	ck_assert(strokes_are_closed(a) && strokes_are_closed(b));
	free(a);
	free(b);
}
END_TEST

START_TEST(a_line_without_values_has_no_name)
{
	const double none[] = { NAN, 0, INFINITY };
	char *svg = drawn_line("ghost", 0, none);

	ck_assert_ptr_null(strstr(svg, "ghost"));
	ck_assert_ptr_null(strstr(svg, "nan"));
	ck_assert_ptr_null(strstr(svg, "inf"));
	free(svg);
}
END_TEST

START_TEST(published_lines_are_dashed_and_ours_are_not)
{
	const double y[] = { 1, 2, 3 };
	char *dashed = drawn_line("a", 1, y), *solid = drawn_line("b", 0, y);

	ck_assert_int_eq(count(dashed, "stroke-dasharray=\"\""), 0);
	ck_assert_int_eq(count(solid, "stroke-dasharray=\"\""), 2);
	free(dashed);
	free(solid);
}
END_TEST

START_TEST(names_are_escaped)
{
	const double y[] = { 1, 2, 3 };
	char *svg = drawn_line("a < b & c > d\n", 0, y);

	ck_assert_ptr_nonnull(strstr(svg, ">a &lt; b &amp; c &gt; d</text>"));
	free(svg);
}
END_TEST

START_TEST(names_of_lines_that_meet_do_not_overlap)
{
	enum { LINES = 20 };
	const double y[] = { 1, 2, 3 };
	struct plot_line lines[LINES];
	double last = -INFINITY;
	char *svg, *at;

	for (int i = 0; i < LINES; i++)
		lines[i] = (struct plot_line){ "same", i, 0, y };
	svg = drawn(&(struct plot){
		.title = "t", .subtitle = "s", .x_name = "x", .y_name = "y",
		.x = powers, .n = 3, .line = lines, .n_lines = LINES });
	ck_assert_int_eq(count(svg, ">same<"), LINES);
	for (at = svg; (at = strstr(at, "class=\"ours\"")); at++) {
		char *start = at;
		double x, here;

		while (strncmp(start, "<text", 5) != 0)
			start--;
		ck_assert_int_eq(sscanf(start, "<text x=\"%lf\" y=\"%lf\"",
		                        &x, &here), 2);
		ck_assert(here >= last + PLOT_LINE - 0.2);
		ck_assert(here <= PLOT_BOTTOM + PLOT_LINE);
		ck_assert(here >= PLOT_TOP);
		last = here;
	}
	free(svg);
}
END_TEST

START_TEST(one_size_makes_bars_with_their_figures)
{
	const double a = 25, b = 1600, none = NAN;
	const struct plot_line lines[] = { { "theirs", 1, 1, &a },
	    { "ours", 1, 0, &b }, { "missing", 2, 0, &none } };
	char *svg = drawn(&(struct plot){
		.title = "t", .subtitle = "s", .x_name = "x", .y_name = "y",
		.x = powers, .n = 1, .line = lines, .n_lines = 3 });

	ck_assert_int_eq(count(svg, "<rect"), 3);	/* one is the page */
	ck_assert_ptr_nonnull(strstr(svg, ">25<"));
	ck_assert_ptr_nonnull(strstr(svg, ">1600<"));
	ck_assert_ptr_null(strstr(svg, "missing"));
	free(svg);
}
END_TEST

START_TEST(sizes_are_written_shortly)
{
	char text[PLOT_NUMBER];

	ck_assert_str_eq(plot_number(0.01, text), "0.01");
	ck_assert_str_eq(plot_number(8192, text), "8192");
	ck_assert_str_eq(plot_number(65536, text), "64K");
	ck_assert_str_eq(plot_number(33554432, text), "32M");
	ck_assert_str_eq(plot_number(100000, text), "100000");
}
END_TEST

TCase *tcase_plot(void)
{
	TCase *t = tcase_create("plot");

	tcase_add_test(t, decades_are_evenly_apart);
	tcase_add_test(t, the_axis_holds_every_value);
	tcase_add_test(t, an_axis_of_one_value_has_a_length);
	tcase_add_test(t, a_point_stands_where_both_axes_say);
	tcase_add_test(t, a_missing_value_breaks_its_line);
	tcase_add_test(t, a_line_without_values_has_no_name);
	tcase_add_test(t, published_lines_are_dashed_and_ours_are_not);
	tcase_add_test(t, names_are_escaped);
	tcase_add_test(t, names_of_lines_that_meet_do_not_overlap);
	tcase_add_test(t, one_size_makes_bars_with_their_figures);
	tcase_add_test(t, sizes_are_written_shortly);
	return t;
}
