// SPDX-License-Identifier: GPL-2.0
/* What a report's page tells about machines, and the commands that were typed on them. */
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "chart.h"
#include "pageparts.h"
#include "state.h"

/* Columns that are no kernels share a machine. */
static bool is_told(const struct dataset *dataset, unsigned int column)
{
	unsigned int i;

	for (i = 0; i < column; i++)
		if (dataset->columns[i].machine == dataset->columns[column].machine)
			return true;
	return false;
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key)) ?: "-";
}

static void put_words(FILE *out, const char *text)
{
	fputs("<td>", out);
	put_escaped(out, text);
	fputs("</td>", out);
}

static void put_machine_row(const struct page *page, const struct column *column)
{
	const json_t *box = json_object_get(column->machine, "box");

	fputs("<tr>", page->out);
	put_words(page->out, *column->value ? column->kernel : column->title);
	put_words(page->out, column->release);
	put_words(page->out, text_of(column->machine, "version"));
	put_words(page->out, text_of(column->machine, "hypervisor"));
	fprintf(page->out, "<td>%lld</td>", json_integer_value(json_object_get(box, "cpus")));
	put_words(page->out, text_of(box, "processor"));
	fputs("</tr>\n", page->out);
}

static void print_nodes(const json_t *nodes, FILE *out)
{
	box_print_nodes(out, nodes);
}

static void print_state(const json_t *state, FILE *out)
{
	state_print(state, out);
}

static void put_details(const struct page *page, const char *summary, const char *of,
			const json_t *value, void (*print)(const json_t *value, FILE *out))
{
	char *text;
	size_t size;
	FILE *out;

	if (!json_object_size(value) && !json_array_size(value))
		return;
	out = open_memstream(&text, &size);
	print(value, out);
	fclose(out);
	fprintf(page->out, "<details><summary>%s", summary);
	put_escaped(page->out, of);
	fputs("</summary><pre>", page->out);
	put_escaped(page->out, text);
	fputs("</pre></details>\n", page->out);
	free(text);
}

/** page_machines - kernels, processors, nodes, and the state of each machine */
void page_machines(const struct page *page)
{
	const struct dataset *dataset = page->dataset;
	const json_t *machine;
	unsigned int i;

	fputs("<section>\n<h2>Machine</h2>\n<div class=\"scroll\"><table class=\"words\">\n"
	      "<tr><th>kernel</th><th>release</th><th>version</th><th>runs under</th><th>CPUs</th><th>processor</th></tr>\n",
	      page->out);
	for (i = 0; i < dataset->nr_columns; i++)
		if (!is_told(dataset, i))
			put_machine_row(page, &dataset->columns[i]);
	fputs("</table></div>\n", page->out);
	machine = dataset->nr_columns ? dataset->columns[0].machine : NULL;
	put_details(page, "Nodes", "", json_object_get(json_object_get(machine, "box"), "nodes"),
		    print_nodes);
	for (i = 0; i < dataset->nr_columns; i++)
		if (!is_told(dataset, i))
			put_details(page, "State before measuring: ", dataset->columns[i].kernel,
				    json_object_get(dataset->columns[i].machine, "state"), print_state);
	fputs("</section>\n", page->out);
}

/* A word of a command line, quoted where the shell would not take it as it is. */
static void put_word(FILE *out, const char *word)
{
	const char *at;

	if (*word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:+@%") ==
	    strlen(word)) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (at = word; *at; at++) {
		char character[2] = { *at };

		if (*at == '\'')
			fputs("'\\''", out);
		else
			put_escaped(out, character);
	}
	fputc('\'', out);
}

static void put_command(const struct page *page, const json_t *command)
{
	const json_t *word;
	size_t i;

	if (!json_array_size(command))
		return;
	fputs("<pre>", page->out);
	json_array_foreach(command, i, word) {
		if (i)
			fputc(' ', page->out);
		put_word(page->out, json_string_value(word) ?: "");
	}
	fputs("</pre>\n", page->out);
}

/** page_commands - that of a sweep, else those of all sessions */
void page_commands(const struct page *page)
{
	const struct dataset *dataset = page->dataset;
	const json_t *record;
	unsigned int file;
	size_t i;

	fputs("<section>\n<h2>Commands</h2>\n", page->out);
	put_command(page, json_object_get(page->manifest, "command"));
	for (file = 0; !page->manifest && file < dataset->nr_files; file++)
		json_array_foreach(dataset->files[file], i, record)
			put_command(page, json_object_get(record, "command"));
	fputs("</section>\n", page->out);
}
