// A random run: the race of delays between processes.
//
// In each state every process proposes a moment: uniform between the first moment at which it can
// act and the last that its invariant allows, or exponential after the first if there is no last
// one. The earliest proposal wins; the winner takes one of its edges that are enabled then, each
// with the same probability, and a branch by its weight. In a committed location time stands
// still and a process that can act is drawn.
//
// A proposal is kept, as a moment, until something that it depends on changes: the rest of a
// uniform or exponential delay has the law of a new one.
//
// The run depends on the seed and on its number only.
#pragma once

#include "base/philox.h"
#include "semantics/stochastic/curve.h"
#include "semantics/stochastic/laws.h"

enum {
  RACE_MAX_STILL = 100000, // steps in almost no time: a Zeno run
  RACE_MAX_TINY = 1000,    // delays along curves that are shorter than events can be told apart
};

// RACE_LOCK_OPEN: the invariant does not hold at the moment itself.
typedef enum RaceLock { RACE_FREE, RACE_LOCK, RACE_LOCK_OPEN } RaceLock;

// What a receiver of a broadcast does.
typedef struct RaceAnswer {
  const LawChoice *choice;
  uint32_t possible; // of its branches: where in Race.possible
} RaceAnswer;

typedef struct Race Race;
struct Race {
  const Laws *laws;
  Mem *mem;
  Motion motion;
  Philox stream;
  RealDraws draws;
  uint64_t seed, run;
  double time;
  uint64_t steps;
  double horizon; // moments after it do not matter: the run ends before
  double grain;   // adding and subtracting it rounds a delay, see race_set_horizon
  double fine;    // delays whose law has a smaller scale are not rounded

  double *when;     // by process: the moment that it proposes; INFINITY: none
  double least;     // the least of those of this round
  double *opens;    // by process: when its first edge opens; before that it has none
  RaceLock *locks;  // by process: at that moment its invariant ends, and no edge is enabled
  bool *is_drawn;   // by process: chance chose that moment, so that it equals no other one
  bool *is_changed; // by process: a new proposal is needed
  VEC(ProcessId) changed;
  uint32_t committed; // processes in committed locations
  uint64_t looks;     // at committed states
  uint64_t *awaited;  // by LawEdge.channel: the last look at which a committed location had it
  VEC(RaceAnswer) answers;
  VEC(bool) possible;         // branches of choices
  VEC(const LawEdge *) taken; // by the last step: the sender first
  VEC(CellId) written;        // what the last step has changed
  bool notes_all;             // also of cells that no delay depends on
  int32_t *before;            // what was there, one after the other
  uint32_t idle;              // events in a row at which no edge was enabled
  uint32_t tiny;              // delays along curves in a row, of almost no length
  double still_since;         // the time, at the last multiple of RACE_MAX_STILL steps
  Curve curve;
  bool *is_bent;  // by clock: follows a differential equation in the present locations
  bool *is_rated; // by clock: a location says how it moves
  double *given;  // the rates that locations give, laws->max_rates for each process
  bool *turns;    // by the same places: that rate may be another than before the last step
  VEC(uint32_t) turned;
  bool has_moved; // a process that gives rates is in another location

  // Called with the initial state and with each step, if it is not NULL. `drawn` are the random
  // numbers of the step's updates.
  void (*record)(void *context, const Race *);
  void *record_context;
  bool keeps_draws;
  VEC(double) drawn;

  // Asked now and then whether to give the run up, if it is not NULL. If so, is_cut is set, and
  // there is no error.
  bool (*should_stop)(void *context);
  void *stop_context;
  bool is_cut;
  uint32_t patience; // events, or looks at curves, until it is asked again

  Text error; // a sentence that names process, location, time, seed and run
  Place error_place;
};

void race_init(Race *, const Laws *, Mem *);
void race_release(Race *);

// Where the run ends, INFINITY if that is not known, before it begins. Delays are multiples of a
// power of two that is small enough not to matter, and large enough that sums up to the horizon
// are exact: so clocks that run at the rates 0, 1, 2, .. have exact values, and a run can be
// replayed with rational times. Delays of processes that are very fast are left as they are.
void race_set_horizon(Race *, double horizon);

// Begins run `run` of a seed. Like all below: false with an error.
bool race_start(Race *, uint64_t seed, uint64_t run);

// A state of a run, to begin others there: what was proposed is not kept, which changes no law.
typedef struct RacePoint {
  double time;
  uint64_t steps;
  int32_t *state;
  double *clocks;
} RacePoint;

void race_save(const Race *, RacePoint *, Mem *); // in this memory, one block for each array
void race_resume(Race *, const RacePoint *);      // after race_start

// The moment of the next event, INFINITY if there is none. *winner is the process that acts then.
bool race_next(Race *, double *moment, ProcessId *winner);
// Lets time pass up to a moment not after the next event.
bool race_delay(Race *, double moment);
// The winner acts, if one of its edges is enabled. *acted tells it.
bool race_act(Race *, ProcessId winner, bool *acted);

// Fails with a sentence about the present state. `process` may be NET_NONE.
bool race_fail(Race *, ProcessId process, Place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool race_fail_vm(Race *, ProcessId process); // with what the interpreter says
