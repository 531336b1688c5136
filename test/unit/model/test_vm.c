// The interpreter: each opcode by hand, each failure with its reason and place, and random
// trees against an evaluator that walks them.
#include "model/expr/vm.h"

#include "interpret.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = RANDOM_CASES(30000) };

static int setup(void **state) {
  static Trees trees;
  trees_init(&trees, 7);
  *state = &trees;
  return 0;
}

static int teardown(void **state) {
  Trees *t = *state;
  trees_release(t);
  return t->mem.bytes == 0 ? 0 : -1;
}

// Opcodes. A fragment runs on a state of three slots, the last from -9 to 9, with locals; each
// word has its index as its place.
typedef struct Fragment {
  int32_t state[3];
  VmResult result;
  ClockTests tests;
  ClockUpdates updates;
} Fragment;

static void run_fragment(Trees *t, Fragment *f, const int32_t *words, uint32_t size, bool guard) {
  static const int32_t min[] = {INT32_MIN, INT32_MIN, -9}, max[] = {INT32_MAX, INT32_MAX, 9};
  Place *places = ARENA_ARRAY(&t->arena, Place, size);
  for (uint32_t k = 0; k < size; k++)
    places[k].offset = k;
  Code code = {words, places, size, 4, 8};
  t->vm.slot_min = min;
  t->vm.slot_max = max;
  f->tests.size = f->updates.size = 0;
  f->result = guard ? vm_run_guard(&t->vm, &code, f->state, &f->tests)
                    : vm_run_update(&t->vm, &code, f->state, &f->updates);
  t->vm.slot_min = t->slot_min;
  t->vm.slot_max = t->slot_max;
}

static void release_fragment(Trees *t, Fragment *f) {
  vec_release(&t->mem, &f->tests);
  vec_release(&t->mem, &f->updates);
}

#define UPDATE(t, f, ...)                                                                        \
  run_fragment(t, f, (const int32_t[]){__VA_ARGS__},                                             \
               sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t), false)
#define GUARD(t, f, ...)                                                                         \
  run_fragment(t, f, (const int32_t[]){__VA_ARGS__},                                             \
               sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t), true)

// The value that an operator leaves, or the reason why it leaves none.
static const char *operate(Trees *t, Opcode op, int32_t a, int32_t b, int32_t *value) {
  Fragment f = {.state = {0}};
  if (op == OP_NEG || op == OP_NOT)
    UPDATE(t, &f, OP_PUSH, a, (int32_t)op, OP_STORE, 0, OP_DONE);
  else
    UPDATE(t, &f, OP_PUSH, a, OP_PUSH, b, (int32_t)op, OP_STORE, 0, OP_DONE);
  *value = f.state[0];
  release_fragment(t, &f);
  return f.result == VM_TRUE ? NULL : t->vm.error;
}

