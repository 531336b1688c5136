#include "io/manual.h"

#include "engine/options.h"
#include "engine/statistics.h"

#include <string.h>

enum { COLUMNS = 80, INDENT = 6 };

// Adds a paragraph, wrapped, indented.
static void add_wrapped(Text *text, const char *words, unsigned indent) {
  unsigned column = 0;
  while (*words) {
    const size_t length = strcspn(words, " ");
    if (column && column + 1 + length > COLUMNS) {
      text_add_char(text, '\n');
      column = 0;
    }
    if (!column) {
      for (unsigned i = 0; i < indent; i++)
        text_add_char(text, ' ');
      column = indent;
    } else {
      text_add_char(text, ' ');
      column++;
    }
    text_add_bytes(text, words, length);
    column += (unsigned)length;
    words += length + (words[length] == ' ');
  }
  text_add_char(text, '\n');
}

static void add_option(Text *text, const OptionInfo *info) {
  text_add(text, "  ");
  if (info->letter)
    text_addf(text, "-%c, ", info->letter);
  text_addf(text, "--%s", info->name);
  if (info->values)
    text_addf(text, " %s", info->values);
  if (info->initial)
    text_addf(text, "  (default: %s)", info->initial);
  text_add_char(text, '\n');
  add_wrapped(text, info->help, INDENT);
}

static void add_options(Text *text) {
  for (uint32_t i = 0; i < options_count(); i++)
    add_option(text, options_at(i));
}

static const char *const statistics_note =
    "Only those of the search at hand are shown. In JSON all names are always there, with null\n"
    "for one that this search does not have.\n";

// Adds what a statistic counts, and in which searches.
static void add_meaning(Text *text, const StatisticInfo *info) {
  const char *searches = statistics_searches(info);
  text_add(text, info->help);
  if (searches)
    text_addf(text, " (%s)", searches);
  text_add_char(text, '\n');
}

static void add_statistics(Text *text) {
  for (uint32_t i = 0; i < statistics_count(); i++) {
    text_addf(text, "  %-12s ", statistics_at(i)->name);
    add_meaning(text, statistics_at(i));
  }
  text_addf(text, "\n%s", statistics_note);
}

static const char *const headline = "tarn - reachability of networks of timed automata\n\n";

static const char *const overview =
    "  tarn check [options] MODEL       decide queries, or explore everything\n"
    "  tarn certify MODEL FILE...       check evidence of an answer again\n"
    "  tarn simulate MODEL              step through a run, or make a random one\n"
    "  tarn show [--dot] MODEL          the model as it was read, as text or as a graph\n"
    "  tarn gen FAMILY [N] [key=value]  write a model of a family; --list names them all\n"
    "  tarn help [TOPIC]                help on check, certify, simulate, show, gen,\n"
    "                                   options, queries, statistics, status\n"
    "  tarn --version\n"
    "\n"
    "MODEL is a file in the TChecker language, or - for standard input. For example:\n"
    "\n"
    "  tarn gen fischer 4 > fischer.tck\n"
    "  tarn check --stats -q 'A[] !(P1.cs && P2.cs)' fischer.tck\n"
    "  tarn gen fischer 4 buggy=1 | tarn check --trace concrete -l cs1,cs2 -\n";

static const char *const certify_help =
    "tarn certify MODEL FILE...\n"
    "\n"
    "Checks evidence against the model, with code that shares with the searches only the model\n"
    "and the interpreter of its expressions. A run, as `tarn check --trace concrete --json`\n"
    "prints it, is replayed step by step. A certificate, as `tarn check --certificate FILE`\n"
    "writes it, is a set of zones of which it is checked that no transition leaves it and that\n"
    "the goal is in none. Prints what is accepted, or the first step or node that is wrong and\n"
    "why. Exit status: 0 if all is accepted, 1 if something is rejected, 2 if a file cannot be\n"
    "read.\n";

static const char *const simulate_help =
    "tarn simulate [--steps N] [--seed S] [--json] [--from RUN.json] MODEL\n"
    "\n"
    "Makes a run step by step. It shows the state, the clocks, the zone of all runs with the\n"
    "same transitions, and the transitions that are possible, each with the interval of delays\n"
    "after which it is. At the prompt (or on the standard input, for tools):\n"
    "  N [delay]   take transition N, after a delay such as 3/2; without one, as early as "
    "possible\n"
    "  b           one step back\n"
    "  r N         N random steps\n"
    "  w           write the run so far\n"
    "  q           end\n"
    "With --steps it makes that many random steps from the seed and prints the run. --json "
    "prints\n"
    "states, choices and runs as JSON, each on a line; such a run can be given to --from, to\n"
    "`tarn certify` and to `tarn show --trace`.\n";

static const char *const show_help =
    "tarn show [--dot] MODEL\n"
    "tarn show --trace RUN.json [--html FILE] MODEL\n"
    "\n"
    "Prints the model as it was read, in the TChecker language: with all defaults filled in\n"
    "and in a fixed layout, so that two models can be compared. With --dot it prints each\n"
    "process as a graph for graphviz: tarn show --dot MODEL | dot -Tsvg > model.svg\n"
    "With --trace it shows the run in a file that `tarn check --json --trace concrete` wrote, "
    "as\n"
    "text or, with --html, as a page for a browser.\n";

