// SPDX-License-Identifier: GPL-2.0
/* Charts as PNG and SVG files, for mails and READMEs, drawn by gnuplot. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "images.h"
#include "plots.h"

static void file_stem(const struct row *row, char *stem, size_t size)
{
	char *at;

	row_describe(row, stem, size);
	for (at = stem; *at; at++)
		if (!isalnum((unsigned char)*at))
			*at = '-';
}

/* Names come from files of others: none may end its quotes. */
static void put_quoted(FILE *gnuplot, const char *text)
{
	fputc('\'', gnuplot);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', gnuplot);
		fputc(iscntrl((unsigned char)*text) ? ' ' : *text, gnuplot);
	}
	fputc('\'', gnuplot);
}

static void put_output(FILE *gnuplot, const char *directory, const char *stem, const char *suffix)
{
	char path[4600];

	snprintf(path, sizeof(path), "%s/%s.%s", directory, stem, suffix);
	fputs("set output ", gnuplot);
	put_quoted(gnuplot, path);
	fputc('\n', gnuplot);
}

static void put_data(const struct chart *chart, FILE *gnuplot)
{
	const struct chart_point *point;
	size_t i;

	for (i = 0; i < chart->nr_series; i++) {
		fprintf(gnuplot, "$data%zu << END\n", i);
		for (point = chart->series[i].points;
		     point < chart->series[i].points + chart->series[i].nr; point++)
			fprintf(gnuplot, "%g %.9g %.9g %.9g\n", point->x, point->y, point->low, point->high);
		fputs("END\n", gnuplot);
	}
}

static void put_plot(const struct chart *chart, FILE *gnuplot)
{
	static const char *const colours[] = {
		"#7a7f85", "#c2570c", "#0b62b8", "#0a7d5a", "#8a3fb0", "#a37b00", "#b0305f", "#3d6f78",
	};
	const char *between = "plot ";
	size_t i;

	for (i = 0; i < chart->nr_series; i++) {
		if (!chart->series[i].nr)
			continue;
		fprintf(gnuplot, "%s$data%zu with lines lw 2 lc rgb '%s' title ", between, i,
			colours[chart->series[i].colour % 8]);
		put_quoted(gnuplot, chart->series[i].name);
		fprintf(gnuplot, ", $data%zu with yerrorbars pt 7 ps 0.6 lc rgb '%s' notitle", i,
			colours[chart->series[i].colour % 8]);
		between = ", ";
	}
	fputc('\n', gnuplot);
}

static void put_settings(const struct chart *chart, FILE *gnuplot)
{
	size_t i;

	fputs("set title ", gnuplot);
	put_quoted(gnuplot, chart->title);
	fprintf(gnuplot, "\nset xlabel '%s'\nset ylabel '%s'\nset key outside bottom center horizontal\nset grid ytics\n",
		chart->x_label, chart->y_label);
	fputs(chart->y_log ? "set logscale y\n" : "set yrange [0:*]\n", gnuplot);
	fputs(chart->x_log ? "set logscale x\n" : "", gnuplot);
	fprintf(gnuplot, "set xrange [%g:%g]\n", 0.9 * chart->x_ticks[0].at,
		1.1 * chart->x_ticks[chart->nr_x_ticks - 1].at);
	fputs("set format y '%.0s%c'\nset xtics (", gnuplot);
	for (i = 0; i < chart->nr_x_ticks; i++)
		fprintf(gnuplot, "%s'%s' %g", i ? ", " : "", chart->x_ticks[i].label, chart->x_ticks[i].at);
	fputs(")\n", gnuplot);
}

static bool has_points(const struct chart *chart)
{
	size_t i;

	for (i = 0; i < chart->nr_series; i++)
		if (chart->series[i].nr)
			return true;
	return false;
}

static int draw(const struct chart *chart, const char *directory, const char *stem, char *why,
		size_t size)
{
	FILE *gnuplot;
	int status;

	if (!has_points(chart))
		return 0;
	gnuplot = popen("gnuplot >&2", "we");	/* standard output is the path's */
	if (!gnuplot) {
		snprintf(why, size, "cannot start gnuplot: %s", strerror(errno));
		return -1;
	}
	put_data(chart, gnuplot);
	put_settings(chart, gnuplot);
	fputs("set terminal pngcairo size 960,600 font 'Sans,12'\n", gnuplot);
	put_output(gnuplot, directory, stem, "png");
	put_plot(chart, gnuplot);
	fputs("set terminal svg size 960,600 font 'Sans,14' background 'white'\n", gnuplot);
	put_output(gnuplot, directory, stem, "svg");
	put_plot(chart, gnuplot);
	status = pclose(gnuplot);
	if (!status)
		return 0;
	snprintf(why, size, "gnuplot ended with status %d: apt-get install gnuplot-nox",
		 WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return -1;
}

/**
 * images_write - a PNG and an SVG file for each block
 * @directory: created if it is not there
 *
 * Return: 0, or -1 with @why filled in.
 */
int images_write(const struct dataset *dataset, const char *directory, char *why, size_t size)
{
	char stem[256];
	struct chart *chart;
	size_t i, j;
	int error = 0;

	if (mkdir(directory, 0777) && errno != EEXIST) {
		snprintf(why, size, "cannot create %s: %s", directory, strerror(errno));
		return -1;
	}
	for (i = 0; !error && i < dataset->nr_rows; i++) {
		for (j = 0; j < i && !row_same_block(&dataset->rows[j], &dataset->rows[i]); j++)
			;
		if (j < i)
			continue;	/* drawn with an earlier row */
		file_stem(&dataset->rows[i], stem, sizeof(stem));
		chart = plot_values(dataset, &dataset->rows[i]);
		error = draw(chart, directory, stem, why, size);
		plot_free(chart);
	}
	return error;
}