static void test_operators(void **state) {
  static const struct {
    Opcode op;
    int32_t a, b, value;
    const char *error;
  } cases[] = {
      {OP_NEG, 5, 0, -5, NULL},
      {OP_NEG, INT32_MIN, 0, 0, "32 bits"},
      {OP_NOT, 5, 0, 0, NULL},
      {OP_NOT, 0, 0, 1, NULL},
      {OP_ADD, 2, 3, 5, NULL},
      {OP_ADD, INT32_MAX, 1, 0, "32 bits"},
      {OP_SUB, 2, 3, -1, NULL},
      {OP_SUB, INT32_MIN, 1, 0, "32 bits"},
      {OP_MUL, -4, 3, -12, NULL},
      {OP_MUL, 65536, 32768, 0, "32 bits"},
      {OP_DIV, -7, 2, -3, NULL},
      {OP_DIV, 7, -2, -3, NULL},
      {OP_DIV, INT32_MIN, -1, 0, "32 bits"},
      {OP_DIV, 1, 0, 0, "zero"},
      {OP_MOD, -7, 2, -1, NULL},
      {OP_MOD, 7, -2, 1, NULL},
      {OP_MOD, INT32_MIN, -1, 0, NULL},
      {OP_MOD, 1, 0, 0, "zero"},
      {OP_MIN, -1, 1, -1, NULL},
      {OP_MAX, -1, 1, 1, NULL},
      {OP_BIT_AND, 12, 10, 8, NULL},
      {OP_BIT_OR, 12, 10, 14, NULL},
      {OP_BIT_XOR, 12, 10, 6, NULL},
      {OP_SHL, 3, 4, 48, NULL},
      {OP_SHL, -1, 31, INT32_MIN, NULL},
      {OP_SHL, 1, 31, 0, "32 bits"},
      {OP_SHL, 1, 32, 0, "shifted"},
      {OP_SHL, 0, -1, 0, "shifted"},
      {OP_SHR, -5, 1, -3, NULL},
      {OP_SHR, INT32_MIN, 31, -1, NULL},
      {OP_SHR, 1, -1, 0, "shifted"},
      {OP_SHR, 1, 32, 0, "shifted"},
      {OP_EQ, 2, 2, 1, NULL},
      {OP_NE, 2, 2, 0, NULL},
      {OP_LT, 2, 2, 0, NULL},
      {OP_LE, 2, 2, 1, NULL},
      {OP_GT, 3, 2, 1, NULL},
      {OP_GE, 1, 2, 0, NULL},
  };
  Trees *t = *state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    int32_t value;
    const char *error = operate(t, cases[k].op, cases[k].a, cases[k].b, &value);
    if (cases[k].error) {
      assert_non_null(error);
      assert_non_null(strstr(error, cases[k].error));
    } else {
      assert_null(error);
      assert_int_equal(value, cases[k].value);
    }
  }
}

static void test_storage_opcodes(void **state) {
  Trees *t = *state;
  Fragment f = {.state = {10, 20, 3}};
  UPDATE(t, &f, OP_LOAD, 1, OP_STORE, 0, OP_SET, 1, 7, OP_DONE);
  assert_int_equal(f.result, VM_TRUE);
  assert_int_equal(f.state[0], 20);
  assert_int_equal(f.state[1], 7);
  // state[1 + 1] = state[0 + 1]
  UPDATE(t, &f, OP_PUSH, 1, OP_PUSH, 1, OP_LOAD_AT, 0, OP_STORE_AT, 1, OP_DONE);
  assert_int_equal(f.state[2], 7);
  // state[0..1] = state[1..2]
  f.state[1] = 5;
  UPDATE(t, &f, OP_PUSH, 0, OP_PUSH, 1, OP_LOAD_MANY, 0, 2, OP_STORE_MANY, 0, 2, OP_DONE);
  assert_int_equal(f.state[0], 5);
  assert_int_equal(f.state[1], 7);
  assert_int_equal(f.state[2], 7);
  // Locals begin as zeroes; frame[1 + 1] = 9, then a block of two moved down.
  UPDATE(t, &f, OP_LOCAL, 3, OP_STORE, 0, OP_PUSH, 4, OP_SET_LOCAL, 1, OP_PUSH, 1, OP_PUSH, 9,
         OP_SET_LOCAL_AT, 1, OP_PUSH, 0, OP_PUSH, 1, OP_LOCAL_MANY, 0, 2, OP_SET_LOCAL_MANY, 0, 2,
         OP_PUSH, 1, OP_LOCAL_AT, 0, OP_STORE, 1, OP_LOCAL, 0, OP_STORE, 2, OP_DONE);
  assert_int_equal(f.result, VM_TRUE);
  assert_int_equal(f.state[0], 0);
  assert_int_equal(f.state[1], 9);
  assert_int_equal(f.state[2], 4);
  UPDATE(t, &f, OP_PUSH, 4, OP_SET_LOCAL, 1, OP_CLEAR_LOCAL, 0, 2, OP_LOCAL, 1, OP_STORE, 2,
         OP_PUSH, 8, OP_DROP, OP_PUSH, 3, OP_RANGE, 3, 4, OP_STORE, 0, OP_DONE);
  assert_int_equal(f.state[2], 0);
  assert_int_equal(f.state[0], 3);
  // (7 - 5) * 10
  UPDATE(t, &f, OP_PUSH, 7, OP_INDEX, 5, 3, 10, OP_STORE, 0, OP_DONE);
  assert_int_equal(f.state[0], 20);
  release_fragment(t, &f);
}

