// The network: processes with locations and edges, events and synchronisations, clocks and
// variables. Filled by a front end, checked and completed once by net_finish, then
// immutable; everything it refers to lives in its arena.
#pragma once

#include "base/vec.h"
#include "model/expr/vm.h"
#include "model/scale.h"

typedef uint32_t ProcessId;
typedef uint32_t LocationId; // index in Net.locations; those of a process lie together
typedef uint32_t EdgeId;
typedef uint32_t EventId;
typedef uint32_t LabelId;

#define NET_NONE UINT32_MAX
enum { NET_MAX_CONSTANT = CODE_MAX_CONSTANT };              // of clock tests and updates
#define NET_MAX_WIDE CODE_MAX_WIDE                          // the same, for engine wide
enum { NET_MAX_CLOCKS = 1 << 14, NET_MAX_SLOTS = 1 << 24 }; // refused beyond

typedef struct Attribute { // an unknown one, kept for `show`
  const char *key, *value;
} Attribute;
typedef VEC(Attribute) Attributes;

// A clock that does not run with rate 1 while a process is in a location: x' == rate. The rate
// may depend on variables, and on clocks.
typedef struct ClockRate {
  const Expr *clock; // storage of a clock; its index may depend on variables
  const Expr *rate;  // an integer or a real number
  Place place;
} ClockRate;

typedef struct Location {
  const char *name;
  Place place;
  ProcessId process;
  bool initial, committed, urgent;
  const Expr *invariant_expr; // as read, without the rates; NULL: true
  const Expr *exponential;    // rate of the delay, for statistical queries; NULL: none
  const ClockRate *clock_rates;
  uint32_t clock_rate_count;
  // Rates, 0 or 1, of clocks that nothing in the model reads, if there are only such: they are
  // not in force but for queries that read one of these clocks (model/units.h).
  const ClockRate *unread_rates;
  uint32_t unread_rate_count;
  uint32_t locals;
  VEC(LabelId) labels;
  Attributes attributes;
  Guard invariant;     // by net_finish
  Guard rates;         // by net_finish: a test x == rate for each of clock_rates
  EdgeId first_edge;   // by net_finish: index into Net.out, the out-edges of this
  uint32_t edge_count; // location, ordered by event, then declaration
  uint32_t index;      // local index in its process, kept by net_finish: what a state holds
} Location;

typedef struct Edge {
  Place place;
  ProcessId process;
  LocationId source, target;
  EventId event;
  const Expr *guard_expr;
  const Stmt *update_stmts;
  uint32_t guard_locals, update_locals;
  const char *select_text; // `i=2, j=0`: the choice that made this edge, for traces; may be NULL
  // For statistical queries. Edges with the same stem, not 0, are the branches of one edge to a
  // branch point, for one choice of its `select`; numbers are unique in the network.
  uint32_t stem;
  const Expr *weight;       // evaluated between the updates of stem and branch; NULL: 1
  const Stmt *branch_stmts; // where the branch's updates begin in update_stmts; NULL: it has none
  bool is_late;             // the branch sends, not the stem
  bool is_conditional;      // the branch has a condition of its own in the guard
  Attributes attributes;
  Guard guard;     // by net_finish
  Update update;   // by net_finish
  bool is_negated; // by net_finish: what happens can depend on clocks not meeting the guard
} Edge;

typedef struct Process {
  const char *name;
  Place place;
  LocationId first_location; // by net_finish
  uint32_t location_count;   // by net_finish
  const char *template_name; // what it is an instance of; may be NULL
  int32_t priority;          // the larger one goes first
  Attributes attributes;
} Process;

// A channel of UPPAAL, or one element of an array of channels. Edges with the event `send` and
// edges with `receive` synchronise; net_finish makes the synchronisations: for a binary channel
// one for each two processes that can send and receive, for a broadcast channel one for each
// sender.
typedef struct Channel {
  const char *name;
  Place place;
  bool broadcast, urgent;
  int32_t priority;      // the larger one goes first
  EventId send, receive; // named `c!` and `c?`
} Channel;

typedef struct SyncPart {
  ProcessId process;
  EventId event;
  bool weak;
} SyncPart;

typedef struct Sync {
  Place place;
  VEC(SyncPart) parts;
  // Of a broadcast the first part, the sender, is strong and the others, the receivers in order
  // of processes, are weak. A weak part of another synchronisation takes part if its location has
  // an edge; a receiver of a broadcast if one of its edges has a guard that holds.
  bool broadcast;
  uint32_t channel; // index + 1; 0: declared as a synchronisation, without a channel
  Attributes attributes;
} Sync;

