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

typedef enum Frame { FRAME_WHOLE, FRAME_PART, FRAME_BAD } Frame;

// The message whose frame begins at an offset; `next` is behind it.
static Frame find_frame(const Rpc *rpc, size_t at, size_t *begin, size_t *size, size_t *next) {
  if (at >= rpc->size)
    return FRAME_PART;
  const char *text = rpc->buffer + at, *end;
  if (rpc->has_lines) {
    end = memchr(text, '\n', rpc->size - at);
    *begin = at;
    *size = end ? (size_t)(end - text) : 0;
    *next = at + *size + 1;
    return end ? FRAME_WHOLE : rpc->size - at > MAX_MESSAGE ? FRAME_BAD : FRAME_PART;
  }
  end = strstr(text, "\r\n\r\n");
  if (!end)
    return rpc->size - at > MAX_HEADER ? FRAME_BAD : FRAME_PART;
  *begin = (size_t)(end - rpc->buffer) + 4;
  if (!find_length(text, end, size))
    return FRAME_BAD;
  *next = *begin + *size;
  return rpc->size < *next ? FRAME_PART : FRAME_WHOLE;
}

const char *rpc_read(Rpc *rpc, size_t *size) {
  if (rpc->used) {
    memmove(rpc->buffer, rpc->buffer + rpc->used, rpc->size - rpc->used + 1);
    rpc->size -= rpc->used;
    rpc->seen -= rpc->seen > rpc->used ? rpc->used : rpc->seen;
    rpc->used = 0;
  }
  size_t begin;
  for (;;) {
    const Frame frame = find_frame(rpc, 0, &begin, size, &rpc->used);
    if (frame == FRAME_WHOLE)
      return rpc->buffer + begin;
    rpc->used = 0;
    if (frame == FRAME_BAD || !fill(rpc))
      return NULL;
  }
}

void rpc_look_ahead(Rpc *rpc, void *state,
                    void (*show)(void *state, const char *message, size_t)) {
  struct pollfd input = {.fd = rpc->input, .events = POLLIN};
  size_t begin, size, next;
  while (poll(&input, 1, 0) > 0 && rpc->size < MAX_MESSAGE && fill(rpc)) {
  }
  rpc->seen = rpc->seen > rpc->used ? rpc->seen : rpc->used;
  while (find_frame(rpc, rpc->seen, &begin, &size, &next) == FRAME_WHOLE) {
    show(state, rpc->buffer + begin, size);
    rpc->seen = next;
  }
}

bool rpc_comes(const Rpc *rpc, int milliseconds) {
  struct pollfd input = {.fd = rpc->input, .events = POLLIN};
  return rpc->size > rpc->used || poll(&input, 1, milliseconds) != 0;
}

void rpc_write(const Rpc *rpc, const char *message, size_t size) {
  if (!rpc->has_lines)
    printf("Content-Length: %zu\r\n\r\n", size);
  fwrite(message, 1, size, stdout);
  if (rpc->has_lines)
    putchar('\n');
  fflush(stdout);
}

void rpc_release(Rpc *rpc) { free(rpc->buffer); }
