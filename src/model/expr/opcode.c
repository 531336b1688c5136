#include "model/expr/opcode.h"

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

void opcode_print(Text *text, const Code *code) {
  for (uint32_t pc = 0; pc < code->size;) {
    Opcode op = (Opcode)code->words[pc];
    text_addf(text, "%u %s", (unsigned)pc++, opcode_name(op));
    for (uint32_t k = 0; k < opcode_operands(op); k++)
      text_addf(text, " %d", (int)code->words[pc++]);
    text_add_char(text, '\n');
  }
}