static void test_jump_opcodes(void **state) {
  Trees *t = *state;
  Fragment f = {.state = {0}};
  GUARD(t, &f, OP_JUMP, 4, OP_PUSH, 0, OP_PUSH, 1, OP_END);
  assert_int_equal(f.result, VM_TRUE);
  GUARD(t, &f, OP_PUSH, 0, OP_JUMP_ZERO, 7, OP_PUSH, 1, OP_END, OP_PUSH, 0, OP_END);
  assert_int_equal(f.result, VM_FALSE);
  GUARD(t, &f, OP_PUSH, 0, OP_JUMP_NONZERO, 7, OP_PUSH, 1, OP_END, OP_PUSH, 0, OP_END);
  assert_int_equal(f.result, VM_TRUE);
  GUARD(t, &f, OP_PUSH, 5, OP_FAIL_ZERO, OP_PUSH, 0, OP_FAIL_ZERO, OP_PUSH, 1, OP_END);
  assert_int_equal(f.result, VM_FALSE);
  // sum = 2 + 3 + 4, and the same with a jump back
  UPDATE(t, &f, OP_PUSH, 2, OP_SET_LOCAL, 0, OP_LOAD, 0, OP_LOCAL, 0, OP_ADD, OP_STORE, 0,
         OP_NEXT, 0, 4, 4, OP_DONE);
  assert_int_equal(f.state[0], 9);
  assert_int_equal(t->vm.steps, 2);
  UPDATE(t, &f, OP_LOAD, 0, OP_JUMP_ZERO, 13, OP_LOAD, 0, OP_PUSH, 1, OP_SUB, OP_STORE, 0,
         OP_JUMP_BACK, 0, OP_DONE);
  assert_int_equal(f.result, VM_TRUE);
  assert_int_equal(f.state[0], 0);
  assert_int_equal(t->vm.steps, 9);
  release_fragment(t, &f);
}

// Several instructions in one.
static void test_fused_opcodes(void **state) {
  Trees *t = *state;
  Fragment f = {.state = {0}};
  // sum of i % 4 for i from 0 to 9, in a local, then in the state
  UPDATE(t, &f, OP_LOCAL_MASK, 1, 3, OP_ADD_LOCAL, -99, 99, 0, OP_SHIFT_LOCAL, 1, 0, 10, 1,
         OP_LOOP_LT, 1, 10, 0, OP_LOCAL, 0, OP_PUSH, 10, OP_SUB, OP_ADD_STATE, 0, OP_DONE);
  assert_int_equal(f.result, VM_TRUE);
  assert_int_equal(f.state[0], 3);
  assert_int_equal(t->vm.steps, 9);
  UPDATE(t, &f, OP_PUSH, -7, OP_SET_LOCAL, 0, OP_LOCAL_MASK, 0, 3, OP_PUSH, -3, OP_EQ, OP_STORE,
         0, OP_DONE);
  assert_int_equal(f.state[0], 1);
  UPDATE(t, &f, OP_PUSH, 9, OP_ADD_LOCAL, 0, 8, 0, OP_DONE);
  assert_int_equal(f.result, VM_INVALID);
  UPDATE(t, &f, OP_PUSH, 10, OP_ADD_STATE, 2, OP_DONE);
  assert_int_equal(f.result, VM_INVALID);
  GUARD(t, &f, OP_PUSH, 1, OP_ADD_STATE, 0, OP_PUSH, 1, OP_END);
  assert_int_equal(f.result, VM_ERROR);
  UPDATE(t, &f, OP_LOOP_EQ, 0, 0, 0);
  assert_int_equal(f.result, VM_ERROR);
  assert_int_equal(t->vm.steps, VM_MAX_STEPS + 1);
  static const int32_t holds[][3] = {{0, 1, 0}, {1, 0, 1}, {1, 0, 0},
                                     {1, 1, 0}, {0, 0, 1}, {0, 1, 1}};
  for (int op = 0; op < 6; op++)
    for (int order = 0; order < 3; order++) { // 4, 5 and 6 against 5: one jump back at the most
      UPDATE(t, &f, OP_PUSH, 4 + order, OP_SET_LOCAL, 0, OP_JUMP, 15, OP_LOCAL, 1, OP_PUSH, 1,
             OP_ADD, OP_SET_LOCAL, 1, OP_DONE, OP_DONE, OP_LOOP_EQ + op, 0, 5, 6, OP_DONE);
      assert_int_equal(t->vm.steps, holds[op][order]);
    }
  release_fragment(t, &f);
}

