/* libtarn: a model checker for networks of timed automata.
 *
 * One Tarn is one model, its options and its last answer. It is in one of three states:
 *
 *   EMPTY     after tarn_init
 *   LOADED    after tarn_read or tarn_read_text
 *   ANSWERED  after tarn_check or tarn_check_labels
 *
 * Each call says in which states it is allowed; a call in a wrong state is a bug of the
 * caller and aborts with the name of the function. Faults of the user (model, query, option,
 * file) return -1, and tarn_error then tells what and where. The library prints nothing and
 * keeps no global state: different Tarn objects may be used by different threads. One object is
 * for one thread at a time: the caller locks it from before a call until what the call returned
 * has been read. Debug builds abort with the name of the function that finds another call under
 * way.
 *
 * What is stable. Within one major version from 1 on, programs that were compiled against an
 * older version go on to work: calls, their meaning, the numbers of verdicts and the layout of
 * TarnOption stay; calls, words for tarn_write, options and names in JSON are only added. Not
 * covered: the wording of messages and of text for people, statistics, the order of results of
 * equal standing. Before 1.0.0 a minor version may change calls; the number of libtarn.so.N then
 * changes as well.
 */
#ifndef TARN_H
#define TARN_H

#define TARN_VERSION_MAJOR 0
#define TARN_VERSION_MINOR 1
#define TARN_VERSION_PATCH 0
/* For comparisons: 0.1.0 is 100. tarn_version() tells that of the library that is linked. */
#define TARN_VERSION_NUMBER                                                                      \
  (TARN_VERSION_MAJOR * 10000 + TARN_VERSION_MINOR * 100 + TARN_VERSION_PATCH)

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TARN_API __attribute__((visibility("default")))

typedef struct Tarn Tarn;
typedef struct TarnQuery TarnQuery;

/* What tarn_check answers. */
enum {
  TARN_NOT_SATISFIED = 0,
  TARN_SATISFIED = 1,
  TARN_EXPLORED = 2,  /* no query: everything was explored */
  TARN_UNDECIDED = 3, /* a limit or an interrupt: see tarn_reason */
  TARN_REFUSED = 4,   /* the query is understood but cannot be decided: see tarn_reason */
  TARN_ESTIMATED = 5  /* a statistical query got a number, with an interval */
};

TARN_API const char *tarn_version(void);

TARN_API Tarn *tarn_init(void);     /* -> EMPTY */
TARN_API void tarn_release(Tarn *); /* any state; NULL is allowed */

/* If mpirun or a scheduler started several processes of the program (and the library was built
 * with `make MPI=1`), they search together. 0 in the first one, which goes on; the others serve
 * its searches inside this call, and it is 1 when the first has released its Tarn: they release
 * theirs and end. 0 if there is only one. EMPTY; -1 with an error. With several Tarn objects, one
 * after the other, each process calls it for all of them in the same order. */
TARN_API int tarn_join(Tarn *);

/* How many Tarn objects, in processes or threads, work at once: without a memory limit, each may
 * use its part of what is available. Any state. */
TARN_API void tarn_share(Tarn *, int count);

/* Sets an engine option, e.g. ("order", "dfs"); flags are "yes" or "no". Any state; 0, or -1 with
 * an error. NULL for the option sets all back to their defaults. */
TARN_API int tarn_set(Tarn *, const char *option, const char *value);

/* Reads a model from a file ("-" is standard input), or from a text in the given language
 * ("tchecker" or "uppaal", which is .xta or XML). EMPTY -> LOADED; 0, or -1 with an error (then
 * it stays EMPTY). */
TARN_API int tarn_read(Tarn *, const char *path);
/* The same without the .q file beside the model: it is not even opened. */
TARN_API int tarn_read_model(Tarn *, const char *path);
TARN_API int tarn_read_text(Tarn *, const char *text, const char *language);

/* Queries that came with the model (in the .q file beside it): how many, and their texts.
 * LOADED, ANSWERED. */
TARN_API size_t tarn_query_count(const Tarn *);
TARN_API const char *tarn_query(const Tarn *, size_t index);
/* What an UPPAAL model expects of its query, as written behind EXPECT: or in <expect>, such as T
 * or F; NULL: nothing. LOADED, ANSWERED. */
TARN_API const char *tarn_expectation(const Tarn *, size_t index);
/* Whether the last answer is what the model expects, 1 or 0; -1 if it expects nothing, or if the
 * query was not what tarn_query or tarn_query_at returned. Reports for continuous integration go
 * by it, too. ANSWERED. */
