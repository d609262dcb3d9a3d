// SPDX-License-Identifier: GPL-2.0
/* Tests of the parts that measure nothing: parsers, names, figures, table. KTAP. */
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "kernel.h"
#include "latency.h"
#include "placement.h"
#include "policy.h"
#include "stats.h"
#include "table.h"
#include "threadlist.h"
#include "workload.h"

static unsigned int tests, failed;

static void __attribute__((format(printf, 2, 3))) check(bool ok, const char *format, ...)
{
	va_list arguments;

	failed += !ok;
	printf("%s %u ", ok ? "ok" : "not ok", ++tests);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
}

static void check_threadlist(const char *text, const char *expected)
{
	struct threadlist list;
	char why[256] = "", got[1024] = "";
	size_t i;

	if (!threadlist_parse(&list, text, why, sizeof(why)))
		for (i = 0; i < list.nr; i++)
			sprintf(got + strlen(got), "%s%u", i ? " " : "", list.counts[i]);
	check(expected ? !strcmp(got, expected) && !why[0] : strstr(why, text) != NULL,
	      "thread list '%s' is %s", text, expected ? expected : "refused by name");
	threadlist_free(&list);
}

static void test_threadlists(void)
{
	static const char *const bad[] = {
		"", ",", "0", "-1", "1,", ",1", "1,,2", "5-1", "1-", "1-5:0", "1-5:", "1:2", "x",
		"1 2", "1-5-9", "1000001", "99999999999999999999", "0x10", "+1",
	};
	size_t i;

	check_threadlist("4", "4");
	check_threadlist("1,2,3", "1 2 3");
	check_threadlist("10-50:10,200-500:100", "10 20 30 40 50 200 300 400 500");
	check_threadlist("1-4", "1 2 3 4");
	check_threadlist("1-6:4", "1 5");
	check_threadlist("7-7", "7");
	check_threadlist("1000000", "1000000");
	check_threadlist("8,2", "8 2");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_threadlist(bad[i], NULL);
}

static void test_threadlist_size(void)
{
	struct threadlist list;
	char why[256];

	check(threadlist_parse(&list, "1-1000000", why, sizeof(why)) == -1,
	      "a million points are refused");
	threadlist_free(&list);
	check(!threadlist_parse(&list, "3,9,2", why, sizeof(why)) && threadlist_max(&list) == 9,
	      "the largest count of a list");
	threadlist_free(&list);
}

static void check_policy(const char *text, int policy, int priority)
{
	struct policy got = { };
	int error = policy_parse(&got, text);

	check(policy < 0 ? error : !error && got.policy == policy && got.priority == priority,
	      "policy '%s'%s", text, policy < 0 ? " is refused" : "");
}

static void test_policies(void)
{
	static const char *const bad[] = {
		"", "FIFO", "fifo:", "fifo:0", "fifo:99", "fifo:-1", "fifo:1x", "fifo: 1",
		"other:1", "fif", "fifox", "rr:+5", "batch",
	};
	size_t i;

	check_policy("other", SCHED_OTHER, 0);
	check_policy("fifo", SCHED_FIFO, POLICY_DEFAULT_PRIORITY);
	check_policy("fifo:98", SCHED_FIFO, 98);
	check_policy("rr:1", SCHED_RR, 1);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_policy(bad[i], -1, 0);
}

static void check_placement(const char *text, bool good)
{
	struct placement placement;
	char why[256] = "";
	int error = placement_parse(&placement, text, why, sizeof(why));

	check(good ? !error : error && strstr(why, text), "placement '%s' is %s", text,
	      good ? "taken" : "refused by name");
	placement_free(&placement);
}

static void test_placements(void)
{
	static const char *const good[] = { "none", "spread", "compact", "node:0" };
	static const char *const bad[] = {
		"", "node:", "node:x", "node:999", "1-", ",0", "0,,", "99999", "0-", "all", "0x1",
	};
	char own[16];
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		check_placement(good[i], true);
	snprintf(own, sizeof(own), "%d", sched_getcpu());
	check_placement(own, true);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		check_placement(bad[i], false);
}

static void check_name(const char *release, bool coarse, const char *expected)
{
	char name[65];

	kernel_name(release, coarse, name, sizeof(name));
	check(!strcmp(name, expected), "kernel %s%s is %s", release, coarse ? " (coarse)" : "",
	      expected);
}

