#include "expr/opcode.h"

#include <assert.h>

static const struct {
  const char *name;
  uint8_t operands;
  int8_t depth;
} opcodes[] = {
#define OP(name, operands, depth) {#name, operands, depth},
    OPCODES(OP)
#undef OP
};

uint32_t opcode_operands(Opcode op) {
  assert(op < OP_COUNT);
  return opcodes[op].operands;
}

int opcode_depth(Opcode op) {
  assert(op < OP_COUNT);
  return opcodes[op].depth;
}

const char *opcode_name(Opcode op) {
  assert(op < OP_COUNT);
  return opcodes[op].name;
}
