// The seam: what a search knows of a semantics. Each semantics (zones of global time, zones of
// local time, darts, points) fills one Space; the search sees nothing else.
//
// A node is a *key* and a *zone*. The key is the packed discrete state: only nodes with equal
// keys can cover each other. The zone is a number that the space gave it: equal numbers are equal
// zones. The space has one *current* node, made by `initial`, `next` or `load`, and one *opened*
// node, whose successors `next` gives.
//
// The core has 10 functions. What workers exchange, and what only makes a search faster, are
// separate structs: a space may leave them empty.
#pragma once

#include "base/report.h"
#include "base/vec.h"
#include "model/query.h"

enum { SPACE_SLACK = 64 };        // bytes that can be read behind each list of zones
#define SPACE_DELAY UINT32_MAX    // ordinal: not a joint transition but a delay
#define SPACE_BY_VALUE UINT32_MAX // for Exchange.peer

typedef struct Space Space;
typedef VEC(uint32_t) Ordinals;

// How several workers search together (search/workers/workers.h). Each has a space of its own.
typedef struct Exchange {
  // Another space of the same semantics, for another thread, made before the search begins. They
  // share nothing that changes. NULL: one worker only.
  Space *(*sibling)(Space *, Mem *);
  uint32_t workers, number; // set by the search: how many, and which one this is
  // If workers of other processes take part: before the search and after `sibling`, makes
  // messages to and from these possible. NULL: nothing is needed for it.
  void (*connect)(Space *);
  // Before and after nodes are written to or read from a file (search/workers/stream.h): what was
  // sent to and received from this peer is no longer known there. NULL: nodes cannot be written.
  void (*forget)(Space *, uint32_t peer);
  // Writes a node of this key and zone, if the peer knows the zone: its bytes, else 0. The
  // current node stays what it is.
  size_t (*refer)(const Space *, const uint64_t *key, uint32_t zone, void *message);
  // Whether these bytes of a file are a message that can be received now.
  bool (*is_sound)(Space *, const void *message, size_t bytes);
  // Set by the search before it calls `send`, `receive`, `recognise` or `finish`: the number of
  // the worker of another process, plus 1, that reads the message or wrote it; 0: a sibling. With
  // SPACE_BY_VALUE `send` writes what any process can read, with 0: nothing is remembered of it.
  uint32_t peer;
  bool saves_bytes;                  // set by the search: some peers are on other machines
  struct Wires *wires;               // of spaces that have them (semantics/zone/message.c)
  const struct Partition *partition; // says whose a node is, by its key; NULL: a hash of it
  void (*pack)(Space *);             // makes `key` that of the current node; NULL: it always is
  // Writes the current node after `pack`, its key first, and makes one current that a sibling
  // wrote. A message has no more than message_bytes; `send` gives its size.
  size_t message_bytes;
  size_t (*send)(Space *, void *message);
  void (*receive)(Space *, const void *message);
  // The number of the zone in such a message, 0 if this space never kept it. NULL: the space
  // cannot tell.
  uint32_t (*recognise)(Space *, const void *message);
  // The search may set leaves_others. Then `next` makes only the key of a node that belongs to
  // another worker, and sets is_unfinished. That worker calls `finish` with the message, which
  // makes the zone. It is false if the zone is empty, so that there is no node, or on failure.
  // NULL: every node is made by the worker that finds it.
  bool leaves_others, is_unfinished;
  bool (*finish)(Space *, const void *message);
  uint64_t prepared; // location vectors for which this space prepared so far
  bool is_own;       // the current node, made by `next`, is known to be this worker's
} Exchange;

enum { SPACE_AHEAD = 32 }; // keys that `foresee` gives at most

// Memory is fetched in stages. Each stage finds its place by what the one before has fetched:
// where tables say what a key has; that; what a successor needs besides; or, instead, what a
// node that is to be opened needs.
typedef enum FetchStage { FETCH_SLOT, FETCH_ITEM, FETCH_LINK, FETCH_OPENING } FetchStage;