TARN_API int tarn_is_expected(const Tarn *);
/* Where the query stands, as verifyta writes it: /nta/queries/query[1]/formula, FILE.q:3. NULL if
 * that is not known. LOADED, ANSWERED. */
TARN_API const char *tarn_query_position(const Tarn *, size_t index);
/* Reads queries from a .q file ("-" is standard input) in place of those that came with the
 * model. LOADED, ANSWERED; 0, or -1 with an error. */
TARN_API int tarn_read_queries(Tarn *, const char *path);
TARN_API int tarn_read_queries_text(Tarn *, const char *text); /* the same from a text */
/* Whether the last answer has a run that shows it. ANSWERED. */
TARN_API int tarn_has_run(const Tarn *);
/* The language of the model, a word for tarn_read_text: "tchecker" or "uppaal". LOADED,
 * ANSWERED. */
TARN_API const char *tarn_language(const Tarn *);
/* Whether every query with a mistake in it gets the verdict TARN_REFUSED from tarn_check, as
 * those of UPPAAL models do, instead of an error. Those that tarn_query returns always do.
 * LOADED, ANSWERED. */
TARN_API int tarn_refuses(const Tarn *);

/* Decides a query, `E<> formula` or `A[] formula`; NULL explores everything. The other form asks
 * for a state that carries all of the labels "a,b". LOADED, ANSWERED -> ANSWERED; a verdict, or
 * -1 with an error (then the state does not change).
 * It is an error, too, if a certificate, graph or run that the options ask for could not be
 * made: then there is an answer all the same, and tarn_verdict has it. */
TARN_API int tarn_check(Tarn *, const char *query);
TARN_API int tarn_check_labels(Tarn *, const char *labels);
/* Plans a query and runs nothing: tarn_write then has "plan". LOADED, ANSWERED; 0, or the -1 and
 * the error of a check. */
TARN_API int tarn_plan(Tarn *, const char *query);
TARN_API int tarn_plan_labels(Tarn *, const char *labels);
/* Only reads a query, so that one of many that is wrong can be told before the first search: 0,
 * or the -1 and the error of a check. Handles keep what was read. LOADED, ANSWERED. */
TARN_API int tarn_parse(Tarn *, const char *query);
TARN_API int tarn_parse_labels(Tarn *, const char *labels);

/* Handles. A handle is one query of one Tarn: its text, where it stands, what is expected of it
 * and, once a call has read it, its syntax tree. Later calls with the handle do not read it
 * again. The first call returns the query that came with the model, NULL if the index is too
 * large. The others make a handle from a copy of the text; nothing is read yet, so they do not
 * fail. Handles end with their Tarn. LOADED, ANSWERED. */
TARN_API TarnQuery *tarn_query_at(Tarn *, size_t index);
TARN_API TarnQuery *tarn_query_new(Tarn *, const char *text);
TARN_API TarnQuery *tarn_query_labels(Tarn *, const char *labels);
/* Ends a handle before its Tarn. Nothing is done for NULL and for those of tarn_query_at. */
TARN_API void tarn_query_release(Tarn *, TarnQuery *);
/* As tarn_query, tarn_query_position and tarn_expectation; the latter two are NULL for queries
 * that did not come with the model. */
TARN_API const char *tarn_query_text(const TarnQuery *);
TARN_API const char *tarn_query_place(const TarnQuery *);
TARN_API const char *tarn_query_expectation(const TarnQuery *);
/* The mistake in the query, as tarn_error tells it after a call that reads the query; NULL if
 * there is none, or if the query was not read yet. */
TARN_API const char *tarn_query_error(const TarnQuery *);
/* As tarn_check, tarn_plan and tarn_parse, and their forms for labels. */
TARN_API int tarn_check_query(Tarn *, TarnQuery *);
TARN_API int tarn_plan_query(Tarn *, TarnQuery *);
TARN_API int tarn_parse_query(Tarn *, TarnQuery *);
/* The verdict of the last check; -1 if that found none. If there was no check: TARN_UNDECIDED
 * after another call, such as tarn_read, that a limit has ended. Any state. */
TARN_API int tarn_verdict(const Tarn *);

/* Why the last answer is undecided or refused, a few words; NULL if it is not. ANSWERED. */
TARN_API const char *tarn_reason(const Tarn *);

/* After -1: `file:line:column: text`, the line and a caret, each ended by a newline; never NULL.
 * Any state. */
