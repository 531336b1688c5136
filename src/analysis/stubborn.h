// Stubborn sets of processes: which transitions are enough in a state where time stands still.
// Val89. doc/notes/partial-order.md has the rules, whose numbers are used here, and their proof.
//
// For a state, the owner says of each edge out of a present location whether it may be possible.
// From that follows what each process can do in zero time (`can`). Then the owner puts processes
// that stop time into the set, and stubborn_close adds the others that the rules ask for.
//
// What processes can do depends on their locations, the statuses and which constants would change
// something. It is kept for states that have these in common.
//
// What the rules ask for is collected as sets of cells: `needs` are those that no process outside
// of the set may write. The closed set depends on what it began with, on what processes can do
// and on the tests of the goal that are false. So it is kept, too.
#pragma once

#include "analysis/footprint.h"

// Of an edge out of a present location: its guard may hold; it does not, anywhere, unless others
// write what it reads; it cannot hold in zero time, whatever others do.
typedef enum EdgeStatus { EDGE_POSSIBLE, EDGE_FAILS, EDGE_NEVER } EdgeStatus;

typedef struct Stubborn {
  Footprint *foot;
  const Net *net;
  const Goal *goal;
  bool asks_dead;
  bool is_strict; // counting in the same direction does not commute

  // Of the state:
  const int32_t *state;
  uint8_t *status; // by edge: EdgeStatus
  bool has_committed;
  EdgeId *pending; // edges out of present locations that are not in `can` yet
  uint32_t pending_count;
  Word *anew;   // constants that the state does not have
  Word *offers; // by process: events, partners or not
  // What processes can do:
  Word *can;       // by process: the row of all that it can do in zero time
  Word *alls;      // by process: cells that it can write
  Word *set_cells; // by process: cells that it can set to constants
  Word *touched;   // by process: cells that it can read or write, idle constants as well
  Word *changed;   // cells that some process can change
  Word *idle;      // constants that change nothing
  // The same of other states: by hash, behind the words that it depends on. NULL: none yet.
  Arena *arena;
  Word **known, *key; // key: of the state
  uint32_t known_count, key_words;
  // And up to four closed sets of each: a word that is 1, what the set began with (`start`), the
  // set. With twins, none.
  Word *sets;
  uint32_t next_set, start_words, process_words;
  uint32_t *classes; // by process: twins have the same number; 0: it has none. NULL: no twins

  // The set:
  Word *start; // processes and needs, when it was closed; false tests of the goal
  bool *in;
  uint8_t *taken; // by edge: as a present one, as one of a chain
  uint32_t *stack;
  uint32_t top;
  VEC(EdgeId) chain; // to be taken
  bool has_chain;
  Word *needs, *writes, *ups, *downs, *cells, *all, *rivals, *harms; // of what was taken
  Word *scratch;
} Stubborn;

void stubborn_init(Stubborn *, Arena *, Footprint *, const Goal *);

// What each process can do from a state whose statuses are known.
void stubborn_begin(Stubborn *, const int32_t *state);

void stubborn_clear(Stubborn *); // the set becomes empty
void stubborn_add(Stubborn *, ProcessId);
void stubborn_need(Stubborn *, const Word *cells); // their writers have to be in the set
// Closes the set. `fails` says whether a clock test fails in all of the states.
typedef bool ClockTestFails(void *context, const ClockTest *);
void stubborn_close(Stubborn *, ClockTestFails *, void *context);

// Rule 9. Of a closed set: whether an error at run time is possible outside, so that a key is
// needed; adds the processes where one is, and closes the set again. And of a transition: whether
// a run can take all of its edges again and again in zero time.
bool stubborn_misses_faults(const Stubborn *);
void stubborn_take_faults(Stubborn *, ClockTestFails *, void *context);
bool stubborn_recurs(const Stubborn *, const Edge *const *edges, uint32_t count);
bool stubborn_takes(const Stubborn *, const Edge *const *edges, uint32_t count);