static const char *const gen_help =
    "tarn gen FAMILY [N] [key=value ...]\n"
    "tarn gen --list\n"
    "\n"
    "Writes a model of a family in the TChecker language. N is the parameter called n.\n"
    "--list shows every family with its parameters and their defaults.\n";

static const char *const query_help =
    "E<> formula      is there a reachable state in which the formula holds?\n"
    "A[] formula      does the formula hold in every reachable state?\n"
    "\n"
    "A formula is made of\n"
    "  P.l              process P is in location l\n"
    "  name             a location with this label is active, or an integer is not 0\n"
    "  n == 3, a[i]<n   comparisons of integer terms: + - * / %, arrays, if then else\n"
    "  x <= 5, x-y < 2  comparisons of clocks and of their differences with integer terms\n"
    "  ! && || imply    also written not, and, or; parentheses; true, false\n"
    "\n"
    "A file MODEL.q beside MODEL.tck may hold one query per line; // starts a comment.\n";

static const char *const status_help =
    "0  every query is satisfied (or, without a query, everything was explored)\n"
    "1  some query is not satisfied\n"
    "2  an error in the model, a query, an option or a file; also if the output, a certificate,\n"
    "   a run, a graph or a page that was asked for could not be written (answers are printed\n"
    "   all the same)\n"
    "3  undecided: a limit was reached or the run was interrupted; the statistics so far\n"
    "   are printed\n";

static const char *const topics[] = {"check",   "certify", "simulate",   "show",  "gen",
                                     "options", "queries", "statistics", "status"};

void manual_topics(Text *text) {
  for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
    text_addf(text, "%s%s", i ? " " : "", topics[i]);
}

bool manual_topic(Text *text, const char *topic) {
  if (!topic) {
    text_add(text, headline);
    text_add(text, overview);
  } else if (!strcmp(topic, "check")) {
    text_add(text, "tarn check [options] MODEL\n\n"
                   "Decides the queries, or explores everything if there are none.\n\n");
    add_options(text);
    text_add(text, "\nExit status:\n");
    text_add(text, status_help);
  } else if (!strcmp(topic, "options")) {
    add_options(text);
  } else if (!strcmp(topic, "certify")) {
    text_add(text, certify_help);
  } else if (!strcmp(topic, "simulate")) {
    text_add(text, simulate_help);
  } else if (!strcmp(topic, "show")) {
    text_add(text, show_help);
  } else if (!strcmp(topic, "gen")) {
    text_add(text, gen_help);
  } else if (!strcmp(topic, "queries")) {
    text_add(text, query_help);
  } else if (!strcmp(topic, "statistics")) {
    add_statistics(text);
  } else if (!strcmp(topic, "status")) {
    text_add(text, status_help);
  } else {
    const OptionInfo *info = options_find(topic[0] == '-' ? topic + strspn(topic, "-") : topic);
    if (!info)
      return false;
    add_option(text, info);
  }
  return true;
}

// Text for roff: backslashes and leading dots are escaped, dashes of options kept.
static void add_roff(Text *text, const char *chars) {
  for (bool at_start = true; *chars; chars++) {
    if (*chars == '\\' || (*chars == '-' && chars[1] != ' '))
      text_add_char(text, '\\');
    if (at_start && (*chars == '.' || *chars == '\''))
      text_add(text, "\\&");
    text_add_char(text, *chars);
    at_start = *chars == '\n';
  }
}

static void add_block(Text *text, const char *title, const char *body) {
  text_addf(text, ".SH %s\n.nf\n", title);
  add_roff(text, body);
  text_add(text, ".fi\n");
}

static void add_option_roff(Text *text, const OptionInfo *info) {
  text_add(text, ".TP\n\\fB");
  if (info->letter)
    text_addf(text, "\\-%c\\fR, \\fB", info->letter);
  text_add(text, "\\-\\-");
  add_roff(text, info->name);
  text_add(text, "\\fR");
  if (info->values) {
    text_add(text, " \\fI");
    add_roff(text, info->values);
    text_add(text, "\\fR");
  }
  text_add_char(text, '\n');
  add_roff(text, info->help);
  if (info->initial)
    text_addf(text, " Default: %s.", info->initial);
  text_add_char(text, '\n');
}

void manual_page(Text *text) {
  text_add(text, ".TH TARN 1 \"\" \"tarn " TARN_VERSION "\" \"User Commands\"\n.SH NAME\n"
                 "tarn \\- reachability of networks of timed automata\n");
  add_block(text, "SYNOPSIS", overview);
  text_add(text, ".SH OPTIONS\n");
  for (uint32_t i = 0; i < options_count(); i++)
    add_option_roff(text, options_at(i));
  add_block(text, "QUERIES", query_help);
  text_add(text, ".SH STATISTICS\n");
  for (uint32_t i = 0; i < statistics_count(); i++) {
    text_addf(text, ".TP\n\\fB%s\\fR\n", statistics_at(i)->name);
    add_meaning(text, statistics_at(i));
  }
  text_addf(text, ".PP\n%s", statistics_note);
  add_block(text, "CERTIFY", certify_help);
  add_block(text, "SIMULATE", simulate_help);
  add_block(text, "SHOW", show_help);
  add_block(text, "GENERATORS", gen_help);
  add_block(text, "EXIT STATUS", status_help);
}