TARN_API const char *tarn_error(const Tarn *);
/* Warnings of the last call, each a message like an error; empty if there were none. */
TARN_API const char *tarn_warnings(const Tarn *);

/* Writes something: 0, or -1 with an error (unknown words, or the stream failed).
 *   "model"    text, dot    LOADED, ANSWERED: the model as it was read
 *   "model"    json         LOADED, ANSWERED: processes with templates and locations, edges,
 *                           clocks and variables by number, with paths of the XML's elements
 *   "model"    xta, xml, tchecker   LOADED, ANSWERED: the model in UPPAAL's textual format, as
 *                           XML or in TChecker's format; an error if that cannot express it
 *   "answer"   text, full, brief, json   ANSWERED: verdict of the last check, and its trace if
 *                           asked for, in full with whole states, in brief not at all; as JSON
 *                           like "answers", with this one only
 *   "run of the answer"  uppaal   ANSWERED: its run as UPPAAL's verifyta prints it
 *   "estimate"  uppaal      ANSWERED: the numbers of a statistical query as UPPAAL's verifyta
 *                           prints them; nothing for other queries
 *   "symmetry" text         LOADED, ANSWERED: which processes can be exchanged for each other
 *   "stats"    text         ANSWERED: its statistics
 *   "plan"     text         LOADED, ANSWERED: what the last tarn_plan planned; empty if there is
 *                           nothing to run
 *   "stages"   text         ANSWERED: what was done for it, with the option "explain"
 *   "answers"  html         LOADED, ANSWERED: a page with all answers since tarn_read; it shows
 *                           runs that are concrete
 *   "answers"  json         any state: one object with all answers, warnings and errors, also the
 *                           error of the call before, if it failed
 *   "answers"  junit        any state: a report for systems of continuous integration, with all
 *                           answers and the error of the call before, if it failed
 *   "answers"  testsuite    any state: the element for one model of such a report
 *   "lint"     text, json   LOADED, ANSWERED: what the last tarn_lint found
 *   "cover"    text, json, html   LOADED, ANSWERED: what the last tarn_cover found
 *   "simulation"  text, full, json   after tarn_simulate: the choices, and the present state or,
 *                           as text after a step, what the step has changed
 *   "run"         text, full, json, html   after tarn_simulate: the run so far; the latter two
 *                           like "answers"
 *   "random run"  text, full, json   after tarn_random_run: the run
 *   "certified"  text, json   LOADED, ANSWERED: what tarn_certify has proved of the model since
 * it was read, in a sentence for each query: the model's hash, the verdict, the checker, what is
 * trusted; JSON has what was rejected, too
 */
TARN_API int tarn_write(Tarn *, FILE *, const char *what, const char *format);
/* Whether the last page or report, which have at most 4 MB, shows only the beginning and the end
 * of a long run. "answers" or "run" as "json" have all of it. Any state. */
TARN_API int tarn_is_cut(const Tarn *);
/* The same into a buffer, as snprintf does it: writes as much as has room and a NUL, and returns
 * the length of the whole without the NUL, or -1 with an error. If there was no room for all, the
 * next call with the same words, right after this one, does not make it anew. */
TARN_API long tarn_write_buffer(Tarn *, char *buffer, size_t size, const char *what,
                                const char *format);

/* Checks evidence in a file against the model, with code that shares with the searches only the
 * model and the interpreter of its expressions: concrete runs as "answers" has them, or a
 * certificate, which the option of that name makes tarn_check write. LOADED, ANSWERED; 1 if it is
 * accepted, 0 if it is rejected, -1 with an error if it cannot be read. tarn_finding then says
 * what it shows, or what is wrong with it. */
TARN_API int tarn_certify(Tarn *, const char *path);
TARN_API int tarn_certify_text(Tarn *, const char *text); /* the same for a text */
TARN_API const char *tarn_finding(const Tarn *);

/* Writes the text of a file, a model in any format or a file of queries (.q), with blanks, line
 * indentation and blank lines as they should be; nothing else changes. The stream may be NULL.
 * Any state; 1 if the text is another one now, 0 if it is the same, -1 with an error. */
TARN_API int tarn_format(Tarn *, FILE *, const char *path);

/* Looks for what is suspicious in the model: parts that no run uses, variables that nobody reads,
 * queries that hold vacuously and so on (`tarn help lint`). It searches all states, with the time
 * and memory limits of the options. With these queries, or with those of the model if the count
 * is 0. LOADED, ANSWERED; the number of warnings; -2 if there are none but the search was cut
 * before it could tell; -1 with an error. tarn_write then has "lint" as "text" or "json". */