typedef struct Name { // an event, a clock array, an int array, a label
  const char *name;
  Place place;
  const Type *type;       // clocks and variables; a single one may be an array of one
  uint32_t base;          // first clock, or first slot
  const int32_t *initial; // initial value per slot, or per clock (NULL: all 0)
  bool is_meta;           // variables: states are compared without it; front ends set it
  Attributes attributes;
} Name;

// Where a network comes from, as its file says.
typedef struct NetOrigin {
  const char *name;
  Place place;
  Attributes attributes;
  Scale scale;                 // the unit of time, and what constants there are: by net_finish
  const struct Uppaal *uppaal; // set by UPPAAL's front end: the names, for queries
  const struct Document *document; // its syntax tree (model/syntax.h)
  const char *define;   // constants with other values than in the file, NAME=VALUE on a line each
  uint32_t scalar_sets; // UPPAAL's, numbered from 1 in types; hints for analysis/symmetry/propose
  const Place *idle;    // expressions without effect that stand as statements
  // Why symbolic queries are refused, as messages with places; NULL: they are not. If they are,
  // the net is the one for statistical queries.
  const char *obstacles;
  // What symbolic queries ignore because it is for statistical ones, a sentence; NULL: nothing.
  const char *ignored;
  const char *ignored_if_read; // the same if a query reads a clock of Location.unread_rates
  uint32_t idle_count;
} NetOrigin;

// How a model is to be read; net_finish obeys.
typedef struct NetReading {
  bool measures_time; // the last clock is one that nothing else uses: see net_measure
  // A process may lack an initial location (TChecker): then there is no initial state, which is
  // for modules that need one to report.
  bool may_lack_initial;
  // For statistical queries: clocks have real values, and variables may. Nothing else reads it.
  bool is_statistical;
} NetReading;

// Channels are compared by priority first, then processes.
typedef struct NetPriority {
  bool is_used;      // else priorities are not read
  int32_t tau;       // of edges without a channel
  EventId tau_event; // + 1; 0: none. See net_tau_event
} NetPriority;

// What runs before and after the updates of each transition.
typedef struct NetHooks {
  const Stmt *before_stmts, *after_stmts;
  uint32_t before_locals, after_locals;
  Update before, after; // by net_finish
} NetHooks;

// Slots of a discrete state, by net_finish: those of variables, then the processes' locations.
typedef struct NetSlots {
  uint32_t count; // location_slot + processes
  const char *const *names;
  const int32_t *min, *max, *initial; // locations: 0 .. count-1
  const int32_t *low, *high;          // values that it can have, see model/ranges.h
  const struct SlotRanges *local;     // the same by location, see model/localranges.h; NULL: none
  // Meta variables, see model/meta.h: those that are no part of a state, and those that are,
  // though states are compared without them. NULL: none is.
  const bool *is_meta, *is_kept;
  // Whether urgency, or which joint transitions there are (NetTraits.is_listed), depends on the
  // variable; NULL: on none.
  const bool *control;
} NetSlots;

// By LocationId, by net_finish.
typedef struct NetByLocation {
  const Guard *const *invariants; // NULL: none
  const Guard *const *rates;      // NULL: none; no table: no location has any
  const bool *urgent;             // or committed: no time passes
  const bool *committed;
} NetByLocation;

// What occurs in a model, and where first; by net_finish.
typedef struct NetTraits {
  // Which joint transitions there are depends on guards, or time passes by transitions: see
  // model/joint.h.
  bool is_listed;
  bool has_diagonals; // a guard or an invariant compares two clocks
  Place diagonal_place;
  bool has_strict; // a guard or an invariant with < or > on clocks
  Place strict_place;
  // Some clock is stopped somewhere (model/stopwatches.h): zones are larger than what can be.
  bool has_stopwatches;
  Place stopwatch_place;
  bool has_unread_rates; // some location has (Location)
  bool has_negated;      // some edge with a clock guard is_negated
  Place negated_place;
} NetTraits;

typedef struct Net {
  Mem *mem;
  Arena arena;
  NetOrigin origin;
  NetReading reading;
  NetPriority priority;
  NetHooks hooks;
  VEC(Process) processes;
  VEC(Location) locations; // grouped by process after net_finish (ids change then)
  VEC(Edge) edges;         // in order of declaration
  VEC(Channel) channels;
  VEC(Sync) syncs;
  VEC(Name) events, labels, clocks, variables;
  VEC(const Function *) functions;
  VEC(int32_t) tables;    // values of arrays and structs that are constant, see EXPR_TABLE
  uint32_t clock_count;   // clock 0 not counted
  uint32_t location_slot; // slots of variables; slot location_slot + p holds process p's location
  bool invalid_is_error;  // an assignment out of range is an error (UPPAAL), not a disabled edge

  const double *clock_start; // is_statistical: by clock, the value it starts with; NULL: all 0

  struct Twin *twin; // what checks compare it with, see check/meaning.h; NULL: nothing

  // By net_finish:
  NetSlots slots;
  NetByLocation by_location;
  NetTraits traits;
  const EdgeId *out;              // out-edges of all locations (see Location)
  const char *const *clock_names; // clock_count + 1; [0] is "0"
  const int32_t *clock_initial;   // clock_count + 1; NULL: all clocks start with 0
  const Code *const *function_codes;
  const uint32_t
      *event_channels; // by event: index + 1 of the channel, 0: none; NULL: no channels
  const bool *async;   // process * event_count + event: edges taken alone
} Net;