static void test_clock_opcodes(void **state) {
  Trees *t = *state;
  Fragment f = {.state = {0}};
  GUARD(t, &f, OP_PUSH, 1, OP_PUSH, 2, OP_PUSH, 5, OP_CLOCK_TEST, EXPR_EQ, OP_PUSH, 3, OP_PUSH, 0,
        OP_PUSH, 4, OP_CLOCK_TEST, EXPR_GT, OP_PUSH, 1, OP_END);
  assert_int_equal(f.result, VM_TRUE);
  assert_int_equal(f.tests.size, 3);
  ClockTest expected[] = {{1, 2, 5, false}, {2, 1, -5, false}, {0, 3, -4, true}};
  for (uint32_t k = 0; k < 3; k++) {
    assert_int_equal(f.tests.items[k].i, expected[k].i);
    assert_int_equal(f.tests.items[k].j, expected[k].j);
    assert_int_equal(f.tests.items[k].constant, expected[k].constant);
    assert_int_equal(f.tests.items[k].strict, expected[k].strict);
  }
  // A clock against itself is decided; what was added before is taken back.
  GUARD(t, &f, OP_PUSH, 1, OP_PUSH, 0, OP_PUSH, 5, OP_CLOCK_TEST, EXPR_LE, OP_PUSH, 1, OP_PUSH, 1,
        OP_PUSH, 0, OP_CLOCK_TEST, EXPR_LT, OP_PUSH, 1, OP_END);
  assert_int_equal(f.result, VM_FALSE);
  assert_int_equal(f.tests.size, 0);
  GUARD(t, &f, OP_PUSH, 1, OP_PUSH, 1, OP_PUSH, 0, OP_CLOCK_TEST, EXPR_LE, OP_PUSH, 1, OP_END);
  assert_int_equal(f.result, VM_TRUE);
  assert_int_equal(f.tests.size, 0);
  UPDATE(t, &f, OP_PUSH, 1, OP_PUSH, 2, OP_PUSH, -5, OP_CLOCK_SET, OP_DONE);
  assert_int_equal(f.result, VM_TRUE);
  assert_int_equal(f.updates.size, 1);
  assert_int_equal(f.updates.items[0].x, 1);
  assert_int_equal(f.updates.items[0].y, 2);
  assert_int_equal(f.updates.items[0].constant, -5);
  release_fragment(t, &f);
}

static void assert_failed(const Trees *t, const Fragment *f, VmResult result, const char *word,
                          uint32_t place) {
  assert_int_equal(f->result, result);
  assert_non_null(strstr(t->vm.error, word));
  assert_int_equal(t->vm.error_place.offset, place);
  assert_int_equal(f->tests.size, 0);
  assert_int_equal(f->updates.size, 0);
}

