// The request that is being answered: whether its client has cancelled it, and the progress that
// the client is told. The caller passes messages that arrive meanwhile to service_work_notice.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ServiceWork {
  // Set by the owner.
  void *state;
  void (*send)(void *state, json_t *message); // takes the message
  void *poll_state;
  void (*poll)(void *state); // looks for messages; NULL: none come meanwhile
  bool makes_tokens;         // the client lets the server begin progress of its own
  // Of the present request.
  json_t *id; // NULL: there is none
  bool is_cancelled;
  bool has_change;       // a document changes
  json_t *token;         // of progress; NULL: not wanted
  bool is_mcp;           // tokens as the Model Context Protocol has them
  bool waits, has_begun; // for the client to accept the token; told so
  const char *title;
  double polled, told;
  double step;       // of progress
  uint64_t tokens;   // made so far
  json_t *cancelled; // ids of requests that have not begun
} ServiceWork;

void service_work_release(ServiceWork *);
// Begins a request. False if it was cancelled already.
bool service_work_begin(ServiceWork *, json_t *id);
void service_work_end(ServiceWork *);
// Tells progress from now on: to the token of the parameters or, if that is NULL, to a new one.
void service_work_tell(ServiceWork *, json_t *token, const char *title);
// Called often during the work, with the number of visited states, or 0: true if it can stop.
bool service_work_stops(ServiceWork *, double visited);
// Looks at a message that will be received later.
void service_work_notice(ServiceWork *, const char *message, size_t size);
// The cancelling message itself has come.
void service_work_forget(ServiceWork *, const json_t *id);