void net_init(Net *, Mem *);
void net_release(Net *);
void net_clear(Net *); // empty, but what is in its arena stays
// All that a finished net has goes to its arena: it need not be released.
void net_settle(Net *);

// Adders return the id (net_add_clocks the first clock, net_add_channel the index in `channels`,
// net_add_variable that in `variables`; its `base` is the first slot). Pointers into the vectors
// must not be kept over the next add. Names are copied. Without initial values a variable starts
// with 0, or the value of its range next to it.
ProcessId net_add_process(Net *, const char *name, Place);
LocationId net_add_location(Net *, ProcessId, const char *name, Place);
EdgeId net_add_edge(Net *, LocationId source, LocationId target, EventId, Place);
EventId net_add_event(Net *, const char *name, Place);
EventId net_tau_event(Net *); // of edges that do not synchronise; the same with each call
uint32_t net_add_channel(Net *, const char *name, Place);
LabelId net_add_label(Net *, const char *name); // finds it if it is there
uint32_t net_add_clocks(Net *, const char *name, uint32_t count, Place);
uint32_t net_add_variable(Net *, const char *name, const Type *, const int32_t *initial, Place);

ProcessId net_find_process(const Net *, const char *name); // NET_NONE if there is none
bool net_has_urgent(const Net *);                          // channels
// Whether the edge is one of these participants.
static inline bool net_is_of_part(const Edge *edge, const SyncPart *part) {
  return edge->process == part->process && edge->event == part->event;
}
bool net_is_of_sync(const Edge *, const Sync *);
LocationId net_find_location(const Net *, ProcessId, const char *name);

// Validates (each process has an initial location, constants are in range, ...) and builds
// the tables; false with an error in the report. In model/finish.c.
bool net_finish(Net *, Report *);

// What was read of a finished net, in the same memory, to be changed and finished once more: see
// analysis/slice.h. Ids of locations are those of the finished net. Names, types, expressions and
// statements are shared: the net must outlive it. Attributes are left out.
void net_copy(Net *copy, const Net *);

// Writes the range of each slot of a value that begins at `slot`; returns the slot after it.
uint32_t net_ranges(const Type *, int32_t *min, int32_t *max, uint32_t slot);

// The unit of time of the source in which the net counts (model/scale.h).
// The edges that leave a location, by their number there.
static inline const Edge *net_edge_from(const Net *net, const Location *location, uint32_t k) {
  return &net->edges.items[net->out[location->first_edge + k]];
}

static inline int64_t net_unit(const Net *net) { return scale_unit(&net->origin.scale); }
// Whether the net, or a query that was read for it, has constants that only engine wide takes.
static inline bool net_is_wide(const Net *net) {
  return net->origin.scale.max / net_unit(net) > NET_MAX_CONSTANT;
}
// Larger ones are refused. Large ones that the scale does not know are: an engine would not
// either.
static inline int64_t net_max_constant(const Net *net) {
  return net_is_wide(net) ? NET_MAX_WIDE : NET_MAX_CONSTANT;
}
// False, with an error, if it does: for all that takes small constants only.
bool net_is_narrow(const Net *, Report *);

// Whether clocks are set to others. Then bounds for the whole model need not be a simulation: if
// x is set to y, y need not have the bounds of x where x is no longer tested. The bounds still
// abstract soundly, but equivalent zones can have successors that are not equivalent.
bool net_has_copies(const Net *);

// Where a process is in a state.
static inline LocationId net_location_at(const Net *net, ProcessId p, const int32_t *state) {
  return net->processes.items[p].first_location + (uint32_t)state[net->location_slot + p];
}

// The location of process p in a state that holds `index` for it.
static inline const Location *net_location(const Net *net, ProcessId p, int32_t index) {
  return &net->locations.items[net->processes.items[p].first_location + (uint32_t)index];
}

// What a state holds for a process in this location.
static inline int32_t net_index(const Net *net, LocationId location) {
  return (int32_t)net->locations.items[location].index;
}

// The net with one clock more, the last, that nothing sets or tests. It shares all else with the
// net, so that queries and runs of one are those of the other; it lives in the arena, and is not
// released.
void net_measure(Net *timed, const Net *, Arena *);

// The Vm set up for this net; it counts no invalid values.
void net_vm(const Net *, Vm *, Mem *);
