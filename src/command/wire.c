#define _POSIX_C_SOURCE 200809L
#include "command/wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CHUNK = 1 << 16, KEPT = 1 << 20 };

static bool reserve(Bytes *bytes, size_t more) {
  if (bytes->capacity - bytes->size >= more)
    return true;
  const size_t capacity = bytes->capacity / 2 * 3 + more;
  char *grown = realloc(bytes->chars, capacity);
  if (!grown)
    return false;
  bytes->chars = grown;
  bytes->capacity = capacity;
  return true;
}

bool bytes_add(Bytes *bytes, const void *chars, size_t size) {
  if (!reserve(bytes, size))
    return false;
  if (size)
    memcpy(bytes->chars + bytes->size, chars, size);
  bytes->size += size;
  return true;
}

void bytes_release(Bytes *bytes) {
  free(bytes->chars);
  *bytes = (Bytes){0};
}

// Drops what was dealt with; a large buffer is given back once it is empty.
static void drop(Bytes *bytes, size_t count) {
  if (count)
    memmove(bytes->chars, bytes->chars + count, bytes->size - count);
  bytes->size -= count;
  if (!bytes->size && bytes->capacity > KEPT)
    bytes_release(bytes);
}

bool wire_fill(Wire *wire) {
  drop(&wire->in, wire->used);
  wire->seen -= wire->seen > wire->used ? wire->used : wire->seen;
  wire->used = 0;
  if (!reserve(&wire->in, CHUNK))
    return false;
  const ssize_t count = read(wire->file, wire->in.chars + wire->in.size, CHUNK);
  if (count > 0)
    wire->in.size += (size_t)count;
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

static bool find_frame(const Wire *wire, size_t at, Frame *frame, const char **text) {
  if (wire->in.size - at < sizeof *frame)
    return false;
  memcpy(frame, wire->in.chars + at, sizeof *frame);
  *text = wire->in.chars + at + sizeof *frame;
  return wire->in.size - at - sizeof *frame >= frame->size;
}

bool wire_next(Wire *wire, Frame *frame, const char **text) {
  if (!find_frame(wire, wire->used, frame, text))
    return false;
  wire->used += sizeof *frame + frame->size;
  return true;
}

bool wire_look_ahead(Wire *wire, Frame *frame, const char **text) {
  wire->seen = wire->seen > wire->used ? wire->seen : wire->used;
  if (!find_frame(wire, wire->seen, frame, text))
    return false;
  wire->seen += sizeof *frame + frame->size;
  return true;
}

bool wire_put(Wire *wire, FrameKind kind, uint32_t ticket, const char *text, size_t size) {
  const Frame frame = {.size = size, .ticket = ticket, .kind = kind};
  return reserve(&wire->out, sizeof frame + size) &&
         bytes_add(&wire->out, &frame, sizeof frame) && bytes_add(&wire->out, text, size);
}

bool wire_is_flushed(const Wire *wire) { return wire->sent == wire->out.size; }

bool wire_flush(Wire *wire) {
  while (!wire_is_flushed(wire)) {
    const ssize_t count =
        send(wire->file, wire->out.chars + wire->sent, wire->out.size - wire->sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno == EAGAIN;
    wire->sent += (size_t)count;
  }
  drop(&wire->out, wire->sent);
  wire->sent = 0;
  return true;
}

bool wire_flush_all(Wire *wire) {
  while (!wire_is_flushed(wire)) {
    struct pollfd end = {.fd = wire->file, .events = POLLOUT};
    if ((poll(&end, 1, -1) < 0 && errno != EINTR) || !wire_flush(wire))
      return false;
  }
  return true;
}

void wire_release(Wire *wire) {
  if (wire->file > 0)
    close(wire->file);
  bytes_release(&wire->in);
  bytes_release(&wire->out);
}