static void test_failures(void **state) {
  Trees *t = *state;
  Fragment f = {.state = {0}};
  const int32_t max = CODE_MAX_CONSTANT;
  UPDATE(t, &f, OP_PUSH, 10, OP_STORE, 2, OP_DONE);
  assert_failed(t, &f, VM_INVALID, "range", 2);
  UPDATE(t, &f, OP_PUSH, 1, OP_PUSH, -10, OP_STORE_AT, 1, OP_DONE);
  assert_failed(t, &f, VM_INVALID, "range", 4);
  UPDATE(t, &f, OP_PUSH, 0, OP_PUSH, 1, OP_PUSH, 10, OP_STORE_MANY, 1, 2, OP_DONE);
  assert_failed(t, &f, VM_INVALID, "range", 6);
  UPDATE(t, &f, OP_PUSH, 10, OP_RANGE, 0, 9, OP_DROP, OP_DONE);
  assert_failed(t, &f, VM_INVALID, "range", 2);
  UPDATE(t, &f, OP_PUSH, 10, OP_PUSH, 1, OP_RANGE_AT, 1, 0, 9, OP_RANGE_AT, 2, 0, 9, OP_DROP,
         OP_DROP, OP_DONE);
  assert_failed(t, &f, VM_INVALID, "range", 8);
  UPDATE(t, &f, OP_PUSH, 8, OP_INDEX, 5, 3, 10, OP_DROP, OP_DONE);
  assert_failed(t, &f, VM_ERROR, "index", 2);
  UPDATE(t, &f, OP_PUSH, 4, OP_INDEX, 5, 3, 10, OP_DROP, OP_DONE);
  assert_failed(t, &f, VM_ERROR, "index", 2);
  UPDATE(t, &f, OP_PUSH, INT32_MIN, OP_INDEX, INT32_MAX, 3, 10, OP_DROP, OP_DONE);
  assert_int_equal(f.result, VM_TRUE); // position 1: INT32_MAX + 1 wraps
  UPDATE(t, &f, OP_JUMP_BACK, 0);
  assert_failed(t, &f, VM_ERROR, "does not end", 0);
  UPDATE(t, &f, OP_NEXT, 0, INT32_MAX, 0);
  assert_failed(t, &f, VM_ERROR, "does not end", 0);
  UPDATE(t, &f, OP_PUSH, 1, OP_PUSH, 0, OP_PUSH, -1, OP_CLOCK_SET, OP_DONE);
  assert_failed(t, &f, VM_ERROR, "negative", 6);
  UPDATE(t, &f, OP_PUSH, 1, OP_PUSH, 0, OP_PUSH, max + 1, OP_CLOCK_SET, OP_DONE);
  assert_failed(t, &f, VM_ERROR, "too large", 6);
  UPDATE(t, &f, OP_PUSH, 1, OP_PUSH, 2, OP_PUSH, -max - 1, OP_CLOCK_SET, OP_DONE);
  assert_failed(t, &f, VM_ERROR, "too large", 6);
  GUARD(t, &f, OP_PUSH, 1, OP_PUSH, 0, OP_PUSH, max + 1, OP_CLOCK_TEST, EXPR_LE);
  assert_failed(t, &f, VM_ERROR, "too large", 6);
  GUARD(t, &f, OP_PUSH, 1, OP_PUSH, 0, OP_PUSH, INT32_MIN, OP_CLOCK_TEST, EXPR_GE);
  assert_failed(t, &f, VM_ERROR, "too large", 6);
  GUARD(t, &f, OP_PUSH, 1, OP_PUSH, 0, OP_PUSH, 3, OP_CLOCK_TEST, EXPR_NE);
  assert_failed(t, &f, VM_ERROR, "clock", 6);
  GUARD(t, &f, OP_REFUSE, OP_END);
  assert_failed(t, &f, VM_ERROR, "clock", 0);
  // Conditions have no effects.
  GUARD(t, &f, OP_SET, 0, 1, OP_PUSH, 1, OP_END);
  assert_failed(t, &f, VM_ERROR, "must not change", 0);
  GUARD(t, &f, OP_PUSH, 1, OP_STORE, 0, OP_PUSH, 1, OP_END);
  assert_failed(t, &f, VM_ERROR, "must not change", 2);
  GUARD(t, &f, OP_PUSH, 1, OP_PUSH, 0, OP_PUSH, 0, OP_CLOCK_SET, OP_PUSH, 1, OP_END);
  assert_failed(t, &f, VM_ERROR, "must not change", 6);
  release_fragment(t, &f);
}