static void test_kernels(void)
{
	check_name("6.12.117-stock-preempt", false, "stock");
	check_name("6.12.117-fine-rt-lockdep", false, "fine");
	check_name("6.12.117-fine-rt", true, "coarse");
	check_name("6.1.0-21-amd64", false, "6.1.0-21-amd64");
	check_name("6.12-finest", false, "6.12-finest");
	check(!strcmp(kernel_flavour("#1 SMP PREEMPT_RT Mon"), "rt"), "flavour rt");
	check(!strcmp(kernel_flavour("#1 SMP PREEMPT_DYNAMIC Mon"), "preempt"), "flavour preempt");
	check(!strcmp(kernel_flavour("#1 SMP Mon"), "plain"), "flavour plain");
}

static void test_median(void)
{
	double odd[] = { 9, 1, 5 }, even[] = { 4, 1, 3, 2 }, one[] = { 7 };

	check(stats_median(odd, 3) == 5, "median of three");
	check(stats_median(even, 4) == 2.5, "median of four");
	check(stats_median(one, 1) == 7, "median of one");
}

static bool near(double got, double exact)
{
	return got > exact - 1e-6 * (1 + exact) && got < exact + 1e-6 * (1 + exact);
}

/* Exact: R 4.2's mean(), sd() and t.test(). */
static void test_summary(void)
{
	static const double runs[] = { 37367, 38011, 36500, 37900, 37022 };
	static const double wild[] = { 1, 9, 2 }, even[] = { 3, 1, 1 };
	struct summary got;

	stats_summarise(runs, 5, &got);
	check(got.n == 5 && got.median == 37367 && got.min == 36500 && got.max == 38011,
	      "median and extremes of five runs");
	check(near(got.mean, 37360) && near(got.sd, 626.3573261326158), "mean and deviation");
	check(near(got.low, 36582.2746581) && near(got.high, 38137.7253419), "confidence interval");
	check(!got.unusable, "runs that agree are usable");
	stats_summarise(runs, 1, &got);
	check(got.median == 37367 && got.sd == 0 && got.low != got.low, "one run has no interval");
	stats_summarise(wild, 3, &got);
	check(got.unusable, "runs that differ by twice their mean are unusable");
	stats_summarise(even, 3, &got);
	check(got.unusable, "runs that differ by more than their mean are unusable");
}

static void test_fairness(void)
{
	static const double equal[] = { 5, 5, 5, 5 }, one[] = { 8, 0, 0, 0 }, some[] = { 1, 2, 3 };

	check(near(stats_jain(equal, 4), 1), "fairness of equal shares");
	check(near(stats_jain(one, 4), 0.25), "fairness where one has everything");
	check(near(stats_jain(some, 3), 36.0 / 42), "fairness of 1, 2, 3");
}

/*
 * Exact p: all 252 or 462 ways to choose the runs of the first kernel were counted. With ties:
 * R 4.2's wilcox.test(). Adjusted: R 4.2's p.adjust(, "BH").
 */
static void test_mann_whitney(void)
{
	static const double low[] = { 1, 2, 3, 4, 5 }, high[] = { 6, 7, 8, 9, 10 };
	static const double a[] = { 1, 4, 6, 9, 12 }, b[] = { 2, 3, 5, 7, 8 };
	static const double c[] = { 11, 12, 13, 14, 15, 16 }, d[] = { 1, 2, 3, 17, 18 };
	static const double ties[] = { 1, 2, 2, 4, 5 }, more[] = { 2, 6, 7, 8, 9 };
	double p[] = { 0.01, 0.04, 0.03, 0.005, 0.8 };

	check(near(stats_mann_whitney(low, 5, high, 5), 2.0 / 252), "p of five below five");
	check(near(stats_mann_whitney(high, 5, low, 5), 2.0 / 252), "p of five above five");
	check(near(stats_mann_whitney(a, 5, b, 5), 174.0 / 252), "p of runs that mingle");
	check(near(stats_mann_whitney(c, 6, d, 5), 306.0 / 462), "p of six and five runs");
	check(near(stats_mann_whitney(ties, 5, more, 5), 0.0570079424649), "p with ties");
	check(stats_mann_whitney(low, 5, low, 5) == 1, "p of runs and themselves");
	stats_adjust(p, 5);
	check(near(p[0], 0.025) && near(p[1], 0.05) && near(p[2], 0.05) && near(p[3], 0.025) &&
	      near(p[4], 0.8), "p corrected over rows");
}

