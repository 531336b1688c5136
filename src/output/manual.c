#include "output/manual.h"

#include "language/uppaal/teach.h"
#include "search/options.h"
#include "search/statistics.h"

#include <ctype.h>
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

static void add_options(Text *text, CommandName command) {
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_of_command(command, i)); i++)
    add_option(text, info);
}

static const char *const statistics_note = "Only the statistics that apply to the search are "
                                           "shown. JSON always has all names, with null\n"
                                           "for those that do not apply.\n";

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

// Each command with its arguments and what it does; help has the topics.
static void add_commands(Text *text) {
  enum { COLUMN = 35 };
  const CommandInfo *info;
  for (uint32_t i = 0; (info = options_command(i)); i++) {
    const size_t begin = text->size;
    text_addf(text, "  tarn %s %s", info->name, info->arguments);
    while (text->size - begin < COLUMN)
      text_add_char(text, ' ');
    text_addf(text, "%s\n", info->help);
  }
}

static const char *const overview =
    "  tarn --version\n"
    "\n"
    "MODEL is a file in the TChecker language or in UPPAAL's (.xml, .xta, .ta), or - for\n"
    "standard input. For example:\n"
    "\n"
    "  tarn gen fischer 4 > fischer.tck\n"
    "  tarn check --stats -q 'A[] !(P1.cs && P2.cs)' fischer.tck\n"
    "  tarn gen fischer 4 buggy=1 | tarn check --trace concrete -l cs1,cs2 -\n";

static const char *const certify_help =
    "Checks evidence against the model, with code that shares with the searches only the model\n"
    "and the interpreter of its expressions. A run, as `tarn check --trace concrete --json`\n"
    "prints it, is replayed step by step. A certificate, as `tarn check --certificate FILE`\n"
    "writes it, is a set of zones: the check is that no transition leaves the set and that no\n"
    "zone meets the goal. Prints what is accepted, or the first step or node that is wrong and\n"
    "why. Exit status: 0 if all is accepted, 1 if something is rejected, 2 if a file cannot be\n"
    "read, 3 if a limit was reached.\n";

static const char *const simulate_help =
    "Makes a run step by step. It shows the whole state at the beginning and at the end, and "
    "what\n"
    "each step changes. It lists the possible transitions, each with the interval of delays "
    "after\n"
    "which it can be taken, its guards (when) and its updates (do). If there are none, it says\n"
    "whether this is a deadlock, where only time passes, or a time-lock, where not even time\n"
    "passes. At the prompt (or on the standard input, for tools):\n"
    "  N [delay]   take transition N, after a delay such as 3/2, or as early as possible\n"
    "  d delay     let time pass without a transition\n"
    "  b           take the last step or delay back\n"
    "  g N         go to step N, back or forward again\n"
    "  r N         N random steps\n"
    "  w           write the run so far\n"
    "  s FILE      save the run: FILE.json, or FILE.html, a page for a browser\n"
    "  l           show the whole state, and the zone\n"
    "  q           end\n";

static const char *const show_help =
    "Prints the model as it was read, in the TChecker language: with all defaults filled in\n"
    "and in a fixed layout, so that two models can be compared. Options print something else.\n";

static const char *const gen_help =
    "Writes a model of a family, as text. N is the parameter called n.\n";

static const char *const query_help =
    "E<> p            is there a reachable state in which p holds?\n"
    "A[] p            does p hold in every reachable state?\n"
    "A<> p            does every run come to a state in which p holds?\n"
    "E[] p            is there a run in which p always holds?\n"
    "p --> q          does q hold, at once or later, whenever p holds?\n"
    "buchi: p, q      is there a run in which p holds again and again, and q as well?\n"
    "sup{p}: x, n     the greatest values of clocks and integers where p holds; also\n"
    "                 sup: x, inf{p}: x, bounds{p}: x\n"
    "\n"
    "p consists of\n"
    "  P.l              process P is in location l\n"
    "  name             a location with this label is active, or an integer is not 0\n"
    "  n == 3, a[i]<n   comparisons of integer terms: + - * / %, arrays, if then else; in them\n"
    "                   P.l and labels count as 1 or 0: P1.cs + P2.cs + P3.cs <= 1\n"
    "  x <= 5, x-y < 2  comparisons of clocks and of their differences with integer terms\n"
    "  deadlock         no transition is possible, now or after any delay: A[] not deadlock;\n"
    "                   only with the engine zones, as zones of local time mix moments\n"
    "  ! && || imply    also written not, and, or; parentheses; true, false\n"
    "  forall (i : int[1,3]) p, exists (i : int[1,3]) p, sum (i : int[1,3]) t\n"
    "\n"
    "Runs need not be fair, and a run may end where it can only wait. Time need not diverge,\n"
    "unless --non-zeno is given. A query that tarn cannot decide has the verdict `refused`, "
    "with\n"
    "the reason.\n"
    "\n"
    "A file MODEL.q beside the model may hold one query on each line; // or # starts a comment.\n"
    "It is read if no option gives a query.\n";

