#include "search/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) (int)offsetof(Options, field)

// The commands that have an option. OTHERS read a model, too.
enum {
  CHECK = 1 << COMMAND_CHECK,
  CERTIFY = 1 << COMMAND_CERTIFY,
  SIMULATE = 1 << COMMAND_SIMULATE,
  SHOW = 1 << COMMAND_SHOW,
  GEN = 1 << COMMAND_GEN,
  CONVERT = 1 << COMMAND_CONVERT,
  LINT = 1 << COMMAND_LINT,
  FMT = 1 << COMMAND_FMT,
  WATCH = 1 << COMMAND_WATCH,
  SWEEP = 1 << COMMAND_SWEEP,
  WORKBENCH = 1 << COMMAND_WORKBENCH,
  MCP = 1 << COMMAND_MCP,
  SERVE = 1 << COMMAND_SERVE,
  COVER = 1 << COMMAND_COVER,
  MUTATE = 1 << COMMAND_MUTATE,
  OTHERS = CERTIFY | SIMULATE | SHOW | CONVERT | LINT | COVER | MUTATE,
};

static const CommandInfo commands[] = {
    [COMMAND_CHECK] = {"check", "[options] MODEL...", "decide queries, or explore everything"},
    [COMMAND_CERTIFY] = {"certify", "MODEL FILE...", "check evidence of an answer again"},
    [COMMAND_SIMULATE] = {"simulate", "MODEL", "step through a run, or make a random one"},
    [COMMAND_SHOW] = {"show", "[--dot] MODEL", "print the model as it was read, or as a graph"},
    [COMMAND_GEN] = {"gen", "FAMILY [N] [key=value]",
                     "write a model of a family; --list names them all"},
    [COMMAND_CONVERT] = {"convert", "[--to FORMAT] MODEL",
                         "write the model as .xta, .xml or .tck"},
    [COMMAND_LINT] = {"lint", "MODEL", "report what is suspicious in the model"},
    [COMMAND_FMT] = {"fmt", "[--check] FILE...", "lay out models and queries"},
    [COMMAND_SWEEP] = {"sweep", "-D NAME=VALUES MODEL",
                       "check the model with many values of its constants"},
    [COMMAND_COVER] = {"cover", "[--goal WHAT] MODEL", "make a test suite that takes all edges"},
    [COMMAND_MUTATE] = {"mutate", "MODEL", "see which mistakes in the model its queries notice"},
    [COMMAND_WATCH] = {"watch", "MODEL", "check again whenever the model is saved"},
    [COMMAND_LSP] = {"lsp", "", "serve an editor (Language Server Protocol)"},
    [COMMAND_WORKBENCH] = {"workbench", "[MODEL]", "write a page to draw, simulate and verify"},
    [COMMAND_SERVE] = {"serve", "[MODEL]", "serve the workbench, with a native engine beside it"},
    [COMMAND_MCP] = {"mcp", "--root DIR", "serve an assistant (Model Context Protocol)"},
    [COMMAND_VERIFYTA] = {"verifyta", "MODEL [QUERY]",
                          "take the command line of UPPAAL's verifyta"},
    [COMMAND_HELP] = {"help", "[TOPIC]", "explain a topic"},
};