/* Every bucket begins where the one before ends, and is narrower than 1 % of its values. */
static void test_buckets(void)
{
	bool adjacent = true, narrow = true;
	uint64_t low, next;
	unsigned int i;

	for (i = 0; i + 1 < HISTOGRAM_BUCKETS; i++) {
		low = histogram_lowest(i);
		next = histogram_lowest(i + 1);
		adjacent = adjacent && next > low && (next == low + 1 || low >= 256);
		narrow = narrow && (next - low - 1) * 100 <= low;
	}
	check(adjacent && !histogram_lowest(0), "buckets leave no gap");
	check(narrow, "buckets are narrower than 1 %% of their values");
}

static void check_quantile(const struct histogram *histogram, double share, double exact)
{
	double got = histogram_quantile(histogram, share);

	check(got >= 0.99 * exact && got <= 1.01 * exact, "quantile %g is %g, exactly %g", share, got,
	      exact);
}

/* 1 to 1000000 once each: the quantiles are known without any computation. */
static void test_quantiles(void)
{
	static struct histogram low, high;
	uint64_t value;

	histogram_clear(&low);
	histogram_clear(&high);
	check(!histogram_quantile(&low, 0.5), "no values, no quantile");
	for (value = 1; value <= 1000000; value++)
		histogram_add(value % 2 ? &low : &high, value);
	histogram_merge(&low, &high);
	check(low.total == 1000000 && low.min == 1 && low.max == 1000000, "merged histograms");
	check_quantile(&low, 0, 1);
	check_quantile(&low, 0.0001, 100);
	check_quantile(&low, 0.5, 500000);
	check_quantile(&low, 0.99, 990000);
	check_quantile(&low, 0.9999, 999900);
	check_quantile(&low, 1, 1000000);
	histogram_clear(&low);
	histogram_add(&low, 12345);
	check(histogram_quantile(&low, 0.5) == 12345 && histogram_quantile(&low, 1) == 12345,
	      "one value is its own quantile");
	histogram_add(&low, UINT64_MAX);
	check(low.max == UINT64_MAX && histogram_quantile(&low, 0.5) == 12345,
	      "a value beyond all buckets is counted");
}

static void test_latencies_over_runs(void)
{
	static const struct latency runs[] = {
		{ 10, { 3, 20, 30, 40, 50, 100 } }, { 20, { 1, 40, 10, 60, 70, 900 } },
		{ 30, { 2, 30, 20, 50, 60, 200 } },
	};
	struct latency got;

	latency_over_runs(runs, 3, &got);
	check(got.operations == 60 && got.ns[LATENCY_MIN] == 1 && got.ns[LATENCY_P50] == 30 &&
	      got.ns[LATENCY_P99] == 20 && got.ns[LATENCY_P9999] == 60 && got.ns[LATENCY_MAX] == 900,
	      "latencies over runs: medians, but the extremes of all");
}

static void test_table(void)
{
	static const char *const expected =
		"threads   stock    fine\n"
		"      1  610652  failed\n"
		"    500    97.3   3.125\n";
	struct table table;
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	table_init(&table, 3);
	table_add(&table, "threads");
	table_add(&table, "stock");
	table_add(&table, "fine");
	table_add(&table, "1");
	table_add_rate(&table, 610652.4);
	table_add(&table, "failed");
	table_add(&table, "500");
	table_add_rate(&table, 97.26);
	table_add_rate(&table, 3.125);
	table_print(&table, out);
	fclose(out);
	check(!strcmp(got, expected), "table layout");
	if (strcmp(got, expected))
		printf("# got\n%s# expected\n%s", got, expected);
	table_free(&table);
	free(got);
}

static void test_workloads(void)
{
	const struct workload *const *at;

	for (at = workloads; *at; at++)
		check(workload_find((*at)->name, strlen((*at)->name)) == *at && (*at)->step &&
		      (*at)->about, "workload %s is complete", (*at)->name);
	check(!workload_find("singles", 7) && !workload_find("sing", 4), "no workload by half a name");
}

int main(void)
{
	printf("KTAP version 1\n");
	test_threadlists();
	test_threadlist_size();
	test_policies();
	test_placements();
	test_kernels();
	test_median();
	test_summary();
	test_fairness();
	test_mann_whitney();
	test_buckets();
	test_quantiles();
	test_latencies_over_runs();
	test_table();
	test_workloads();
	printf("1..%u\n# %u passed, %u failed\n", tests, tests - failed, failed);
	return failed != 0;
}