static const char *const language_help =
    "system:name                   # comes first; names: letters, digits, _ and .\n"
    "event:a\n"
    "event:b\n"
    "clock:1:x                     # a clock; clock:3:c is an array, c[0] to c[2]\n"
    "int:1:0:5:2:n                 # an integer from 0 to 5, initially 2\n"
    "int:4:0:9:0:v                 # an array of four, v[0] to v[3]\n"
    "process:P\n"
    "location:P:idle{initial:}     # P starts in any of its initial locations\n"
    "location:P:busy{invariant: x<=3 : labels: used}\n"
    "edge:P:idle:busy:a{provided: x>=1 && n<5 : do: x=0; n=n+1}\n"
    "edge:P:busy:idle:a{do: if n>4 then n=0 else v[n]=n%3 end}\n"
    "process:Q\n"
    "location:Q:on{initial: : urgent:}\n"
    "location:Q:off{committed:}\n"
    "edge:Q:on:off:b{do: local i=0; while i<3 do v[i]=v[i+1]; i=i+1 end}\n"
    "edge:Q:off:on:b{do: nop}\n"
    "sync:P@a:Q@b                  # P's a and Q's b happen together, never alone\n"
    "\n"
    "A line is a declaration; # starts a comment. A name is declared before it is used.\n"
    "Constants of clocks are at most 281474976710656. If one is above 67108864, all of them,\n"
    "including those of the query, are divided by their common divisor; if that does not help,\n"
    "the slower engine wide answers E<> and A[], without certificates.\n"
    "Attributes stand in braces, separated by `:`\n"
    "  invariant:, provided:  comparisons with && between them, of integer terms, and\n"
    "                         of clocks or their differences with these: x-y < n+2,\n"
    "                         1 < x <= n, x < y\n"
    "  do:                    statements with ; between them: x=0, x=n, x=y+1,\n"
    "                         v[i]=n%3, if c then ... else ... end,\n"
    "                         while c do ... end, local i=0, nop\n"
    "  labels: a,b            what --labels and queries can ask for\n"
    "  urgent:                no time passes\n"
    "  committed:             the same, and the next transition leaves a committed location\n"
    "Not allowed in guards and invariants: || (write several edges), assignments, and on clocks\n"
    "! and !=.\n"
    "\n"
    "All clocks start at 0. Time passes only while the invariants of all processes hold. They\n"
    "must also hold at the start.\n"
    "\n"
    "sync:P@a:Q@b? makes Q's part weak: if Q's location has an edge with b, Q takes part and\n"
    "the guard of that edge must hold; if it has none, P goes alone. If all parts are weak, at\n"
    "least one process takes part. An event of a process that is in no sync happens alone. All\n"
    "guards of a synchronisation are evaluated before any update. Then the updates run in the\n"
    "order in which the sync lists the processes, and each sees the results of earlier ones.\n"
    "Last, the invariants of all processes are tested, also of those that did not move.\n"
    "\n"
    "An edge cannot be taken if it would move an integer out of its range, or if it leads into\n"
    "a location whose invariant does not hold. The search ends with an error at a division by\n"
    "zero, an index outside its array, an overflow, a clock that is set to a negative value, or\n"
    "an update whose loops make more than 10000000 iterations. Such an error counts as follows:\n"
    "  guards     Comparisons of a variable or a clock with a constant come first, in the\n"
    "             guards of all edges that take part; then the rest, edge by edge, from left\n"
    "             to right, up to the first that is false. So 1/n == 1 && x >= 5 is an\n"
    "             error only where x >= 5 holds.\n"
    "  updates    wherever all guards hold, also if the invariant does not hold afterwards\n"
    "  invariants after the updates, and at the start, whatever the clocks are; process by\n"
    "             process, each in the order of guards\n"
    "  queries    in every reachable state, whatever the clocks are\n"
    "\n"
    "It is the language of TChecker, https://github.com/ticktac-project/tchecker\n";