TARN_API int tarn_lint(Tarn *, const char *const *queries, size_t count);

/* Finds few runs that together use all "edges", "locations" or "pairs" (of consecutive edges of a
 * process) that any run uses, or that show the "queries" of the model. With the limits of the
 * options; what they leave open is undecided. If something is unreachable, a certificate is made
 * (in the file of the option of that name) and checked. LOADED, ANSWERED; 0, or -1 with an error.
 * tarn_write then has "cover" as "text", "json" or "html". */
TARN_API int tarn_cover(Tarn *, const char *goal);

/* Makes mutants of the model that was read: texts that differ from it in one place, as a mistake
 * would. `operators` is a list such as "edge,target" (`tarn help mutate`); NULL: all. LOADED,
 * ANSWERED; their number, or -1 with an error. */
TARN_API long tarn_mutate(Tarn *, const char *operators);
typedef struct TarnMutant {
  const char *kind;    /* the operator */
  size_t line, column; /* where it differs, from 1 on */
  const char *from;    /* what it replaces; empty: nothing */
  const char *to;      /* by what; empty: by nothing */
  const char *text;    /* the whole model, for tarn_read_text */
} TarnMutant;
/* Fills in the description of one, which lasts until the next call; 0, or -1 after the last.
 * LOADED, ANSWERED. */
TARN_API int tarn_mutant(Tarn *, size_t index, TarnMutant *);
/* Whether two models with the same declarations have the same states at the same times, in the
 * first `*states` symbolic states, which becomes the number that was compared; `*is_all`: there
 * are no others. LOADED, ANSWERED; 1 if they have, 0 if not, -1 with an error, also if they
 * cannot be compared. */
TARN_API int tarn_is_alike(Tarn *, Tarn *other, size_t *states, int *is_all);

/* Reads runs, as "answers" has them, in place of the answers of a check; they are not
 * checked. LOADED, ANSWERED -> ANSWERED; 0, or -1 with an error. */
TARN_API int tarn_read_runs(Tarn *, const char *path);
TARN_API int tarn_read_runs_text(Tarn *, const char *text); /* the same from a text */

/* Makes one run of a statistical query once more: run `run`, from 0 on, of this seed (0: 1). It
 * is the one that a check of the query makes, with any number of threads. tarn_write then has
 * "random run" as "text", "full" or "json"; tarn_certify replays the latter. LOADED, ANSWERED; 0,
 * or -1 with an error. */
TARN_API int tarn_random_run(Tarn *, TarnQuery *, unsigned long long run,
                             unsigned long long seed);

/* Simulation: a concrete run, made step by step. It begins in an initial state or, with the
 * path of a run in JSON, at its end. LOADED, ANSWERED; 0, or -1 with an error. */
TARN_API int tarn_simulate(Tarn *, const char *run);
/* The same with the text of the run; NULL: an initial state. */
TARN_API int tarn_simulate_text(Tarn *, const char *run);
/* A symbolic one, from the beginning: states are zones, and a choice is a transition that some
 * state of the zone lets be taken. tarn_step takes no delay then, and tarn_wait fails;
 * "simulation" is "json" only, with the zone as text and as "bounds", and "run" as "json" is a
 * concrete run with the same transitions. LOADED, ANSWERED; 0, or -1 with an error. */
TARN_API int tarn_simulate_symbolically(Tarn *);
/* Takes one of the choices, after a delay such as "3/2"; NULL: as early as possible. After
 * tarn_simulate; 0, or -1 with an error. */
TARN_API int tarn_step(Tarn *, size_t choice, const char *delay);
/* Lets time pass, e.g. "3/2", without a transition. After tarn_simulate; 0, or -1 with an error.
 */
TARN_API int tarn_wait(Tarn *, const char *delay);
/* Takes the last delay or step back; goes to a step, also to one that was taken back before. */
TARN_API int tarn_step_back(Tarn *);
TARN_API int tarn_step_to(Tarn *, size_t step);
/* Up to `count` random steps; how many there were, or -1 with an error. If a limit of time or
 * memory is the error of a step, there are no choices until tarn_step_to or tarn_step_back. */
TARN_API int tarn_step_randomly(Tarn *, int count, int seed);
/* Why the simulation cannot go on: a deadlock or a time-lock, and what stops time; NULL if it
 * can. Valid until the next call. */