// What only helps speed. Every function may be NULL.
typedef struct Speed {
  // Prefetching (search/passed/prefetch.h). After `open`, foresee finds keys that successors are
  // likely to have, so that memory which they need can be fetched before they are made. It gives
  // their number. What the space itself needs for them is fetched by `foresee`, then fetch_ahead.
  uint32_t (*foresee)(Space *, const uint64_t **keys);
  void (*fetch_ahead)(Space *, FetchStage);
  void (*fetch)(const Space *, const uint64_t *key, FetchStage); // for a node with this key

  // Sketches (search/passed/sift.h): two words for each zone, its supply and its demand, by which
  // most zones need no covering test. The *legend* of a list of zones of the current key says
  // what they mean. `choose_legend` makes it from at most SPACE_SAMPLE of the zones. `sketch`
  // makes the words of one zone, 0 for that of the current node. sketch_words is 2, 1 if both
  // words are always the same, 0 if there are no sketches.
  uint32_t sketch_words;
  size_t legend_bytes;
  void (*choose_legend)(Space *, void *legend, const uint32_t *zones, uint32_t count);
  void (*sketch)(Space *, const void *legend, uint32_t zone, uint32_t *supply, uint32_t *demand);

  // Zones that no stored node has may be dropped. wants_sweep says, for this many stored nodes,
  // whether that is worth while. Then, with no node current or opened, `mark` is called for the
  // zones of all stored nodes, and `sweep` drops the others.
  bool (*wants_sweep)(const Space *, uint32_t stored);
  void (*mark)(Space *, uint32_t zone);
  void (*sweep)(Space *);
} Speed;

enum { SPACE_SAMPLE = 16 };

struct Space {
  const Net *net; // keys are its discrete states, packed (model/state.h); NULL: they are not
  uint32_t key_words;
  // The current node. `zone` is 0 if it has no number yet. `ordinal` says which initial node or
  // joint transition led to it.
  const uint64_t *key;
  uint32_t zone;
  uint32_t ordinal;

  // The next initial node becomes current; false when there is none left. They are looked for
  // from ordinal next_initial on: if it is set to 0, `initial` begins again.
  bool (*initial)(Space *);
  uint32_t next_initial;
  // Opens a stored node. `next` then makes its successors current one by one, in the order of
  // model/joint.h (or at random with a seed). Those with an empty zone are left out. It is false
  // at the end or on failure.
  void (*open)(Space *, const uint64_t *key, uint32_t zone);
  bool (*next)(Space *);
  bool (*is_goal)(Space *); // the current node meets the goal; NULL: there is none
  void *goal_context;       // of an is_goal that is not the space's own
  // The current node is as large as a node of its key can be: it would cover any other one, and
  // none but its equal covers it. NULL if the space cannot tell.
  bool (*is_true)(Space *);

  // Covering of the current node against stored zones of the same key: the index of the first
  // zone that covers it; of the first one, from `from` on, that it covers. `count` if there is
  // none.
  uint32_t (*find_subsumer)(Space *, const uint32_t *zones, uint32_t count);
  uint32_t (*find_subsumed)(Space *, const uint32_t *zones, uint32_t from, uint32_t count);
  uint32_t (*keep)(Space *); // numbers the current zone, which a stored node has from now on
  void (*load)(Space *, const uint64_t *key, uint32_t zone); // makes a stored node current

  // NULL if runs are found in the order of time. Else replaces the ordinals of a run to a node
  // that meets the goal (NULL: any) by those of the same run in that order; false if it cannot.
  bool (*order_run)(Space *, const Goal *, uint32_t *ordinals, uint32_t count);

  // If the search is reduced by symmetry (semantics/orbit.h): how the current node was renamed
  // after it was made, if it was. `edges` are those of a transition of the opened node. Ordinals
  // need not be those of model/joint.h. Else NULL.
  struct Orbit *orbit;
  bool is_renamed;
  bool is_pruned; // some transitions are left out
  const Edge *const *(*edges)(const Space *, uint32_t ordinal, uint32_t *count);

  Mem *mem; // the part of the caller's that the space made for itself

  Exchange exchange;
  Speed speed;
  size_t (*shared_bytes)(const Space *); // of what zones refer to; NULL: nothing
  struct Passed
      *passed;       // a passed list of its own (search/space/passed.h); NULL: that of the search
  uint64_t left_out; // transitions, by partial order
  uint64_t discovered; // nodes made current, as the papers on discrete time count them
  struct Needs *needs; // clock bounds found during the search (search/passed/fly.h); NULL: none

  VmInvalid invalid; // values out of range, met by what runs the model for this space

  // A run-time error of the model, or a bound out of range: the search ends. The transition that
  // failed is `ordinal` of the opened node (or an initial node).
  const char *failure;
  Place failure_place;
};

static inline void space_release(Space *space) { mem_release_part(space->mem); }

static inline bool space_fail(Space *space, const char *reason, Place place) { // false
  space->failure = reason;
  space->failure_place = place;
  return false;
}

// A VM result as "go on"; an error of the model is recorded.
static inline bool space_holds(Space *space, const Vm *vm, VmResult result) {
  if (result == VM_ERROR)
    space_fail(space, vm->error, vm->error_place);
  return result == VM_TRUE;
}
