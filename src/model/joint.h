// Joint transitions of a location vector, in the fixed order that published counts rest on:
// synchronisations in order of declaration, for each the product of its parts' edges with
// the last part fastest; then each process's asynchronous edges in order of declaration.
// If some process is committed, only those that involve a committed process.
//
// Enabled means enabled by location; callers test the guards. The ordinal numbers the joint
// transitions of one vector from 0 and identifies them in traces.
//
// In nets with NetTraits.is_listed (model/enabled.h), the variables in NetSlots.control also
// decide which joint transitions exist. A joint transition may then have clock tests beyond the
// guards of its edges, and several can have the same edges. One without edges is a delay: if time
// may pass only in some pieces of the clock space (JOINT_SPLIT), each piece has such a
// transition.
#pragma once

#include "model/enabled.h"

typedef struct JointCursor JointCursor; // the tables, and the place in the enumeration

// Made by joint_init, which builds the tables, in an arena; several can walk one net.
typedef struct Joint Joint;
struct Joint {
  const Net *net;
  uint32_t ordinal;   // of the present transition
  const Edge **edges; // participants in the order in which their updates run
  uint32_t edge_count;
  uint32_t sync;       // index of the sync, NET_NONE for an asynchronous edge
  uint32_t number;     // see joint_next_number
  ClockTestList extra; // tests beyond the guards
  ClockTestList after; // of a delay: tests that hold after it
  // Of synchronisations, choices that this refuses are left out, with all that would follow:
  // `part` is the last one that was chosen, edges[0 .. part]. NULL: none. Then ordinals count
  // what is left.
  bool (*admits)(void *context, const Joint *, uint32_t part);
  void *admits_context;
  JointCursor *cursor;
};

void joint_init(Joint *, const Net *, Arena *);
void joint_release(Joint *);                     // what is not in the arena
void joint_begin(Joint *, const int32_t *state); // the state is not looked at afterwards
bool joint_next(Joint *);
// In place of joint_next: the synchronisations only, and then the asynchronous edges of each
// process at once. If the owner has given this joint transition a number before, in whatever
// vector, `number` is that and nothing else is told; else it is 0.
bool joint_next_number(Joint *);
void joint_give_number(Joint *, uint32_t number); // to the present one; not 0 nor UINT32_MAX
void joint_forget_numbers(Joint *);
bool joint_has_async(const Joint *); // there may be some
const Edge *const *joint_async(const Joint *, ProcessId, uint32_t *count);
// Positions on the given ordinal; false if there is none.
bool joint_seek(Joint *, const int32_t *state, uint32_t ordinal);

// Integer part of the guards, all evaluated in the source state; on VM_TRUE clock tests are
// appended, the extra ones too. Comparisons of variables and clocks with constants, of all edges,
// come first, then the rest, edge by edge. So after VM_ERROR the clock tests among the former are
// appended: only where they hold does the error count.
VmResult joint_guard(const Joint *, Vm *, const int32_t *state, ClockTests *);
// Runs the updates in order and moves the locations, in place; clock updates are appended.
// Scratch variables get their initial values back (model/meta.h).
VmResult joint_fire(const Joint *, Vm *, int32_t *state, ClockUpdates *);
// The same for edges in general: NetHooks.before, the updates, NetHooks.after. Scratch variables
// stay as they are. No edges: nothing happens.
VmResult joint_run(const Net *, Vm *, const Edge *const *edges, uint32_t count, int32_t *state,
                   ClockUpdates *);
// Whether time may pass in a state: no process is in an urgent or committed location and no
// urgent synchronisation is enabled, that is, its guards hold (whatever target invariants say).
// The enumeration is not disturbed.
JointDelay joint_delay(Joint *, const int32_t *state);
static inline bool joint_can_delay(Joint *joint, const int32_t *state) {
  return joint_delay(joint, state) == JOINT_FLOWS;
}
// Whether there are urgent channels: then it depends on variables, too, whether time may pass.
bool joint_has_urgent(const Joint *);
// Which processes an enabled urgent synchronisation stops, by process (model/enabled.h); false if
// the net has no urgent channels, and nothing is written.
bool joint_stops(Joint *, const int32_t *state, bool *stops);
// Integer part and clock tests of the invariants of all locations of a state.
VmResult joint_invariant(const Net *, Vm *, const int32_t *state, ClockTests *);

// `<P1.req->wait, P2.A->req> via go`, for traces; several events are written `go/come`.
void joint_print(Text *, const Joint *);
