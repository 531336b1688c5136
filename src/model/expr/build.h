// Builds bytecode: emits instructions and tracks the depth of the stack; jumps, storage and
// values. model/expr/code.h compiles guards and statements and is the interface for other
// modules.
#pragma once

#include "base/arena.h"
#include "base/testbuild.h"
#include "base/vec.h"
#include "model/expr/expr.h"
#include "model/expr/opcode.h"

// Whether instructions that often come together are made one.
enum { BUILD_FUSES = !IS_PLAIN };

// All-zero with `mem` set is valid and empty.
typedef struct Builder {
  Mem *mem; // words and places are scratch: build_finish copies and releases them
  VEC(int32_t) words;
  VEC(Place) places;
  uint32_t depth, deepest; // of the stack
  const Type *result;      // of the function being built, for its returns
  bool reads_clocks;       // clocks have values: clock tests are conditions like others
} Builder;

// Storage: a constant offset in the state, the frame or the clocks. The rest of a dynamic
// address, what its variable indices add, is on the stack.
typedef struct Address {
  ExprKind space; // EXPR_VAR, EXPR_LOCAL, EXPR_CLOCK, EXPR_TABLE or EXPR_REMOTE
  uint32_t offset;
  bool dynamic;
} Address;

// The operands follow, as many int32_t as the opcode has.
void build_emit(Builder *, Place, Opcode, ...);
// A number of 64 bits as two operands.
#define BUILD_HALVES(number) (int32_t)(uint32_t)(number), (int32_t)((number) >> 32)
void build_depth(Builder *, int64_t change); // where an operand decides the change

// A forward jump: adds it to a chain (0: none yet) and returns the chain. The jumps
// of a chain go where build_patch is called.
uint32_t build_jump(Builder *, Place, Opcode, uint32_t chain);
void build_patch(Builder *, uint32_t chain);
// A jump for the chain if the truth of the expression is `sense`.
uint32_t build_branch(Builder *, const Expr *, bool sense, uint32_t chain);
// One backward jump to `top` if the expression is true; false, and no code, if it takes more.
bool build_loop(Builder *, const Expr *, uint32_t top);

Address build_address(Builder *, const Expr *);
// The same without code: false if it needs some, or is not in that space.
bool build_constant_address(const Expr *, ExprKind space, uint32_t *offset);

// Stores what is on the stack: the dynamic part of the address (for several slots any, if need
// be 0), then the value.
void build_store(Builder *, Place, Address, uint32_t slots);

void build_value(Builder *, const Expr *);             // pushes it, type->slots slots
void build_clock(Builder *, const Expr *clock, Place); // pushes its index; NULL: 0
// The value on the stack goes to a local, a parameter or a result of the type: emits a
// check if it may be out of range. (Slots of the state are checked as they are stored to.)
void build_check_range(Builder *, const Expr *value, const Type *);
bool build_needs_range(const Expr *value, const Type *);
uint32_t build_result_slots(const Function *); // that a call leaves on the stack

// OP_REAL, with the change of the depth of the stack.
void build_real(Builder *, Place, RealOp, uint32_t operand, int depth);

// The loop of a quantifier is between the two; `top` is what the first returned.
uint32_t build_begin_loop(Builder *, const Expr *);
void build_end_loop(Builder *, const Expr *, uint32_t top);

const Code *build_finish(Builder *, Arena *, uint32_t locals);