const CommandInfo *options_command(uint32_t index) {
  return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

bool options_find_command(const char *name, CommandName *command) {
  for (*command = COMMAND_CHECK; options_command(*command); ++*command)
    if (!strcmp(options_command(*command)->name, name))
      return true;
  return false;
}

void options_refuse_command(const char *name, Report *report) {
  Nearest nearest = {0};
  Mem mem = {0};
  Text all = {.mem = &mem};
  for (uint32_t i = 0; options_command(i); i++) {
    text_consider(&nearest, name, options_command(i)->name);
    text_addf(&all, "%s%s",
              !i                       ? ""
              : options_command(i + 1) ? ", "
                                       : " and ",
              options_command(i)->name);
  }
  if (nearest.name)
    report_error(report, (Place){0}, "there is no command `%s`; did you mean `%s`?", name,
                 nearest.name);
  else
    report_error(report, (Place){0}, "there is no command `%s`, only %s", name, text_chars(&all));
  text_release(&all);
}

// The order of the values of a choice is the order of its enumeration.
static const OptionInfo table[] = {
    {"query", 'q', CHECK | SWEEP | LINT | MUTATE, OPTION_TEXT, OPTION_COMMAND, 0, "TEXT", NULL, 0,
     "Decide a query, such as `E<> p` (can it happen?) or `A[] p` (does it always hold?); see "
     "`tarn help queries`. Repeatable. Default: the queries of the model, in its file or in the "
     ".q file beside it. Without queries, explore everything."},
    {"labels", 'l', CHECK | SWEEP, OPTION_TEXT, OPTION_COMMAND, 0, "a,b", NULL, 0,
     "Is there a reachable state whose locations carry all these labels? Repeatable."},
    {"engine", 0, CHECK | SWEEP, OPTION_CHOICE, AT(engine), OPTION_NAMES,
     "auto|zones|local|darts|points|wide", "auto", 0,
     "How time is represented. zones: sets of clock values, one global time. local: zones in "
     "which each process has its own time, so that the orders of independent actions lead to "
     "one zone. darts and points: whole units of time, for models without strict clock "
     "constraints; points stores each state by itself, darts stores a state with all its "
     "delays. wide: zones with bounds of 64 bits, slow, for clock constants above 67,108,864. "
     "auto takes wide if such constants have no common divisor that makes them smaller. "
     "Otherwise "
     "it takes local if most pairs of actions are independent, and zones if not. It also takes "
     "zones if most actions are taken where time stands still (see --partial-order), or if you "
     "choose an abstraction, an order or bounds, or ask for a graph."},
    {"abstraction", 'a', CHECK | SWEEP, OPTION_CHOICE, AT(abstraction),
     OPTION_TUNES | OPTION_NAMES | OPTION_ABSTRACTS,
     "alu|am|closure|closure-lu+|extra-lu+|extra-lu|extra-m+|extra-m|none", "alu", 0,
     "What makes the zone graph finite. alu and am compare zones by simulation, closure-lu+ "
     "and closure (which equals am) by regions. extra-* extrapolate zones and compare them by "
     "inclusion. none does neither: the search may not end. Constraints on the difference of "
     "two clocks need the engine zones and alu, am, closure or none; the other abstractions are "
     "unsound for them and refused."},
    {"bounds", 0, CHECK | SWEEP, OPTION_CHOICE, AT(bounds), OPTION_TUNES | OPTION_NAMES,
     "local|global|fly|lazy", "local", 0,
     "Which clock constants the abstraction uses. local: the constants that matter in each "
     "location. global: the largest constant of each clock (darts and points: of all clocks). "
     "fly: for each node, the constants of the guards that the search meets. lazy: only the "
     "constants of guards that cut a zone or disable a transition. fly and lazy need the engine "
     "zones and the abstraction alu, am, "
     "closure or closure-lu+."},
    {"order", 'o', CHECK | SWEEP, OPTION_CHOICE, AT(order), OPTION_TUNES | OPTION_ORDERS,
     "stages|tw|bfs|dfs|rank|wait|hunt", "stages", 0,
     "Which state to explore next. stages: by how far the processes have come and how often they "
     "went round a cycle, so that few states are explored needlessly. bfs: breadth first. dfs: "
     "depth "
     "first. rank, wait, tw: the orders of Herbreteau and Tran (2015). hunt: random "
     "depth-first searches that restart often, one for each of the --threads, then the default "
     "order; every second one prefers the processes that the query names. Use it to find a bug "
     "in "
     "a model that is too large to explore. If no option names an algorithm, long searches make "
     "a few such searches beside the main one. Darts and points have only bfs (which stages "
     "means "
     "there) and dfs."},
    {"symmetry", 0, CHECK | SWEEP, OPTION_CHOICE, AT(symmetry), 0, "auto|on|off", "auto", 0,
     "Of the states that differ only in which of several equal processes is which, explore only "
     "one. tarn finds the symmetry in the model: `tarn show --symmetry` prints it. auto uses it "
     "unless an option names an algorithm (such as --engine, --abstraction or an --order other "
     "than hunt) or asks for a graph. Processes that the query names are not exchanged."},
    {"partial-order", 0, CHECK | SWEEP, OPTION_CHOICE, AT(partial_order), 0, "auto|on|off",
     "auto", 0,
     "Where time stands still, leave out transitions whose order does not matter for the query "
     "(E<>, A[] and labels, with or without deadlock; engine zones). auto does so "
     "unless an option names an algorithm (such as --engine, --abstraction or an --order other "
     "than hunt) or asks for a graph. `on` does so with a named algorithm, too. A certificate "
     "says which transitions are left out, and why that is right. auto rests for a while where "
     "little is left out."},
    {"delay", 0, CHECK | SWEEP, OPTION_CHOICE, AT(delay), OPTION_TUNES | OPTION_NAMES,
     "after|before", "after", 0,
     "Store zones after time has passed, or before, as they are on entry (engine zones)."},
    {"trace", 't', CHECK, OPTION_CHOICE, AT(trace), 0, "none|symbolic|concrete", "none", 0,
     "Show a run to the state that answers the query: with zones, or with exact times. Each step "
     "shows what it changes."},
    {"traces", 0, CHECK, OPTION_NUMBER, AT(traces), OPTION_RUNS, "K", "1", 1000,
     "Show K runs for each E<> that holds and each A[] that does not, if there are so many. Each "
     "uses something that those before it do not: see --differ. Implies --trace concrete."},
    {"differ", 0, CHECK, OPTION_CHOICE, AT(differ), OPTION_RUNS, "edges|locations|processes",
     "edges", 0,
     "With --traces: what is new in each run. An edge that it takes, a location that it enters, "
     "or a process that moves."},
    {"full", 0, CHECK | SHOW, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "With --trace: show the whole state after each step."},
    {"prefer", 0, CHECK, OPTION_CHOICE, AT(prefer), OPTION_TUNES, "any|shortest|fastest|auto",
     "auto", 0,
     "Which run --trace shows: the first that is found, one with the fewest transitions, or "
     "one that takes the least time. shortest and fastest search again, in zones. auto shows a "
     "shortest run if finding it takes no more successors than the search did (or 10,000), and "
     "otherwise any run; the answer says which. A run to an error at run time, and an infinite "
     "run, is a shortest one unless any is asked for; an infinite one has the fewest transitions "
     "until it ends or comes back to a zone."},
    {"certificate", 0, CHECK, OPTION_TEXT, AT(certificate), 0, "FILE", NULL, 0,
     "If the search finds no state that it looks for, write the proof to this file, for `tarn "
     "certify`. This takes about as long as the search. Checking the certificate at once takes "
     "at "
     "most as long again. With several queries, each certificate gets its own file: "
     "proof-2.txt."},
    {"graph", 0, CHECK, OPTION_TEXT, AT(graph), OPTION_TUNES | OPTION_NAMES, "FILE", NULL, 0,
     "Write the explored zone graph: as JSON if the name ends in .json, else for graphviz. A "
     "node shows what changed against the node before it, and its zone; a dashed edge leads to "
     "a node that covers the successor. If the graph is large, only the first 2000 nodes are "
     "written. With several queries, each graph gets its own file: graph-2.dot (engine zones)."},
    {"time-limit", 0, CHECK | SWEEP | WATCH, OPTION_SECONDS, AT(time_limit), 0, "SECONDS", "0",
     1000000000,
     "Give up a query after this time, which may be a fraction (0.5): undecided. The limit "
     "covers "
     "the query with all its evidence, and reading the model, which counts for each query. If "
     "reading takes longer, this is an error. 0 means no limit."},
    {"memory-limit", 0, CHECK | SWEEP | OTHERS, OPTION_NUMBER, AT(memory_limit), 0, "MIB", "0",
     1000000000,
     "Give up beyond this much memory: undecided. 0 means 85 % of what is available at the "
     "start, where physical memory, cgroups and ulimit count."},
    {"disk", 0, CHECK | SWEEP, OPTION_TEXT, AT(disk), 0, "DIR", NULL, 0,
     "Store states in a file in this folder once a quarter of the memory limit is in use, and "
     "the tables that find them once three quarters are. The search becomes slower instead of "
     "giving up at the limit; answers and counts are the same. The file is unlinked at once and "
     "vanishes on exit."},
    {"checkpoint", 0, CHECK, OPTION_TEXT, AT(checkpoint), 0, "DIR", NULL, 0,
     "Write the state of the search to this folder at intervals (--every), and when a time limit "
     "or an interrupt ends it. tarn makes the folder if it does not exist."},
    {"every", 0, CHECK, OPTION_SECONDS, AT(every), 0, "S", "60", 1000000000,
     "Seconds between checkpoints."},
    {"resume", 0, CHECK, OPTION_TEXT, AT(resume), 0, "DIR", NULL, 0,
     "Continue from the checkpoint in this folder. It must be of the same model, query, options "
     "and version."},
    {"compact", 0, CHECK | SWEEP, OPTION_FLAG, AT(compact), OPTION_TUNES, NULL, "no", 0,
     "Store zones as few constraints instead of matrices: this takes several times less memory, "
     "and more time (engine zones). Answers and counts are the same."},
    {"non-zeno", 0, CHECK | SWEEP, OPTION_FLAG, AT(non_zeno), OPTION_TUNES, NULL, "no", 0,
     "In queries about infinite runs (E[], A<>, -->, buchi), only runs in which time diverges "
     "count. See `tarn help queries`."},
    {"threads", 0, CHECK | SWEEP, OPTION_NUMBER, AT(threads), 0, "N", "1", 256,
     "Search with N threads; 0 means as many as there are processors. The verdict does not "
     "depend on N; the run that is shown may, and so may counts that depend on the order of the "
     "search. Not with --seed, --compact, --bounds fly and lazy."},
    {"seed", 0, CHECK | SWEEP, OPTION_NUMBER, AT(seed), OPTION_TUNES | OPTION_ORDERS, "N", "0",
     INT32_MAX,
     "Try the transitions of each state in a random order made from N; 0 keeps the order of "
     "declaration, on which published counts rest. Statistical queries: what the runs are made "
     "from, by default 1; also with --threads."},
    {"stop", 0, CHECK, OPTION_CHOICE, AT(stop), OPTION_ESTIMATES, "uppaal|runs|sequence|relative",
     "uppaal", 0,
     "When the estimate of a probability ends, if the query does not say how many runs there "
     "are. "
     "uppaal: after the first run at which the interval of Clopper and Pearson reaches at most "
     "--epsilon to both sides, as UPPAAL 5 does. runs: after a number that is fixed before. "
     "sequence: when half the confidence sequence is at most --epsilon; its confidence holds at "
     "every time. relative: the same with --epsilon times the estimate, for small "
     "probabilities."},
    {"exact", 0, CHECK, OPTION_CHOICE, AT(exact), OPTION_ESTIMATES, "auto|off", "auto", 0,
     "Probabilities that need no runs. auto: where the zone engine shows within a few thousand "
     "nodes that the goal cannot be reached, or that every run reaches it, the answer is exactly "
     "0 or 1; small models with exponential delays only have their exact value beside the "
     "estimate."},
    {"levels", 0, CHECK, OPTION_TEXT, AT(levels), OPTION_ESTIMATES, "E", NULL, 0,
     "Rare events: importance splitting. E is a number without clocks that grows towards the "
     "goal "
     "of Pr[..](<> p) or Pr[..](q U p), such as the length of a queue; each integer that it "
     "passes is a level. auto takes E from a goal such as `e >= 9`. The query's number of runs, "
     "by default 1000, start at each level, in each of 20 repetitions."},
    {"alpha", 0, CHECK, OPTION_SECONDS, AT(alpha), OPTION_ESTIMATES, "P", "0.05", 1,
     "Statistical queries: the probability with which an interval may miss, or a test may reject "
     "what is true."},
    {"beta", 0, CHECK, OPTION_SECONDS, AT(beta), OPTION_ESTIMATES, "P", "0.05", 1,
     "Statistical queries: the probability with which a test may accept what is false."},
    {"epsilon", 0, CHECK, OPTION_SECONDS, AT(epsilon), OPTION_ESTIMATES, "P", "0.05", 1,
     "Statistical queries: how far the ends of an interval may be from the estimate."},
    {"lower-delta", 0, CHECK, OPTION_SECONDS, AT(lower_delta), OPTION_ESTIMATES, "P", "0.01", 1,
     "Tests of a probability: how far below the bound it may be and still be accepted."},
    {"upper-delta", 0, CHECK, OPTION_SECONDS, AT(upper_delta), OPTION_ESTIMATES, "P", "0.01", 1,
     "Tests of a probability: how far above the bound it may be and still be rejected."},
    {"u0", 0, CHECK, OPTION_SECONDS, AT(u0), OPTION_ESTIMATES, "RATIO", "0.9", 1,
     "Comparisons of two probabilities: the lower end of the ratios of odds that do not matter."},
    {"u1", 0, CHECK, OPTION_SECONDS, AT(u1), OPTION_ESTIMATES, "RATIO", "1.1", 1000,
     "Comparisons of two probabilities: the upper end."},
    {"histogram-bar-width", 0, CHECK, OPTION_SECONDS, AT(bar_width), OPTION_ESTIMATES, "W", "0",
     1000000000, "The width of the bars of histograms; 0: by their number."},
    {"histogram-bar-count", 0, CHECK, OPTION_NUMBER, AT(bar_count), OPTION_ESTIMATES, "N", "0",
     1000000, "The number of bars of histograms; 0: the square root of the number of values."},
    {"discretization", 0, CHECK, OPTION_SECONDS, AT(discretization), OPTION_ESTIMATES, "D",
     "0.01", 1000000,
     "Differential equations: UPPAAL's smallest step. It has no effect, and a warning says so: "
     "tarn chooses its steps by the error, however small they are."},
    {"truncation-error", 0, CHECK, OPTION_SECONDS, AT(truncation_error), OPTION_ESTIMATES, "E",
     "0.01", 1000000,
     "Differential equations: the error of a step. tarn keeps 1e-10 (relative, for values above "
     "1); a smaller E is kept, a larger one has no effect."},
    {"truncation-time-error", 0, CHECK, OPTION_SECONDS, AT(truncation_time_error),
     OPTION_ESTIMATES, "E", "0.01", 1000000,
     "The same in a unit of time; it counts as an error of a step."},
    {"data", 0, CHECK, OPTION_TEXT, AT(data), OPTION_ESTIMATES, "DIR", NULL, 0,
     "Write the values behind a statistical answer to this folder, as CSV files."},
    {"explain", 0, CHECK, OPTION_FLAG, AT(explain), 0, NULL, "no", 0,
     "Say before the search what is planned and why, and after it what each stage did and why "
     "another followed. With --json as `plan` and `stages`."},
    {"define", 'D', CHECK | WATCH | OTHERS, OPTION_TEXT, AT(define), 0, "NAME=VALUE", NULL, 0,
     "Give a constant of an UPPAAL model, which is global or of the system section, another "
     "value "
     "before the model is read. Repeatable."},
    {"strict", 0, CHECK | SWEEP | OTHERS, OPTION_FLAG, AT(strict), 0, NULL, "no", 0,
     "Every warning is an error."},
    {"html", 0, CHECK, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Write the answers to this file as a page for a browser, with the run as a chart and step "
     "by step, and with the plan and its stages as --explain tells them. Implies --trace "
     "concrete, but no run is printed. Automata are drawn as in UPPAAL's editor, or else by "
     "graphviz, if it is installed. A page has at most 4 MB; if a run is too long for it, "
     "FILE.run.json has the whole run."},
    {"junit", 0, CHECK, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Write the answers to this file as a JUnit report, which CI systems show: each query is a "
     "test case. Implies --trace concrete; the run is printed, too, only if --trace asks for "
     "it. A report has at most 4 MB, as a page."},
    {"json", 0, CHECK, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Print one JSON object instead of text: see `tarn help json`."},
    {"csv", 0, CHECK, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Write the answers to this file as a table, a line for each query: model, query, verdict, "
     "reason, values, seconds, stored, visited, memory, plan, expected, value, strict, infinite, "
     "cpu_seconds. Several values are separated by `;`."},
    {"total-time-limit", 0, CHECK, OPTION_SECONDS, OPTION_COMMAND, 0, "SECONDS", "0", 1000000000,
     "Give up after this time, for all queries of all models together: those that are left are "
     "undecided. 0 means no limit."},
    {"stats", 's', CHECK, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0, "Print the statistics."},
    {"progress", 'p', CHECK, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Show progress on standard error even if it is not a terminal."},
    {"quiet", 0, CHECK | SWEEP | OTHERS, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "No warnings, no progress."},
    // From here on check does not have them, or has others of these names.
    {"full", 0, SIMULATE, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Always show the whole state, and the zone of all runs with the same transitions."},
    {"html", 0, SIMULATE | SHOW, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Write the run of --steps or --trace to this file as a page for a browser."},
    {"json", 0, SIMULATE, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Print states, choices and runs as JSON, each on a line. --from, `tarn certify` and `tarn "
     "show --trace` read such a run."},
    {"json", 0, LINT, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Print one object: tarn, model, findings (each with kind, level, name, text and place), the "
     "numbers of warnings, notes and undecided, and search (complete, reason, visited, stored, "
     "seconds)."},
    {"steps", 0, SIMULATE, OPTION_NUMBER, OPTION_COMMAND, 0, "N", "0", INT32_MAX,
     "Make N random steps and print the run. If there are fewer, say why. 0: read what to do "
     "from "
     "the standard input."},
    {"seed", 0, SIMULATE, OPTION_NUMBER, OPTION_COMMAND, 0, "N", "1", INT32_MAX,
     "What random steps are made from."},
    {"run", 0, SIMULATE, OPTION_NUMBER, OPTION_COMMAND, 0, "I", NULL, INT32_MAX,
     "Show run I, from 0 on, of --seed and of a statistical query: of --query, of the model's "
     "first one or, if there is none, of --steps steps. It is the run that `tarn check` makes "
     "under this number. With --json `tarn certify` replays it."},
    {"query", 'q', SIMULATE, OPTION_TEXT, OPTION_COMMAND, 0, "TEXT", NULL, 0,
     "With --run: the statistical query."},
    {"from", 0, SIMULATE, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Begin at the end of this run, in JSON."},
    {"dot", 0, SHOW, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Print each process as a graph for graphviz: tarn show --dot MODEL | dot -Tsvg > model.svg"},
    {"symmetry", 0, SHOW, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Print which processes can be exchanged for each other: S_3 for all permutations of three, "
     "C_3 for rotations."},
    {"queries", 0, SHOW, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Print the queries that came with the model, one on each line."},
    {"trace", 0, SHOW, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Show the run in a file that `tarn check --json --trace concrete` wrote."},
    {"proved", 0, CERTIFY, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Let tarn-proved do the check. It is proved correct in Coq and reads the model itself, so "
     "nothing of tarn has to be trusted (doc/trust.md). `make proof` builds it. It gets the "
     "limits "
     "of time and memory; 0 means none."},
    {"report", 0, CERTIFY, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Write what was proved to this file: as JSON if the name ends in .json, else in the "
     "sentences "
     "that are printed, too. Each names the model by its hash, the query, the verdict, the "
     "checker "
     "and what is trusted."},
    {"define", 'D', SWEEP, OPTION_TEXT, OPTION_COMMAND, 0, "NAME=VALUES", NULL, 0,
     "A constant of the model and the values that it takes in turn: N=2..10, N=10..100..10, "
     "N=2,4,8. Repeatable: then every combination is a cell of the table."},
    {"threshold", 0, SWEEP, OPTION_TEXT, OPTION_COMMAND, 0, "NAME=FIRST..LAST", NULL, 0,
     "Find where the verdict of each query changes as this constant grows: 20 values are tried, "
     "then the interval of the change is halved. Both sides get evidence, which is checked. "
     "Other "
     "constants have one value each, by -D."},
    {"monotone", 0, SWEEP, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "With --threshold: the verdict is known to change at most once. Two changes are an error."},
    {"evidence", 0, SWEEP, OPTION_TEXT, OPTION_COMMAND, 0, "DIR", NULL, 0,
     "With --threshold: keep the evidence in this folder."},
    {"csv", 0, SWEEP, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Write the table to this file, each cell as soon as it is decided and those before it are."},
    {"resume", 0, SWEEP, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Go on with the file of --csv: cells that are in it are not decided again, but the last."},
    {"html", 0, SWEEP, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Write a page with the table, and with a chart for one or two constants."},
    {"json", 0, SWEEP, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Print one object in the end: tarn, model, constants and rows; a row has what the columns "
     "of "
     "the CSV file are called."},
    {"jobs", 0, SWEEP, OPTION_NUMBER, OPTION_COMMAND, 0, "N", "1", 256,
     "Decide N cells at once, each in a process of its own."},
    {"total-time-limit", 0, SWEEP, OPTION_SECONDS, OPTION_COMMAND, 0, "SECONDS", "0", 1000000000,
     "End the sweep after this time. Cells that are not decided then are left out."},
    {"goal", 0, COVER, OPTION_CHOICE, OPTION_COMMAND, 0, "edges|locations|pairs|queries", "edges",
     0,
     "What the runs are to use: edges, locations, pairs of consecutive edges of a process, or "
     "the "
     "states that the queries of the model ask for."},
    {"certificate", 0, COVER, OPTION_TEXT, AT(certificate), 0, "FILE", NULL, 0,
     "Write the certificate that what is reported as unreachable is (edges and locations). With "
     "--goal queries, FILE-N is that of query N."},
    {"output", 'o', COVER, OPTION_TEXT, OPTION_COMMAND, 0, "DIR", NULL, 0,
     "Write each run to a file of this folder, as a sequence of `delay 5`, `in coin?`, "
     "`out coffee!`."},
    {"processes", 0, COVER, OPTION_TEXT, OPTION_COMMAND, 0, "P,Q", NULL, 0,
     "With --output: only what these processes receive, send and do."},
    {"require", 0, COVER, OPTION_SECONDS, OPTION_COMMAND, 0, "PERCENT", NULL, 100,
     "Exit with status 1 if a smaller share of what can be reached is covered."},
    {"html", 0, COVER, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Write the runs to this file as a page for a browser."},
    {"json", 0, COVER, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Print one object: see doc/schemas/cover-1.json. `tarn certify` reads the runs in it."},
    {"operators", 0, MUTATE, OPTION_TEXT, OPTION_COMMAND, 0, "LIST", NULL, 0,
     "Which mutants to make, some of constant, strict, turn, drop-reset, add-reset, edge, "
     "target, "
     "sync, urgent, committed, with commas between them. Default: all."},
    {"jobs", 0, MUTATE, OPTION_NUMBER, OPTION_COMMAND, 0, "N", "1", 256,
     "Check N mutants at once, each in a process of its own."},
    {"total-time-limit", 0, MUTATE, OPTION_SECONDS, OPTION_COMMAND, 0, "SECONDS", "0", 1000000000,
     "End after this time. Mutants that are not checked then are undecided."},
    {"compare", 0, MUTATE, OPTION_NUMBER, OPTION_COMMAND, 0, "STATES", "2000", 100000000,
     "In how many symbolic states a mutant that no query kills is compared with the model. 0: it "
     "is not."},
    {"write", 0, MUTATE, OPTION_TEXT, OPTION_COMMAND, 0, "DIR", NULL, 0,
     "Write the mutants to this folder: mutant-N with the ending of the model."},
    {"require", 0, MUTATE, OPTION_SECONDS, OPTION_COMMAND, 0, "PERCENT", NULL, 100,
     "Exit with status 1 if the score is smaller."},
    {"json", 0, MUTATE, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Print one object: see doc/schemas/mutants-1.json."},
    {"check", 0, FMT, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Change nothing; print the names of the files that would change."},
    {"to", 0, CONVERT, OPTION_CHOICE, OPTION_COMMAND, 0, "xta|xml|tck", NULL, 0,
     "The format to write. Default: the other language, as .tck or .xta."},
    {"output", 'o', CONVERT | WORKBENCH, OPTION_TEXT, OPTION_COMMAND, 0, "FILE", NULL, 0,
     "Write to this file: the model, instead of to standard output, or the page."},
    {"root", 0, MCP, OPTION_TEXT, OPTION_COMMAND, 0, "DIR", NULL, 0,
     "The folder whose files the tools may read. Without it they take texts only."},
    {"time-limit", 0, MCP, OPTION_SECONDS, OPTION_COMMAND, 0, "SECONDS", "60", 1000000,
     "The time of one call, at most. A caller can ask for less."},
    {"memory-limit", 0, MCP, OPTION_NUMBER, OPTION_COMMAND, 0, "MIB", "2048", 1000000,
     "The memory of one call, at most."},
    {"output-limit", 0, MCP, OPTION_NUMBER, OPTION_COMMAND, 0, "KIB", "1024", 1000000,
     "The size of an answer, at most; a larger one says that it is cut."},
    {"port", 0, SERVE, OPTION_NUMBER, OPTION_COMMAND, 0, "N", NULL, 65535,
     "The port, on 127.0.0.1; 0: any that is free. Default: 8327 or, if it is taken, any that is "
     "free."},
    {"time-limit", 0, SERVE, OPTION_SECONDS, OPTION_COMMAND, 0, "SECONDS", "3600", 1000000,
     "The time of one request, at most. A page can ask for less."},
    {"memory-limit", 0, SERVE, OPTION_NUMBER, OPTION_COMMAND, 0, "MIB", NULL, 1000000,
     "The memory of one request, at most. Default: half of the machine's."},
    {"request-limit", 0, SERVE, OPTION_NUMBER, OPTION_COMMAND, 0, "MIB", "64", 1000,
     "The size of a message, at most."},
    {"jobs", 0, SERVE, OPTION_NUMBER, OPTION_COMMAND, 0, "N", "2", 256,
     "How many checks run at once, each in a process of its own; others wait."},
    {"list", 0, GEN, OPTION_FLAG, OPTION_COMMAND, 0, NULL, NULL, 0,
     "Show every family with its parameters and their defaults."},
    {"format", 0, GEN, OPTION_CHOICE, OPTION_COMMAND, 0, "tchecker|xta", "tchecker", 0,
     "Write the model in TChecker's language or in UPPAAL's."},
    {"time-limit", 0, LINT, OPTION_SECONDS, AT(time_limit), 0, "SECONDS", "10", 1000000000,
     "Cut the search after this time, with reading the model. 0 means no limit."},
    {"time-limit", 0, MUTATE, OPTION_SECONDS, AT(time_limit), 0, "SECONDS", "10", 1000000000,
     "Give up a query of a mutant after this time: undecided. 0 means no limit."},
    {"time-limit", 0, OTHERS & ~LINT & ~MUTATE, OPTION_SECONDS, AT(time_limit), 0, "SECONDS", "0",
     1000000000,
     "Give up after this time, with reading the model: exit status 3. 0 means no limit."},
};

enum { ENTRIES = sizeof table / sizeof *table };

// They come first in the table.
const OptionInfo *options_at(uint32_t index) {
  return index < ENTRIES && table[index].commands & CHECK ? &table[index] : NULL;
}

const OptionInfo *options_of_command(CommandName command, uint32_t index) {
  if (command == COMMAND_CHECK)
    return options_at(index);
  for (uint32_t i = 0; i < ENTRIES; i++)
    if (table[i].commands & 1 << command && !index--)
      return &table[i];
  return NULL;
}

const OptionInfo *options_find(const char *name) {
  for (uint32_t i = 0; i < ENTRIES; i++)
    if (*table[i].name == *name && !strcmp(table[i].name, name))
      return &table[i];
  return NULL;
}

const OptionInfo *options_find_after(const OptionInfo *info) {
  for (const OptionInfo *next = info + 1; next < table + ENTRIES; next++)
    if (!strcmp(next->name, info->name))
      return next;
  return NULL;
}

static const OptionInfo *find_of(CommandName command, const char *name) {
  for (uint32_t i = 0; i < ENTRIES; i++)
    if (*table[i].name == *name && table[i].commands & 1 << command &&
        !strcmp(table[i].name, name))
      return &table[i];
  return NULL;
}

static const char *values_of(const OptionInfo *info) {
  return info->kind == OPTION_FLAG ? "no|yes" : info->values;
}

static int find_choice(const char *values, const char *value) {
  const size_t length = strlen(value);
  for (int i = 0; *values; i++) {
    const size_t size = strcspn(values, "|");
    if (size == length && !memcmp(values, value, size))
      return i;
    values += size + (values[size] == '|');
  }
  return -1;
}

// Definitions stand on a line each; the last one is new. Without any there is none.
static bool is_definition(const char *value) {
  const char *const end = strrchr(value, '\n'), *const last = end ? end + 1 : value;
  return !*value || (*last != '=' && strchr(last, '='));
}

// Reads a value; false if it is none of the option's.
static bool read_value(void *at, const OptionInfo *info, const char *value) {
  char *end = NULL;
  errno = 0;
  switch (info->kind) {
  case OPTION_FLAG:
  case OPTION_CHOICE: { // a flag is on if it is only named
    const int choice = find_choice(values_of(info), value ? value : "yes");
    if (choice >= 0)
      *(int *)at = choice;
    return choice >= 0;
  }
  case OPTION_NUMBER: {
    const long number = strtol(value, &end, 10);
    if (end == value || *end || errno || number < 0 || number > info->max)
      return false;
    *(int *)at = (int)number;
    return true;
  }
  case OPTION_SECONDS: {
    const double seconds = strtod(value, &end);
    if (end == value || *end || !(seconds >= 0) || !(seconds <= info->max))
      return false;
    *(double *)at = seconds;
    return true;
  }
  case OPTION_TEXT:
    *(const char **)at = *value ? value : NULL;
    return strcmp(info->values, "NAME=VALUE") != 0 || is_definition(value);
  }
  return true;
}

// What is wrong with a value.
static void refuse_value(const OptionInfo *info, const char *value, Report *report) {
  const Place nowhere = {0};
  if (info->kind == OPTION_CHOICE)
    report_error(report, nowhere, "--%s does not know `%s`; use one of %s", info->name, value,
                 info->values);
  else if (info->kind == OPTION_FLAG)
    report_error(report, nowhere, "--%s is `yes` or `no`, not `%s`", info->name, value);
  else if (info->kind == OPTION_TEXT)
    report_error(report, nowhere, "--%s needs %s, such as N=5, not `%s`", info->name,
                 info->values, value);
  else
    report_error(report, nowhere, "--%s needs a %snumber from 0 to %d, not `%s`", info->name,
                 info->kind == OPTION_NUMBER ? "whole " : "", info->max, value);
}

void options_init(Options *options) {
  *options = (Options){0};
  for (uint32_t i = 0; table[i].commands & CHECK; i++)
    if (table[i].offset != OPTION_COMMAND && table[i].initial && // 0 is there already
        (*table[i].initial != '0' || table[i].initial[1]))
      read_value((char *)options + table[i].offset, &table[i], table[i].initial);
}

// There are no published counts of hunts, so they may use symmetry.
bool options_fix_algorithm(const Options *options) {
  return options->effects & OPTION_NAMES ||
         (options->effects & OPTION_ORDERS && options->order != ORDER_HUNT);
}

static bool refuse_name(CommandName command, const char *name, Report *report) {
  const bool is_check = command == COMMAND_CHECK; // and the library's
  const char *const of = commands[command].name, *const who = is_check ? "there" : of;
  const char *const has = is_check ? "is" : "has";
  const OptionInfo *info;
  Nearest nearest = {0};
  for (uint32_t i = 0; (info = options_of_command(command, i)); i++)
    text_consider(&nearest, name, info->name);
  if (nearest.name)
    report_error(report, (Place){0}, "%s %s no option `%s`; did you mean `%s`?", who, has, name,
                 nearest.name);
  else
    report_error(report, (Place){0}, "%s %s no option `%s`; see `tarn help %s`", who, has, name,
                 of);
  return false;
}

bool options_take(Options *options, CommandName command, const char *name, const char *value,
                  Report *report) {
  const OptionInfo *info = find_of(command, name);
  Options unused;
  if (!info)
    return refuse_name(command, name, report);
  void *at = info->offset == OPTION_COMMAND ? (void *)&unused : (char *)options + info->offset;
  if (!read_value(at, info, value)) {
    refuse_value(info, value, report);
    return false;
  }
  options->effects |= info->effect;
  return true;
}

bool options_set(Options *options, const char *name, const char *value, Report *report) {
  const OptionInfo *info = options_find(name);
  if (!info || info->offset != OPTION_COMMAND)
    return options_take(options, COMMAND_CHECK, name, value, report);
  return report_error(report, (Place){0}, "`%s` is an option of the command, not of the library",
                      name);
}

void options_value(Text *text, const Options *options, const OptionInfo *info) {
  const void *at = (const char *)options + info->offset;
  const char *chars = values_of(info);
  switch (info->kind) {
  case OPTION_TEXT:
    chars = *(const char *const *)at;
    text_add(text, chars ? chars : "");
    break;
  case OPTION_SECONDS:
    text_addf(text, "%.15g", *(const double *)at);
    break;
  case OPTION_NUMBER:
    text_addf(text, "%d", *(const int *)at);
    break;
  case OPTION_FLAG:
  case OPTION_CHOICE:
    for (int i = *(const int *)at; i > 0; i--)
      chars += strcspn(chars, "|") + 1;
    text_add_bytes(text, chars, strcspn(chars, "|"));
  }
}