static const char *const json_help =
    "tarn check --json prints one object:\n"
    "  tarn         the version\n"
    "  model        its name\n"
    "  options      the options that tell how to search, with their values\n"
    "  results      a list, with an object for each query:\n"
    "    query      its text; null: there was none\n"
    "    labels     true if it was asked with --labels\n"
    "    verdict    \"satisfied\", \"not satisfied\", \"explored\" (without a query),\n"
    "               \"undecided\" or \"refused\"\n"
    "    reason     of the latter two: \"time limit\", \"memory limit\", \"out of memory\",\n"
    "               \"interrupted\", or why no engine decides the query\n"
    "    engine     \"zones\", \"local\", \"darts\", \"points\" or \"wide\"\n"
    "    symmetry   the group by which the search was reduced: \"S_3\"; left out if none\n"
    "    values     of sup, inf and bounds: what was found\n"
    "    ending     of a run to a deadlock, or of an infinite run: why it ends, or how it goes "
    "on\n"
    "    stats      see `tarn help statistics`\n"
    "    trace      with --trace, if there is a run to show:\n"
    "      kind       \"concrete\" or \"symbolic\"\n"
    "      preferred  what is known of the run: \"shortest\", \"fastest\" or \"any\"; also "
    "\"any\" if\n"
    "                 a limit was reached first, or if a shortest run would have cost more than\n"
    "                 the search\n"
    "      steps      the initial state, then a state after each transition: edges\n"
    "                 (those taken together: process, source, target, event, index),\n"
    "                 locations, variables, and time and clocks or zone\n"
    "      end_time, end_clocks   if concrete: when the query is decided\n"
    "      loop       only if a part repeats for ever: {\"from\": N}, what follows step N\n"
    "Times and clocks are strings, since they may be fractions: \"7/2\". Later versions\n"
    "may add names.\n"
    "  warnings     a list of objects: text, and file, line and column if there is a place\n"
    "  errors       after an error (exit status 2), such a list; `detail` tells more, such as "
    "the\n"
    "               run to the failure. Results are those that came before it\n";

static const char *const status_help =
    "0  every query is satisfied (or, without a query, everything was explored)\n"
    "1  some query is not satisfied, or no reachable state has the labels (-l)\n"
    "2  an error in the model, a query, an option or a file; also if the output, a certificate,\n"
    "   a run, a graph or a page could not be written (answers are still printed), or if a "
    "query\n"
    "   was refused and all others are satisfied\n"
    "3  undecided: a limit was reached or the run was interrupted; the statistics so far\n"
    "   are printed\n"
    "If an UPPAAL model says what it expects of its queries, 0 means that all expectations are\n"
    "met.\n";

static const char *const convert_help =
    "Prints the model in the other language: a model of TChecker's format as .xta, for UPPAAL; "
    "an\n"
    "UPPAAL model in TChecker's format, with each process written out. Constructs that the "
    "other\n"
    "language cannot express are refused, all at once.\n";

static const char *const lint_help =
    "Reports what is suspicious in a model:\n"
    "  location   no run reaches it\n"
    "  edge       no run takes it, although its source is reached\n"
    "  sync       a synchronisation that never happens, or a channel without any\n"
    "  clock      nothing reads it; assignments to itself do not count\n"
    "  variable   the same\n"
    "  range      an update leaves the range of its variable, and so disables its edge\n"
    "  exit       a location that cannot be left\n"
    "  blocking   an urgent or committed location in which time stops and nothing can happen\n"
    "  query      it holds vacuously: in `A[] p imply q` and `p --> q`, p is never reached;\n"
    "             or it has the same answer for every model\n"
    "  error      a run ends with an error, such as a division by zero\n"
    "  effect     an expression that is a statement and has no effect, such as `x == 0`\n"
    "\n"
    "Each finding is one line: FILE:LINE:COLUMN: LEVEL: TEXT [KIND]. The level is warning, note\n"
    "or undecided. A note is often intended: a location without outgoing edges, or a labelled\n"
    "one that no run reaches. Locations that a query names are left out, because the query asks\n"
    "for them. The queries are those of the model, or those given with -q.\n"
    "\n"
    "It searches all states. If a\n"
    "limit ends the search, what it has not seen may still happen: such findings are undecided,\n"
    "and the last line says so.\n"
    "\n"
    "Exit status: 0 no warning, and nothing undecided; 1 some warning; 2 an error; 3 no "
    "warning,\n"
    "but a limit ended the search or something is undecided. Notes do not count.\n";

static const char *const fmt_help =
    "Lays out files in place: models (.tck, .xta, .ta, .xml) and files of queries (.q). It sets\n"
    "the blanks between words, the indentation and blank lines. Line breaks and comments stay.\n"
    "In .xml only the texts change: declarations, labels and queries. The model is the same, "
    "and\n"
    "laying out a file again changes nothing. A file with mistakes in it is laid out, too.\n"
    "With - for FILE, standard input goes to standard output.\n"
    "\n"
    "Exit status: 0; with --check, 1 if some file would change; 2 an error.\n";

static const char *const verifyta_help =
    "Takes the command line of UPPAAL's verifyta and prints what scripts look for in its "
    "output,\n"
    "such as ` -- Formula is satisfied.`. A link to tarn with the name verifyta does the same.\n"
    "`tarn verifyta -h` lists the options. The exit status is 0 whatever the verdicts are.\n";