// Calls: arguments become locals, the rest of the frame is zero, results may have several
// slots, the caller's frame and stack survive a stack that moves.
static void test_calls(void **state) {
  Trees *t = *state;
  Mem mem = {0};
  const Place places[64] = {{0}};
  const int32_t swap[] = {OP_LOCAL, 1, OP_LOCAL, 0, OP_LOCAL, 2, OP_RETURN, 3};
  const int32_t forever[] = {OP_LOCAL, 0, OP_CALL, 1, 1, OP_RETURN, 1};
  const int32_t main_words[] = {
      OP_PUSH, 9, OP_SET_LOCAL, 0, OP_PUSH, 100,    OP_PUSH,  1, OP_PUSH, 2,        OP_CALL,
      0,       2, OP_STORE,     0, OP_SUB,  OP_SUB, OP_LOCAL, 0, OP_ADD,  OP_STORE, 1,
      OP_DONE};
  const int32_t deep_words[] = {OP_PUSH, 1, OP_CALL, 1, 1, OP_DROP, OP_DONE};
  Code swap_code = {swap, places, 8, 600, 3}, forever_code = {forever, places, 7, 1, 1};
  Code main_code = {main_words, places, sizeof main_words / sizeof(int32_t), 1, 5};
  Code deep_code = {deep_words, places, sizeof deep_words / sizeof(int32_t), 0, 1};
  const Code *functions[] = {&swap_code, &forever_code};
  Vm vm;
  vm_init(&vm, &mem);
  vm.functions = functions;
  vm.slot_min = t->slot_min + 2;
  vm.slot_max = t->slot_max + 2;
  int32_t values[2] = {0};
  ClockUpdates updates = {0};
  assert_int_equal(vm_run_update(&vm, &main_code, values, &updates), VM_TRUE);
  assert_int_equal(values[0], 0);                 // the third local of the function
  assert_int_equal(values[1], 100 - (2 - 1) + 9); // 100 2 1 on the stack, then local 0
  assert_int_equal(vm_run_update(&vm, &deep_code, values, &updates), VM_ERROR);
  assert_non_null(strstr(vm.error, "too deep"));
  vm_release(&vm);
  assert_int_equal(mem.bytes, 0);
}

// Folding of constants agrees with running: the value where there is one, else an error.
static void test_folding(void **state) {
  static const int32_t values[] = {INT32_MIN, INT32_MIN + 1, -65536, -33, -2, -1, 0, 1, 2, 5, 31,
                                   32,        INT32_MAX,     65536};
  enum { COUNT = sizeof values / sizeof *values };
  Trees *t = *state;
  for (ExprKind kind = EXPR_ADD; kind <= EXPR_GE; kind++)
    for (int k = 0; k < COUNT * COUNT; k++) {
      int32_t left = values[k / COUNT], right = values[k % COUNT], value, folded;
      const Expr *a = expr_const(&t->arena, (Place){0}, left);
      const Expr *b = expr_const(&t->arena, (Place){0}, right);
      bool folds = expr_is_const(expr_binary(&t->arena, (Place){0}, kind, a, b), &folded);
      Opcode op =
          kind >= EXPR_EQ ? OP_EQ + (Opcode)(kind - EXPR_EQ) : OP_ADD + (Opcode)(kind - EXPR_ADD);
      const char *error = operate(t, op, left, right, &value);
      assert_int_equal(folds, error == NULL);
      if (folds)
        assert_int_equal(value, folded);
    }
  trees_clear(t);
}

static void test_tests(void **state) {
  (void)state;
  for (int32_t value = -2; value <= 2; value++) {
    const int32_t slots[] = {7, value};
    bool expected[] = {value == 1, value != 1, value<1, value <= 1, value> 1, value >= 1};
    for (int k = 0; k < 6; k++) {
      Test test = {1, EXPR_EQ + (ExprKind)k, 1};
      assert_int_equal(vm_test(&test, slots), expected[k]);
    }
  }
  const int32_t extremes[] = {INT32_MIN, INT32_MAX};
  assert_true(vm_test(&(Test){0, EXPR_LT, INT32_MAX}, extremes));
  assert_true(vm_test(&(Test){1, EXPR_GT, INT32_MIN}, extremes));
}

// The failure of the walk is the failure of the VM, at the same place.
static void assert_same_failure(const Trees *t, const Walk *w) {
  if (!strstr(t->vm.error, w->error) || t->vm.error_place.offset != w->place.offset)
    fail_msg("VM: %s at %u, walk: %s at %u", t->vm.error, (unsigned)t->vm.error_place.offset,
             w->error, (unsigned)w->place.offset);
}

