// Options of all commands: one table (options.c) with name, letter, commands, values, default and
// help. The parser, the help, the man page, the completion and the JSON echo are made from it.
// Adding an option is adding a line there and, if the engine reads it, a field here.
#pragma once

#include "base/report.h"

typedef enum Engine {
  ENGINE_AUTO, // zones or local, whichever suits the model; never of a search that is under way
  ENGINE_ZONES,
  ENGINE_LOCAL,
  ENGINE_DARTS,
  ENGINE_POINTS,
  ENGINE_WIDE,
} Engine;

typedef enum Abstraction {
  ABSTRACTION_ALU,
  ABSTRACTION_AM,
  ABSTRACTION_CLOSURE, // the same relation as am
  ABSTRACTION_CLOSURE_LU_PLUS,
  ABSTRACTION_EXTRA_LU_PLUS,
  ABSTRACTION_EXTRA_LU,
  ABSTRACTION_EXTRA_M_PLUS,
  ABSTRACTION_EXTRA_M,
  ABSTRACTION_NONE,
} Abstraction;

typedef enum BoundsScope { BOUNDS_LOCAL, BOUNDS_GLOBAL, BOUNDS_FLY, BOUNDS_LAZY } BoundsScope;
typedef enum DelayPlace { DELAY_AFTER, DELAY_BEFORE } DelayPlace;
typedef enum SearchOrder {
  ORDER_STAGES,
  ORDER_TW,
  ORDER_BFS,
  ORDER_DFS,
  ORDER_RANK,
  ORDER_WAIT,
  ORDER_HUNT, // several searches, see plan/plan.c; no search has it
} SearchOrder;
typedef enum SymmetryUse { SYMMETRY_AUTO, SYMMETRY_ON, SYMMETRY_OFF } SymmetryUse;
typedef enum PartialOrderUse { PARTIAL_AUTO, PARTIAL_ON, PARTIAL_OFF } PartialOrderUse;
typedef enum Preferred {
  PREFER_ANY,
  PREFER_SHORTEST,
  PREFER_FASTEST,
  PREFER_AUTO, // shortest if that is cheap; no run has it
} Preferred;
typedef enum TraceKind { TRACE_NONE, TRACE_SYMBOLIC, TRACE_CONCRETE } TraceKind;

typedef struct Options {
  int engine;              // Engine
  int abstraction;         // Abstraction
  int bounds;              // BoundsScope
  int order;               // SearchOrder
  int delay;               // DelayPlace
  int symmetry;            // SymmetryUse
  int partial_order;       // PartialOrderUse
  int trace;               // TraceKind
  int prefer;              // Preferred
  int traces;              // runs to the goal that are shown
  int differ;              // Differ: by what they differ
  double time_limit;       // seconds, 0: none
  int memory_limit;        // MiB, 0: a share of what is available
  int strict;              // warnings are errors
  int compact;             // zones are kept in minimal form
  int explain;             // the answer says what was planned and done
  int non_zeno;            // only runs in which time diverges count
  int seed;                // 0: declaration order; else successors in a random order
  int threads;             // that search; 0: as many as there are processors
  const char *certificate; // where to write one; NULL: nowhere; not owned
  const char *graph;       // where to write the explored graph; the same
  const char *define;      // constants of the model, NAME=VALUE on a line each; the same
  const char *disk;        // the folder for what memory cannot hold; the same
  const char *checkpoint;  // the folder for checkpoints of the search; the same
  const char *resume;      // the folder with the one to begin with; the same
  double every;            // seconds between checkpoints
  // Statistical queries, by UPPAAL's names.
  double alpha, beta, epsilon, lower_delta, upper_delta, u0, u1;
  double bar_width; // of histograms; 0: by bar_count
  int bar_count;    // 0: by the number of values
  double discretization, truncation_error, truncation_time_error;
  int exact;          // 0: look for exact probabilities, 1: do not
  const char *levels; // of importance splitting; NULL: none
  int stop;           // StopRule
  const char *data;   // the folder for tables of values; NULL: nowhere; not owned
  int effects;        // of all options that the user set: OPTION_TUNES and so on
  bool is_focused;    // of a hunt: processes that the query names go first
  bool is_reduced;    // of a search: by partial order, as plan/choice.h decided
  bool may_exceed; // of a search for a proof: its nodes may stand for more states than there are
} Options;

typedef enum OptionKind {
  OPTION_CHOICE,
  OPTION_NUMBER,
  OPTION_SECONDS, // a double
  OPTION_FLAG,
  OPTION_TEXT
} OptionKind;
enum { OPTION_COMMAND = -1 };

// Of setting an option. The user chose how to search: then engine auto is zones. An algorithm was
// named, or an order or a seed: then symmetry auto is off. An abstraction was named: then it is
// never replaced by another.
// OPTION_ESTIMATES: it is for statistical queries only.
enum {
  OPTION_TUNES = 1,
  OPTION_NAMES = 2,
  OPTION_ORDERS = 4,
  OPTION_ABSTRACTS = 8,
  OPTION_ESTIMATES = 16,
  OPTION_RUNS = 32 // it is for several runs only
};

// The commands of `tarn`, in the order of the overview.
typedef enum CommandName {
  COMMAND_CHECK,
  COMMAND_CERTIFY,
  COMMAND_SIMULATE,
  COMMAND_SHOW,
  COMMAND_GEN,
  COMMAND_CONVERT,
  COMMAND_LINT,
  COMMAND_FMT,
  COMMAND_SWEEP,
  COMMAND_COVER,
  COMMAND_MUTATE,
  COMMAND_WATCH,
  COMMAND_LSP,
  COMMAND_WORKBENCH,
  COMMAND_SERVE,
  COMMAND_MCP,
  COMMAND_VERIFYTA, // has UPPAAL's options, not those of the table
  COMMAND_HELP,
} CommandName;

typedef struct CommandInfo {
  const char *name, *arguments, *help;
} CommandInfo;

const CommandInfo *options_command(uint32_t index); // NULL after the last
bool options_find_command(const char *name, CommandName *);
void options_refuse_command(const char *name, Report *); // an error that names the nearest one

typedef struct OptionInfo {
  const char *name;
  char letter;       // 0: none
  unsigned commands; // that have it: bits, 1 << COMMAND_CHECK and so on
  OptionKind kind;
  int offset;          // in Options; OPTION_COMMAND: the engine does not act on it
  int effect;          // OPTION_TUNES and so on
  const char *values;  // OPTION_CHOICE: "alu|am|..."; else the name of the argument
  const char *initial; // default, as text; NULL: none
  int max;             // OPTION_NUMBER, OPTION_SECONDS
  const char *help;    // sentences; a newline breaks lines
} OptionInfo;

// The options of `tarn check`, from index 0 on; NULL after the last. All of the engine's are
// among them.
const OptionInfo *options_at(uint32_t index);
// Those of a command.
const OptionInfo *options_of_command(CommandName, uint32_t index);
// One of any command, those of check first; NULL if there is none.
const OptionInfo *options_find(const char *name);
const OptionInfo *options_find_after(const OptionInfo *); // the next one of the same name

void options_init(Options *);
bool options_fix_algorithm(const Options *); // whether they name one: then symmetry auto is off
// Sets an engine option; false with an error in the report.
bool options_set(Options *, const char *name, const char *value, Report *);
// The same for any option of a command: of others than the engine's the value is only checked.
bool options_take(Options *, CommandName, const char *name, const char *value, Report *);
// The present value as text, for the JSON echo.
void options_value(Text *, const Options *, const OptionInfo *);