TARN_API const char *tarn_stuck(Tarn *);

/* A statistic of the last or the running search, e.g. "visited" (`tarn help statistics` names
 * them), or "limit_bytes", the memory that it may use (0: any); 0 if it is not one of such a
 * search, NaN if there is none of that name. Of a statistical query: "runs", "satisfied",
 * "steps", "estimate", "lower", "upper". Any state; also from the terminate callback. */
TARN_API double tarn_statistic(const Tarn *, const char *name);

/* Polled during each call that can take long. Non-zero ends a check, undecided, and makes other
 * calls fail; answers can be written all the same. Any state. */
TARN_API void tarn_set_terminate(Tarn *, void *state, int (*terminate)(void *state));

/* Writes a generated model: a family and arguments "7" (the parameter n) or "key=value". With
 * family NULL, the list of families. Any state; 0, or -1 with an error. */
TARN_API int tarn_generate(Tarn *, FILE *, const char *family, int count,
                           const char *const *arguments);
TARN_API long tarn_generate_buffer(Tarn *, char *buffer, size_t size, const char *family,
                                   int count,
                                   const char *const *arguments); /* see tarn_write_buffer */

/* A language service, for editors: a server of the Language Server Protocol 3.17 without its
 * streams. A message of JSON-RPC 2.0 comes in, and answers, diagnostics and the like go out by
 * the callback, during the calls below. Any message is safe. A service is for one thread at a
 * time; it keeps its documents and shares nothing with others. NULL: out of memory. */
typedef struct TarnService TarnService;
TARN_API TarnService *tarn_service_new(void *state, void (*send)(void *state, const char *message,
                                                                 size_t size));
TARN_API void tarn_service_release(TarnService *); /* NULL is allowed */
/* 0: go on; 1: the client said `exit` after `shutdown`; 2: without it. */
TARN_API int tarn_service_receive(TarnService *, const char *message, size_t size);
/* Limits of each of its requests: seconds, and MiB of memory (0: none). A client can ask for
 * less.
 */
TARN_API void tarn_service_set_limits(TarnService *, double seconds, unsigned mib);
/* The same for assistants that write models: a server of the Model Context Protocol. Its tools
 * read files below a folder (NULL: none), and have these limits for a call: seconds, MiB of
 * memory, bytes of the answer. NULL: out of memory, or the folder cannot be opened. */
TARN_API TarnService *tarn_mcp_new(const char *root, double seconds, unsigned mib, size_t bytes,
                                   void *state,
                                   void (*send)(void *state, const char *message, size_t size));
/* The callback is called during long requests. It may look for messages that have come meanwhile,
 * and shows them to tarn_service_notice, which sees what cancels the present request. They are
 * received later all the same. */
TARN_API void tarn_service_set_poll(TarnService *, void *state, void (*poll)(void *state));
TARN_API void tarn_service_notice(TarnService *, const char *message, size_t size);
/* Whether something was left for a pause in the input, such as diagnostics; sends it. */
TARN_API int tarn_service_waits(const TarnService *);
TARN_API void tarn_service_idle(TarnService *);

/* The options: fills in the description of one; 0, or -1 after the last. */
typedef struct TarnOption {
  const char *name;
  char letter;          /* 0: none */
  const char *argument; /* its values or the name of its argument; NULL for a flag */
  const char *initial;  /* default, NULL: none */
  const char *help;
  int is_engine; /* for tarn_set; the others are the command's own */
} TarnOption;
TARN_API int tarn_option(size_t index, TarnOption *);
/* The same for a command, such as "simulate"; tarn_option has the options of check. */
TARN_API int tarn_command_option(const char *command, size_t index, TarnOption *);
/* Takes an option of a command, as its command line does: an option of the engine is set, the
 * value of another one is only checked (a flag has the value NULL). Any state; 0, or -1 with an
 * error that names the nearest option if there is none of this name. */
TARN_API int tarn_command_set(Tarn *, const char *command, const char *option, const char *value);

/* Writes the help on a topic ("check", "options", ...; NULL for the overview) as "text", or
 * everything as a manual page, "man", or as a script that completes command lines, "bash" or
 * "zsh". 0, or -1 if there is no such topic. */
TARN_API int tarn_help(FILE *, const char *topic, const char *format);
TARN_API long tarn_help_buffer(char *buffer, size_t size, const char *topic, const char *format);

#ifdef __cplusplus
}
#endif

#endif