static void test_random_values(void **state) {
  Trees *t = *state;
  static Walk walk;
  ClockUpdates updates = {0};
  int counts[4] = {0};
  for (int round = 0; round < ROUNDS; round++) {
    const Expr *e = trees_int(t, 5);
    const Expr *v3 = trees_name(t, EXPR_VAR, "v3", t->integers[3], 3);
    Update update = code_update(&t->arena, trees_stmt(t, STMT_ASSIGN, v3, NULL, e), TREES_LOCALS);
    Range range = expr_range(e);
    assert_true(range.low <= range.high);
    for (int k = 0; k < 3; k++) {
      int32_t slots[TREES_SLOTS], copy[TREES_SLOTS], frame[TREES_LOCALS] = {0};
      trees_state(t, slots);
      memcpy(copy, slots, sizeof slots);
      walk_init(&walk, t, copy, frame, NULL);
      int32_t value = walk_value(&walk, e);
      VmResult result = vm_update(&t->vm, &update, slots, &updates);
      counts[result]++;
      assert_int_equal(result, walk.result);
      if (result != VM_TRUE) {
        assert_same_failure(t, &walk);
        continue;
      }
      assert_int_equal(slots[3], value);
      assert_true(range.low <= value && value <= range.high);
    }
    trees_clear(t);
  }
  vec_release(&t->mem, &updates);
  print_message("values %d, errors %d, invalid %d\n", counts[VM_TRUE], counts[VM_ERROR],
                counts[VM_INVALID]);
  assert_true(counts[VM_TRUE] > ROUNDS && counts[VM_ERROR] > ROUNDS / 10);
}

static bool holds(const ClockTests *tests, const int32_t *clocks) {
  for (uint32_t k = 0; k < tests->size; k++) {
    const ClockTest *test = &tests->items[k];
    int64_t difference = (int64_t)clocks[test->i] - clocks[test->j];
    assert_int_not_equal(test->i, test->j);
    if (difference > 2 * (int64_t)test->constant - test->strict &&
        !(test->strict && difference < 2 * (int64_t)test->constant))
      return false;
  }
  return true;
}

static bool has_large(const Guard *guard) { // refused when the model is read
  for (uint32_t k = 0; k < guard->clock_test_count; k++)
    if (guard->clock_tests[k].constant > CODE_MAX_CONSTANT ||
        guard->clock_tests[k].constant < -CODE_MAX_CONSTANT)
      return true;
  return false;
}

// A guard that holds on integers: its clock tests hold exactly where the tree is true.
static void check_clocks(Trees *t, const Expr *e, int32_t *slots, const ClockTests *tests) {
  static Walk walk;
  for (int k = 0; k < 4; k++) {
    int32_t clocks[TREES_CLOCKS] = {0}, frame[TREES_LOCALS] = {0};
    for (int c = 1; c < TREES_CLOCKS; c++)
      clocks[c] = random_between(&t->random, 0, 16);
    walk_init(&walk, t, slots, frame, clocks);
    bool value = walk_value(&walk, e) != 0;
    assert_int_equal(walk.result, VM_TRUE);
    assert_int_equal(value, holds(tests, clocks));
  }
}

static void check_guard(Trees *t, const Expr *e, const Guard *guard, ClockTests *tests,
                        int *counts) {
  static Walk walk;
  const int32_t clocks[TREES_CLOCKS] = {0};
  int32_t slots[TREES_SLOTS], frame[TREES_LOCALS] = {0};
  trees_state(t, slots);
  walk_init(&walk, t, slots, frame, clocks);
  walk.assume = true;
  bool value = walk_value(&walk, e) != 0;
  vec_clear(tests);
  VmResult result = vm_guard(&t->vm, guard, slots, tests);
  counts[result]++;
  if (result == VM_TRUE || result == VM_FALSE) {
    // Tests come first: they may hide an error, but make no guard hold.
    assert_true(walk.result == VM_TRUE ? value == (result == VM_TRUE) : result == VM_FALSE);
  } else {
    assert_int_equal(walk.result, result);
    assert_same_failure(t, &walk);
  }
  if (result == VM_TRUE)
    check_clocks(t, e, slots, tests);
  else
    assert_int_equal(tests->size, 0);
}

