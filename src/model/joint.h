// Joint transitions of a location vector, in the fixed order that published counts rest on:
// synchronisations in order of declaration, for each the product of its parts' edges with
// the last part fastest; then each process's asynchronous edges in order of declaration.
// If some process is committed, only those that involve a committed process.
//
// Enabledness here is by location only; guards are the caller's business. The ordinal
// numbers the joint transitions of one vector from 0 and identifies them in traces.
#ifndef TARN_MODEL_JOINT_H
#define TARN_MODEL_JOINT_H

#include "model/net.h"

typedef struct JointCursor JointCursor; // the tables, and the place in the enumeration

// Made by joint_init, which builds the tables, in an arena; several can walk one net.
typedef struct Joint {
  const Net *net;
  uint32_t ordinal;   // of the present transition
  const Edge **edges; // participants in the order in which their updates run
  uint32_t edge_count;
  uint32_t sync;   // index of the sync, NET_NONE for an asynchronous edge
  uint32_t number; // see joint_next_number
  JointCursor *cursor;
} Joint;

void joint_init(Joint *, const Net *, Arena *);
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

// In nets with invalid_is_error the following give VM_ERROR in place of VM_INVALID.

// Integer part of the guards, all evaluated in the source state; on VM_TRUE clock tests are
// appended.
VmResult joint_guard(const Joint *, Vm *, const int32_t *state, ClockTests *);
// Runs the updates in order and moves the locations, in place; clock updates are appended.
VmResult joint_fire(const Joint *, Vm *, int32_t *state, ClockUpdates *);
// Integer part and clock tests of the invariants of all locations of a state.
VmResult joint_invariant(const Net *, Vm *, const int32_t *state, ClockTests *);

// `<P1.req->wait, P2.A->req> via go`, for traces; several events are written `go/come`.
void joint_print(Text *, const Joint *);

#endif