// Topics that are one text; those of commands go on with their options.
static const struct {
  const char *name, *text;
} topics[] = {{"check", "Decides the queries, or explores everything if there are none.\n"},
              {"certify", certify_help},
              {"simulate", simulate_help},
              {"show", show_help},
              {"gen", gen_help},
              {"convert", convert_help},
              {"lint", lint_help},
              {"fmt", fmt_help},
              {"verifyta", verifyta_help},
              {"language", language_help},
              {"uppaal", uppaal_help},
              {"queries", query_help},
              {"json", json_help},
              {"status", status_help}};

const char *manual_topic_name(size_t index) {
  static const char *const made[] = {"options", "statistics"}; // from tables
  enum { MADE = sizeof made / sizeof *made, TEXTS = sizeof topics / sizeof *topics };
  return index < TEXTS ? topics[index].name : index < TEXTS + MADE ? made[index - TEXTS] : NULL;
}

static void add_overview(Text *text) {
  Text names = {.mem = text->mem};
  add_commands(text);
  text_add(text, overview);
  text_add(&names, "Topics:");
  for (size_t i = 0; manual_topic_name(i); i++)
    text_addf(&names, " %s%s", manual_topic_name(i), manual_topic_name(i + 1) ? "," : ".");
  text_add_char(text, '\n');
  add_wrapped(text, text_chars(&names), 0);
  text_release(&names);
}

static void add_topic(Text *text, const char *name, const char *body) {
  CommandName command;
  const bool is_command = options_find_command(name, &command);
  if (is_command)
    text_addf(text, "tarn %s %s\n\n", name, options_command(command)->arguments);
  text_add(text, body);
  if (is_command && options_of_command(command, 0)) {
    text_add(text, "\nOptions:\n");
    add_options(text, command);
  }
  if (is_command && command == COMMAND_CHECK)
    text_addf(text, "\nExit status:\n%s", status_help);
}

// The options of one name, of which there may be several: then with the commands that have each.
static bool add_all_named(Text *text, const char *name) {
  const OptionInfo *info = options_find(name);
  const bool is_only = info && !options_find_after(info);
  for (const OptionInfo *i = info; i; i = options_find_after(i)) {
    if (!is_only) {
      text_add(text, i == info ? "" : "\n");
      for (uint32_t k = 0; options_command(k); k++)
        if (i->commands & 1U << k)
          text_addf(text, "%starn %s",
                    text->size && text->chars[text->size - 1] != '\n' ? ", " : "",
                    options_command(k)->name);
      text_add(text, ":\n");
    }
    add_option(text, i);
  }
  return info;
}

bool manual_topic(Text *text, const char *topic) {
  if (!topic) {
    text_add(text, headline);
    add_overview(text);
    return true;
  }
  if (!strcmp(topic, "options"))
    return add_options(text, COMMAND_CHECK), true;
  if (!strcmp(topic, "statistics"))
    return add_statistics(text), true;
  for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
    if (!strcmp(topic, topics[i].name))
      return add_topic(text, topic, topics[i].text), true;
  return add_all_named(text, topic + strspn(topic, "-"));
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

static void add_options_roff(Text *text, CommandName command) {
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_of_command(command, i)); i++)
    add_option_roff(text, info);
}

// The commands other than check, each with its options.
static void add_commands_roff(Text *text) {
  CommandName command;
  for (size_t i = 1; i < sizeof topics / sizeof *topics; i++)
    if (options_find_command(topics[i].name, &command)) {
      char title[16];
      for (size_t k = 0; k <= strlen(topics[i].name); k++)
        title[k] = (char)toupper((unsigned char)topics[i].name[k]);
      add_block(text, title, topics[i].text);
      add_options_roff(text, command);
    }
}

void manual_page(Text *text) {
  Text synopsis = {.mem = text->mem};
  text_add(text, ".TH TARN 1 \"\" \"tarn " TARN_VERSION "\" \"User Commands\"\n.SH NAME\n"
                 "tarn \\- reachability of networks of timed automata\n");
  add_overview(&synopsis);
  add_block(text, "SYNOPSIS", text_chars(&synopsis));
  text_release(&synopsis);
  text_add(text, ".SH OPTIONS\n");
  add_options_roff(text, COMMAND_CHECK);
  add_block(text, "MODELS", language_help);
  add_block(text, "UPPAAL", uppaal_help);
  add_block(text, "QUERIES", query_help);
  add_block(text, "JSON", json_help);
  text_add(text, ".SH STATISTICS\n");
  for (uint32_t i = 0; i < statistics_count(); i++) {
    text_addf(text, ".TP\n\\fB%s\\fR\n", statistics_at(i)->name);
    add_meaning(text, statistics_at(i));
  }
  text_addf(text, ".PP\n%s", statistics_note);
  add_commands_roff(text);
  add_block(text, "EXIT STATUS", status_help);
}
