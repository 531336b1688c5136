// Opcodes of the stack machine: the one list from which the compiler and the interpreter are
// made. Also the struct that holds compiled code.
#pragma once

#include "base/report.h"
#include "model/expr/real.h"

// A value of a struct or array type lies on the stack slot by slot, the last one on top: `v..`.
// The third column is the net change of the depth of the stack; 0 with `*` if an operand
// decides it.
// clang-format off
//   opcode, operands, depth effect (stack before -- after)
#define OPCODES(OP)                                                                              \
  OP(END, 0, -1)         /* ( v -- ) ends the code with result v */                              \
  OP(DONE, 0, 0)         /* ( -- ) ends an update */                                             \
  OP(PUSH, 1, 1)         /* value: ( -- value ) */                                               \
  OP(LOAD, 1, 1)         /* slot: ( -- state[slot] ) */                                          \
  OP(LOAD_AT, 1, 0)      /* slot: ( i -- state[slot + i] ) */                                    \
  OP(LOAD_MANY, 2, 0)    /* * slot, count: ( i -- v.. ) from state[slot + i] on */               \
  OP(STORE, 1, -1)       /* slot: ( v -- ) checked against the range of the slot */              \
  OP(STORE_AT, 1, -2)    /* slot: ( i v -- ) state[slot + i] = v, checked */                     \
  OP(STORE_MANY, 2, 0)   /* * slot, count: ( i v.. -- ) from state[slot + i] on, checked */      \
  OP(SET, 2, 0)          /* slot, value: ( -- ) state[slot] = value, known to be in range */     \
  OP(LOCAL, 1, 1)        /* local: ( -- frame[local] ) */                                        \
  OP(LOCAL_AT, 1, 0)     /* local: ( i -- frame[local + i] ) */                                  \
  OP(LOCAL_MANY, 2, 0)   /* * local, count: ( i -- v.. ) */                                      \
  OP(SET_LOCAL, 1, -1)   /* local: ( v -- ) */                                                   \
  OP(SET_LOCAL_AT, 1, -2) /* local: ( i v -- ) */                                                \
  OP(SET_LOCAL_MANY, 2, 0) /* * local, count: ( i v.. -- ) */                                    \
  OP(CLEAR_LOCAL, 2, 0)  /* local, count: ( -- ) zeroes */                                       \
  OP(TABLE_AT, 1, 0)     /* offset: ( i -- tables[offset + i] ) */                               \
  OP(TABLE_MANY, 2, 0)   /* * offset, count: ( i -- v.. ) */                                     \
  OP(ADDRESS, 1, 1)      /* local: ( -- position of frame[local] on the stack ) */               \
  OP(REMOTE_AT, 1, 0)    /* offset: ( i -- stack[i + offset] ), storage of a caller */           \
  OP(REMOTE_MANY, 2, 0)  /* * offset, count: ( i -- v.. ) */                                     \
  OP(SET_REMOTE_AT, 1, -2) /* offset: ( i v -- ) */                                              \
  OP(SET_REMOTE_MANY, 2, 0) /* * offset, count: ( i v.. -- ) */                                  \
  OP(DUP, 0, 1)          /* ( v -- v v ) */                                                      \
  OP(TUCK, 0, 1)         /* ( i v -- v i v ) */                                                  \
  OP(FIELD, 3, 0)        /* * slots, offset, count: ( v.. -- part ) of a value on the stack */    \
  OP(SAME, 1, 0)         /* * count: ( v.. w.. -- whether they are equal ) */                    \
  OP(ASSERT, 0, -1)      /* ( v -- ) v == 0 is an error */                                       \
  OP(INDEX, 3, 0)        /* first, count, size: ( i -- (i - first) * size ), checked */          \
  OP(RANGE, 2, 0)        /* min, max: ( v -- v ) out of range: invalid */                        \
  OP(RANGE_AT, 3, 0)     /* depth, min, max: ( v.. -- v.. ) the same of a slot below the top */  \
  OP(DROP, 0, -1)        /* ( v -- ) */                                                          \
  OP(NEG, 0, 0) OP(NOT, 0, 0)                                                                    \
  OP(ADD, 0, -1) OP(SUB, 0, -1) OP(MUL, 0, -1) OP(DIV, 0, -1) OP(MOD, 0, -1)                     \
  OP(MIN, 0, -1) OP(MAX, 0, -1) OP(BIT_AND, 0, -1) OP(BIT_OR, 0, -1) OP(BIT_XOR, 0, -1)          \
  OP(SHL, 0, -1) OP(SHR, 0, -1)                                                                  \
  OP(EQ, 0, -1) OP(NE, 0, -1) OP(LT, 0, -1) OP(LE, 0, -1) OP(GT, 0, -1) OP(GE, 0, -1)            \
  OP(JUMP, 1, 0)         /* target: ( -- ) */                                                    \
  OP(JUMP_ZERO, 1, -1)   /* target: ( v -- ) jumps if v == 0 */                                  \
  OP(JUMP_NONZERO, 1, -1) /* target: ( v -- ) jumps if v != 0 */                                 \
  OP(JUMP_BACK, 1, 0)    /* target: ( -- ) a loop's jump: counts a step, see VM_MAX_STEPS */    \
  OP(NEXT, 3, 0)         /* local, high, target: ( -- ) if frame[local] < high: adds 1 to it */  \
                         /* and jumps back, which counts a step */                               \
  OP(FAIL_ZERO, 0, -1)   /* ( v -- ) v == 0 ends the code with result 0 */                       \
  OP(CALL, 2, 0)         /* * function, slots of the arguments: ( v.. -- result ) */             \
  OP(RETURN, 1, 0)       /* * slots: ( v.. -- v.. ) back to the caller; void functions give 0 */ \
  /* What often comes together, in one; not in the reference build. */                           \
  OP(LOAD_INDEX, 3, 0)   /* first, count, slot: INDEX and LOAD_AT */                             \
  OP(LOCAL_INDEX, 3, 0)  /* first, count, local: INDEX and LOCAL_AT */                           \
  OP(TABLE_INDEX, 3, 0)  /* first, count, offset: INDEX and TABLE_AT */                          \
  OP(ADD_CONST, 1, 0)    /* value: ( v -- v + value ) */                                         \
  OP(MOD_MASK, 1, 0)     /* mask: ( v -- v % (mask + 1) ), a power of 2 */                       \
  OP(LOCAL_MASK, 2, 1)   /* local, mask: LOCAL and MOD_MASK */                                   \
  OP(ADD_STATE, 1, -1)   /* slot: ( v -- ) adds v to state[slot], checked */                     \
  OP(ADD_LOCAL, 3, -1)   /* min, max, local: ( v -- ) adds v to a local, checked */              \
  OP(SET_LOCAL_RANGE, 3, -1) /* min, max, local: RANGE and SET_LOCAL */                          \
  OP(SHIFT_LOCAL, 4, 0)  /* delta, min, max, local: ( -- ) adds to a local, checked */           \
  OP(JUMP_EQ, 3, 0) OP(JUMP_NE, 3, 0) OP(JUMP_LT, 3, 0) OP(JUMP_LE, 3, 0) OP(JUMP_GT, 3, 0)       \
  OP(JUMP_GE, 3, 0)      /* local, value, target: ( -- ) jumps if frame[local] compares so */    \
  OP(LOOP_EQ, 3, 0) OP(LOOP_NE, 3, 0) OP(LOOP_LT, 3, 0) OP(LOOP_LE, 3, 0) OP(LOOP_GT, 3, 0)       \
  OP(LOOP_GE, 3, 0)      /* the same backwards: a jump counts a step */                          \
  /* Real numbers, each in two slots; which operation it is, and its operand: see RealOp. */     \
  OP(REAL, 2, 0)         /* * operation, operand: ( v.. -- w.. ) */                              \
  OP(REFUSE, 0, 1)       /* ( -- v ) error: a clock where only integers have a meaning */        \
  OP(CLOCK_TEST, 1, -3)  /* op: ( i j c -- ) adds the test x_i - x_j op c to the result */       \
  OP(CLOCK_SET, 0, -3)   /* ( x y c -- ) adds the update x := y + c to the result */             \
  /* The same with a constant of 64 bits. */                                                     \
  OP(WIDE_TEST, 3, -2)   /* op, low half, high half: ( i j -- ) */                               \
  OP(WIDE_SET, 2, -2)    /* low half, high half: ( x y -- ) */
// clang-format on

typedef enum Opcode {
#define OP(name, operands, depth) OP_##name,
  OPCODES(OP)
#undef OP
      OP_COUNT
} Opcode;

// Words of opcodes and operands; `places[pc]` tells where the word came from, for errors.
typedef struct Code {
  const int32_t *words;
  const Place *places;
  uint32_t size;
  uint32_t local_slots; // frame that it needs
  uint32_t stack_slots; // deepest stack, calls excluded
} Code;

uint32_t opcode_operands(Opcode);
int opcode_depth(Opcode); // the net change of the depth of the stack
const char *opcode_name(Opcode);
void opcode_print(Text *, const Code *); // one instruction a line, for tests
