// Frames over a socket between `tarn serve` and its engines: a number, a kind, a text.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum FrameKind {
  // To an engine.
  FRAME_MESSAGE, // of JSON-RPC
  FRAME_CANCEL,  // the answer is no longer wanted
  FRAME_GRANT,   // the check may begin
  // From an engine.
  FRAME_WANT,   // a check waits to begin
  FRAME_EVENT,  // a notification
  FRAME_ANSWER, // to the message with this ticket
  FRAME_DONE,   // this message is dealt with
} FrameKind;

typedef struct Frame {
  uint64_t size; // of the text that follows
  uint32_t ticket, kind;
} Frame;

typedef struct Bytes {
  char *chars;
  size_t size, capacity;
} Bytes;

bool bytes_add(Bytes *, const void *, size_t); // false: no memory
void bytes_release(Bytes *);

// One end. Nothing here waits, unless it says so. What was used stays until the next fill.
typedef struct Wire {
  int file; // does not block
  Bytes in, out;
  size_t used, seen, sent; // of `in`: read, looked at; of `out`
} Wire;

bool wire_fill(Wire *);                                   // false: the other end is closed
bool wire_next(Wire *, Frame *, const char **text);       // reads the next frame, if it is whole
bool wire_look_ahead(Wire *, Frame *, const char **text); // each frame once; it stays
bool wire_put(Wire *, FrameKind, uint32_t ticket, const char *text, size_t size);
bool wire_flush(Wire *);     // writes what the other end takes; false: it is closed
bool wire_flush_all(Wire *); // waits
bool wire_is_flushed(const Wire *);
void wire_release(Wire *); // closes the file, too
