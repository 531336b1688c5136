#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct MemBlock {
  MemBlock *older, *newer;
  size_t size;
  size_t age; // also keeps the payload aligned to 16 bytes
};

_Noreturn void mem_exhausted(Mem *mem) {
  if (mem->escape)
    longjmp(*mem->escape, 1);
  abort();
}

static void account(Mem *mem, size_t size) {
  if (mem->limit && mem->bytes + size > mem->limit)
    mem_exhausted(mem);
  mem->bytes += size;
  if (mem->bytes > mem->peak)
    mem->peak = mem->bytes;
}

void *mem_alloc(Mem *mem, size_t size) {
  if (!size)
    return NULL;
  if (size > SIZE_MAX / 2)
    mem_exhausted(mem);
  account(mem, size);
  MemBlock *block = calloc(1, sizeof *block + size);
  if (!block) {
    mem->bytes -= size;
    mem_exhausted(mem);
  }
  block->size = size;
  block->age = mem->count++;
  block->older = mem->newest;
  if (mem->newest)
    mem->newest->newer = block;
  mem->newest = block;
  return block + 1;
}

void *mem_resize(Mem *mem, void *data, size_t size) {
  if (!data)
    return mem_alloc(mem, size);
  if (!size) {
    mem_free(mem, data);
    return NULL;
  }
  MemBlock *block = (MemBlock *)data - 1;
  const size_t old = block->size;
  if (size > SIZE_MAX / 2)
    mem_exhausted(mem);
  if (size > old)
    account(mem, size - old);
  MemBlock *moved = realloc(block, sizeof *block + size);
  if (!moved) {
    mem->bytes -= size > old ? size - old : 0;
    mem_exhausted(mem);
  }
  if (size > old)
    memset((char *)(moved + 1) + old, 0, size - old);
  else
    mem->bytes -= old - size;
  moved->size = size;
  if (moved->newer)
    moved->newer->older = moved;
  else
    mem->newest = moved;
  if (moved->older)
    moved->older->newer = moved;
  return moved + 1;
}

void mem_free(Mem *mem, void *data) {
  if (!data)
    return;
  MemBlock *block = (MemBlock *)data - 1;
  if (block->newer)
    block->newer->older = block->older;
  else
    mem->newest = block->older;
  if (block->older)
    block->older->newer = block->newer;
  mem->bytes -= block->size;
  free(block);
}

void mem_release(Mem *mem) { mem_release_to(mem, 0); }

size_t mem_mark(const Mem *mem) { return mem->count; }

void mem_release_to(Mem *mem, size_t mark) {
  while (mem->newest && mem->newest->age >= mark)
    mem_free(mem, mem->newest + 1);
}

char *mem_copy_text(Mem *mem, const char *text, size_t length) {
  char *copy = mem_alloc(mem, length + 1);
  memcpy(copy, text, length);
  return copy;
}
