// A session: one model, its options, its answers. `Tarn`, which tarn.h hands out, is this struct.
// Only tarn.c and this folder see inside. Everything lives in `mem` and ends with it.
#pragma once

#include "answers/runs/simulate.h"
#include "answers/runs/symbolic.h"
#include "base/link.h"
#include "language/mutants.h"
#include "language/source.h"
#include "model/query.h"
#include "model/units.h"
#include "output/answer.h"
#include "plan/certified.h"

#include <setjmp.h>
#include <stdatomic.h>

typedef enum TarnState { EMPTY = 1, LOADED = 2, ANSWERED = 4 } TarnState;

typedef struct TarnQuery TarnQuery; // plan/handle.h
typedef VEC(TarnQuery *) QueryList;

// The thread whose call is under way, as the address of something of its own; 0: none.
typedef atomic_uintptr_t SessionUser;

typedef struct Tarn Tarn;
struct Tarn {
  TarnState state;
  SessionUser *user; // debug builds keep it
  Mem mem;
  Report report;
  Options options;
  const char *path;                    // of the model that was to be read; NULL: none
  Source source;                       // of the model; text owned
  Net loaded;                          // as it was read
  const Net *net;                      // the same; nothing changes it after reading
  Units units;                         // that in the units of time that queries need
  uint32_t net_number;                 // grows when a network is read
  uint32_t told_number;                // of the one of which it was told what is ignored
  QueryList queries;                   // that came with the model
  const struct QueryNode *query_nodes; // the same, as they stand in the file
  Arena query_arena;                   // of all that did, also those that others replaced
  Answers answers;
  Statistics stats;                // of the last or running search
  const struct Estimate *estimate; // of the last or running statistical query; NULL: none
  int verdict;                     // of the last tarn_check, -1: none
  Text warnings, errors;           // of all reads and checks
  double began;                    // when the present call did, by timer_seconds
  double reading;                  // seconds that it took to read the model
  MemWatch watch;                  // the time limit of the present call
  size_t limit;                    // bytes that the running search may use; 0: any
  uint32_t share;                  // so many sessions work at once; 0: this one alone
  size_t available;            // bytes that may be used if there is no limit; 0: not known yet
  char memory_reason[80];      // which limit it is
  Text planned;                // of the last tarn_plan
  Text finding;                // of the last tarn_certify
  Certified certified;         // of all calls since the model was read
  Text lint_text, lint_json;   // of the last tarn_lint
  Text cover_text, cover_json; // of the last tarn_cover
  struct KeptSuite *suite;     // its runs, for a page; NULL: none (plan/suites.c)
  Mutants mutants;             // of the last tarn_mutate
  Text mutant_from;            // what the mutant replaces that tarn_mutant told last
  Text mutant_text;            // the whole of it
  Text composed;               // what had no room in the buffer of the last tarn_write_buffer
  Text composed_of;            // its words; empty: nothing is kept
  bool is_cut;                 // the last page or report leaves out parts of runs
  Simulation *simulation;      // NULL: none was started
  Symbolic *symbolic;          // the same with zones; at most one of them
  struct ShownRun *shown;      // of the last tarn_random_run; NULL: none
  Link *link;                  // to processes that search together (plan/machines.h); NULL: none
  bool has_told_model;         // they know it
  void *terminate_state;
  int (*terminate)(void *state);
};

// The first line of each call. In debug builds, a call while one of another thread is under way
// aborts. A call from a callback, in the same thread, is none.
#ifdef NDEBUG
#define ENTER(tarn) (void)0
#else
#define ENTER(tarn)                                                                              \
  __attribute__((cleanup(session_leave), unused)) SessionUser *const user =                      \
      session_enter(tarn, __func__)
#endif

// The API is a state machine; misuse is a bug of the caller, found at once in every build.
#define REQUIRE(tarn, states)                                                                    \
  if (!(tarn) || !((tarn)->state & (states)))                                                    \
    session_misuse(__func__);                                                                    \
  ENTER(tarn)

_Noreturn void session_misuse(const char *function);
// What to leave; NULL if the call is within another one.
SessionUser *session_enter(const Tarn *, const char *function);
void session_leave(SessionUser *const *);

// Guards one call against running out of memory: true after the jump.
#define GUARD(tarn, buffer) ((tarn)->mem.escape = &(buffer), setjmp(buffer) != 0)

// Before a call whose allocations may be dropped as a whole: what outlives them comes first.
// Returns the mark to which memory can be released.
size_t session_begin(Tarn *);

// From now on the call may use no more memory than the user, or the system, allows.
void session_limit_memory(Tarn *);
// Sets that limit and the time limit, which runs from session_begin on. A call that reaches one
// jumps to its GUARD.
void session_limit(Tarn *);
// Ends the limits and the guard of a call.
void session_unlimit(Tarn *);
// Why there was a jump to the guard, before session_unlimit.
const char *session_reason(const Tarn *);
// After the jump in a call that has no answer: ends its limits, and reports which one it was.
// `during`, such as " while the model was read", completes the message.
void session_ran_out(Tarn *, const char *during);
// The time limit or interrupt that has come, NULL: none. For a MemWatch whose state is the Tarn.
// The time for reading the model counts for each query.
const char *session_time_limit(void *tarn);

// With --disk: opens the file, once. False with an error if there can be none.
bool session_open_disk(Tarn *);

// Whether the files that the options name can be written: better known before the search than
// after it. False with an error.
bool session_can_write(Tarn *);

// With --strict a warning is an error; returns false if there is one.
bool session_is_clean(Tarn *);

// At the end of a call, after everything is released: messages are kept.
void session_keep_messages(Tarn *);

// Before the first symbolic question about a model: a warning of what it ignores. The net is the
// session's for this question.
void session_tell_ignored(Tarn *, const Net *);
// False, with the reasons as errors, if the model is for statistical queries only.
bool session_is_symbolic(Tarn *);

// Read a file of the user's, with the size limit for models and for evidence.
bool session_read_source(Tarn *, Source *, const char *path);
bool session_read_evidence(Tarn *, Source *, const char *path);
// The same; if the path is NULL, a text.
bool session_take_evidence(Tarn *, Source *, const char *path, const char *text);
