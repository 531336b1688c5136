// Messages with a header, as the Language Server Protocol frames them:
// `Content-Length: 12\r\n\r\n{"id":1,...}`.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Rpc {
  int input; // file descriptor
  char *buffer;
  size_t size, capacity;
  size_t used;    // of the message that was returned last
  size_t seen;    // up to where messages were looked at ahead
  bool has_lines; // each message is one line, as the Model Context Protocol frames them
} Rpc;

// The next message, which is valid until the next call; NULL at the end of the input, or if it is
// no message. Waits for it.
const char *rpc_read(Rpc *, size_t *size);
// Whether the beginning of another message comes within so many milliseconds.
bool rpc_comes(const Rpc *, int milliseconds);
// Reads what has come, without waiting, and shows the messages behind the last one, each once.
void rpc_look_ahead(Rpc *, void *state, void (*show)(void *state, const char *message, size_t));
void rpc_write(const Rpc *, const char *message, size_t size); // to standard output
void rpc_release(Rpc *);
