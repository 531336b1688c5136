// The seam: what a search knows of a semantics. Each semantics (global-time zones, ...)
// fills one Space; reach, store and orders see nothing else.
//
// A node is a *key* (the discrete part, fixed-size words, equal for nodes that can cover each
// other) and a *body* (what is compared: a zone, ...). The space has one *current* node, made
// by `initial` or `next`, which the store tests and takes in. Bodies of one key are stored
// in blocks of one *format* each; their size depends on key and format only.
#ifndef TARN_SPACE_SPACE_H
#define TARN_SPACE_SPACE_H

#include "base/report.h"
#include "base/vec.h"
#include "model/query.h"

enum { SPACE_SLACK = 64 }; // readable bytes that the store keeps after each block

enum { SPACE_AHEAD = 32 }; // keys that `foresee` gives at most

// Memory is fetched in stages, each of which finds its place by what the one before has fetched:
// where tables say what a key has; that; what a successor needs besides; or, instead, what a
// node that is to be opened needs.
typedef enum FetchStage { FETCH_SLOT, FETCH_ITEM, FETCH_LINK, FETCH_OPENING } FetchStage;

#define SPACE_NONE UINT32_MAX  // no node
#define SPACE_DELAY UINT32_MAX // ordinal: not a joint transition but a delay

struct SketchPlan;
struct Sketch;
typedef struct Space Space;
typedef VEC(uint32_t) Ordinals;

struct Space {
  const Net *net; // keys are its discrete states, packed (model/state.h); NULL: they are not
  uint32_t key_words;
  size_t most_body_bytes; // of any body, in any format
  const uint64_t *key;    // of the current node
  // If bodies are single words, of one format: that of the current node, 0 if it is not known
  // yet. None is 0; nodes with the same key and word are equal.
  uint32_t word;

  // The next initial node becomes current; false when there is none left.
  bool (*initial)(Space *);
  // Loads a stored node, whose successors `next` then gives one by one, non-empty ones only,
  // in the order of model/joint.h (or at random with a seed); false at the end or on failure.
  void (*open)(Space *, const uint64_t *key, const void *body, uint32_t format);
  bool (*next)(Space *);
  // May be called after `open`: finds keys that successors are likely to have, so that memory
  // which they need can be fetched before they are made. How many; NULL: the space cannot tell.
  // What the space itself needs for them is fetched in stages, too: the first by `foresee`, the
  // next ones by `fetch_ahead`.
  uint32_t (*foresee)(Space *, const uint64_t **keys);
  void (*fetch_ahead)(Space *, FetchStage);
  uint32_t ordinal; // which initial node or joint transition led to the current node

  bool (*is_goal)(Space *); // the current node meets the goal; NULL: there is none
  // The current node is as large as a node of its key can be: it would cover any other one, and
  // none but its equal covers it. NULL if the space cannot tell.
  bool (*is_true)(Space *);

  // Covering of the current node against a block of stored bodies of the same key.
  void (*prepare)(Space *); // once per current node, before the tests
  uint32_t (*find_coverer)(Space *, const void *bodies, uint32_t count, uint32_t format);
  uint32_t (*find_covered)(Space *, const void *bodies, uint32_t from, uint32_t count,
                           uint32_t format);

  // Bodies that are words can have sketches (dbm/stored/sketch.h), by which most need no test.
  // `plan` says for bodies of the current key what they are; `sketch` makes that of one body
  // (NULL: of the current node). sketch_words is 2, 1 if supply and demand are the same, 0 if
  // there are none.
  uint32_t sketch_words;
  void (*plan)(Space *, struct SketchPlan *, const uint32_t *bodies, uint32_t count);
  void (*sketch)(Space *, const struct SketchPlan *, const uint32_t *body, struct Sketch *);

  uint32_t (*format)(Space *); // smallest format for the current body; larger ones hold it too
  size_t (*body_bytes)(Space *, uint32_t format); // for the current key
  void (*write)(Space *, void *body, uint32_t format);
  size_t (*shared_bytes)(const Space *); // of what bodies refer to; NULL: nothing
  // What words refer to may be dropped when no stored node has it any more. wants_sweep says, for
  // this many stored nodes, whether that is worth while; then, with no node current or opened,
  // `mark` is called for the words of all stored nodes, and `sweep`. NULL: nothing is dropped.
  bool (*wants_sweep)(const Space *, uint32_t stored);
  void (*mark)(Space *, uint32_t word);
  void (*sweep)(Space *);

  // A space whose nodes change after they are stored (darts), or are no more than a key
  // (points), keeps them itself: it sets the functions below and none from `prepare` on.
  // Its keys and bodies are its own affair, nodes are known by reference, and `net` is NULL:
  // orders that look at discrete states look at stored nodes too. Takes the current node in: its
  // reference if it has to be visited (again); SPACE_NONE if there is nothing new, or it waits
  // already.
  uint32_t (*add)(Space *);
  // As `open`; false if nothing of the node waits any more.
  bool (*take)(Space *, uint32_t ref);
  struct Trail *trail; // the ways to its nodes, if a trace was asked for (space/trail.h)
  uint32_t kept;       // nodes
  uint64_t discovered; // nodes made current, as the paper counts them

  // NULL if runs are found in the order of time. Else replaces the ordinals of a run to a node
  // that meets the goal (NULL: any) by those of the same run in that order; false if it cannot.
  bool (*order_run)(Space *, const Goal *, uint32_t *ordinals, uint32_t count);

  // Makes a stored node current.
  void (*load)(Space *, const uint64_t *key, const void *body, uint32_t format);
  struct Needs *needs; // clock bounds found during the search (search/fly.h); NULL: none

  // Has memory fetched that a node with this key will need (see store_fetch). NULL: there is
  // none.
  void (*fetch)(const Space *, const uint64_t *key, FetchStage);

  // For searches by several workers (search/post.h). Another space of the same semantics, for
  // another thread, made before the search begins: they share nothing that changes.
  Space *(*sibling)(Space *, Mem *);
  uint32_t workers, number;          // set before: how many, and which one this is
  const struct Partition *partition; // says whose a node is, by its key; NULL: a hash of it
  void (*pack)(Space *);             // makes `key` that of the current node; NULL: it always is
  // Writes the current node after `pack`, its key first, and makes one current that a sibling
  // wrote: no more than message_bytes, whose size is given back. NULL: it is written as it is
  // stored.
  size_t message_bytes;
  size_t (*send)(Space *, void *message);
  void (*receive)(Space *, const void *message);
  // The body of such a message as this space would have stored it in format 0, NULL if it never
  // did. NULL if the space cannot tell.
  const void *(*recognise)(Space *, const void *message);
  // Nodes that belong to others can be left to them *unfinished*, as the search wants it or not:
  // then their keys are known, but whether there is a node at all finds out who gets the message.
  // False if there is none, or on failure. NULL: all nodes are finished.
  bool (*finish)(Space *, const void *message);
  bool leaves_others; // set by the search
  uint64_t prepared;  // how often it had to prepare for the locations of a node
  bool is_unfinished; // the current node, until it was sent
  bool is_own;        // the current node, made by `next`: it is known to be this worker's

  void (*release)(Space *);

  // A run-time error of the model, or a bound out of range: search ends. The transition
  // that failed is `ordinal` of the opened node (or an initial node).
  const char *failure;
  Place failure_place;
};

#endif
