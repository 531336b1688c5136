#define _POSIX_C_SOURCE 200809L
#include "command/rpc.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_HEADER = 4096, MAX_MESSAGE = 1 << 28, CHUNK = 1 << 16 };

// Reads more; false at the end.
static bool fill(Rpc *rpc) {
  if (rpc->capacity - rpc->size < CHUNK) {
    const size_t capacity = rpc->capacity * 2 + 2 * CHUNK;
    char *grown = realloc(rpc->buffer, capacity);
    if (!grown)
      return false;
    rpc->buffer = grown;
    rpc->capacity = capacity;
  }
  const ssize_t count = read(rpc->input, rpc->buffer + rpc->size, CHUNK - 1);
  if (count <= 0)
    return false;
  rpc->size += (size_t)count;
  rpc->buffer[rpc->size] = '\0';
  return true;
}

// The length that the header says; false if it says none.
static bool find_length(const char *header, const char *end, size_t *length) {
  static const char name[] = "Content-Length:";
  for (const char *line = header; line < end;) {
    if (!strncasecmp(line, name, sizeof name - 1)) {
      const unsigned long long value = strtoull(line + sizeof name - 1, NULL, 10);
      *length = value > MAX_MESSAGE ? 0 : (size_t)value;
      return value <= MAX_MESSAGE;
    }
    const char *next = strstr(line, "\r\n");
    line = next ? next + 2 : end;
  }
  return false;
}

const char *rpc_read(Rpc *rpc, size_t *size) {
  if (rpc->used) {
    memmove(rpc->buffer, rpc->buffer + rpc->used, rpc->size - rpc->used + 1);
    rpc->size -= rpc->used;
    rpc->used = 0;
  }
  const char *end = NULL;
  while (!rpc->size || !(end = strstr(rpc->buffer, "\r\n\r\n")))
    if (rpc->size > MAX_HEADER || !fill(rpc))
      return NULL;
  const size_t begin = (size_t)(end - rpc->buffer) + 4;
  if (!find_length(rpc->buffer, end, size))
    return NULL;
  while (rpc->size - begin < *size)
    if (!fill(rpc))
      return NULL;
  rpc->used = begin + *size;
  return rpc->buffer + begin;
}

bool rpc_comes(const Rpc *rpc, int milliseconds) {
  struct pollfd input = {.fd = rpc->input, .events = POLLIN};
  return rpc->size > rpc->used || poll(&input, 1, milliseconds) != 0;
}

void rpc_write(const char *message, size_t size) {
  printf("Content-Length: %zu\r\n\r\n", size);
  fwrite(message, 1, size, stdout);
  fflush(stdout);
}

void rpc_release(Rpc *rpc) { free(rpc->buffer); }