static void test_random_guards(void **state) {
  Trees *t = *state;
  ClockTests tests = {0};
  int counts[4] = {0};
  for (int round = 0; round < ROUNDS; round++) {
    const Expr *e = trees_guard(t, random_between(&t->random, 1, 5));
    assert_null(expr_guard_flaw(e));
    Guard guard = code_guard(&t->arena, e, TREES_LOCALS);
    for (int k = 0; k < 3 && !has_large(&guard); k++)
      check_guard(t, e, &guard, &tests, counts);
    trees_clear(t);
  }
  vec_release(&t->mem, &tests);
  print_message("true %d, false %d, errors %d, invalid %d\n", counts[VM_TRUE], counts[VM_FALSE],
                counts[VM_ERROR], counts[VM_INVALID]);
  assert_true(counts[VM_TRUE] > ROUNDS / 4 && counts[VM_FALSE] > ROUNDS / 4);
}

static void check_updates(const Walk *w, const ClockUpdates *updates) {
  assert_int_equal(updates->size, w->update_count);
  for (uint32_t k = 0; k < updates->size; k++) {
    assert_int_equal(updates->items[k].x, w->updates[k].x);
    assert_int_equal(updates->items[k].y, w->updates[k].y);
    assert_int_equal(updates->items[k].constant, w->updates[k].constant);
  }
}

static void test_random_updates(void **state) {
  Trees *t = *state;
  static Walk walk;
  ClockUpdates updates = {0};
  int counts[4] = {0}, plain = 0;
  for (int round = 0; round < ROUNDS; round++) {
    const Stmt *stmts = trees_stmts(t, 3);
    Update update = code_update(&t->arena, stmts, TREES_LOCALS);
    int32_t slots[TREES_SLOTS], copy[TREES_SLOTS], frame[TREES_LOCALS] = {0};
    trees_state(t, slots);
    memcpy(copy, slots, sizeof slots);
    walk_init(&walk, t, copy, frame, NULL);
    walk_stmts(&walk, stmts);
    bool too_long = walk.steps > WALK_STEPS || walk.update_count == WALK_UPDATES;
    bool large = !update.code && walk.result == VM_ERROR; // refused when the model is read
    if (!too_long && !large) {
      vec_clear(&updates);
      VmResult result = vm_update(&t->vm, &update, slots, &updates);
      counts[result]++;
      plain += !update.code;
      assert_int_equal(result, walk.result);
      if (result == VM_TRUE) {
        assert_memory_equal(slots, copy, sizeof slots);
        check_updates(&walk, &updates);
      } else {
        assert_same_failure(t, &walk);
        assert_int_equal(updates.size, 0);
      }
    }
    trees_clear(t);
  }
  vec_release(&t->mem, &updates);
  print_message("done %d (without code %d), errors %d, invalid %d\n", counts[VM_TRUE], plain,
                counts[VM_ERROR], counts[VM_INVALID]);
  assert_true(counts[VM_TRUE] > ROUNDS / 4 && counts[VM_INVALID] > ROUNDS / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_operators, setup, teardown),
      cmocka_unit_test_setup_teardown(test_storage_opcodes, setup, teardown),
      cmocka_unit_test_setup_teardown(test_jump_opcodes, setup, teardown),
      cmocka_unit_test_setup_teardown(test_clock_opcodes, setup, teardown),
      cmocka_unit_test_setup_teardown(test_fused_opcodes, setup, teardown),
      cmocka_unit_test_setup_teardown(test_failures, setup, teardown),
      cmocka_unit_test_setup_teardown(test_calls, setup, teardown),
      cmocka_unit_test_setup_teardown(test_folding, setup, teardown),
      cmocka_unit_test(test_tests),
      cmocka_unit_test_setup_teardown(test_random_values, setup, teardown),
      cmocka_unit_test_setup_teardown(test_random_guards, setup, teardown),
      cmocka_unit_test_setup_teardown(test_random_updates, setup, teardown),
  };
  return cmocka_run_group_tests_name("vm", tests, NULL, NULL);
}
