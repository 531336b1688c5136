// The language service: a server of the Language Server Protocol 3.17 without its streams. One
// message of JSON-RPC 2.0 comes in; its answers go out through a callback. All state is in the
// Service; any input is safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct json_t;
typedef struct Service Service;

// A query that is to be decided.
typedef struct ServiceCheck {
  const char *name, *text; // of the model
  const char *query;
  const char *what;                      // "check", "run" or "page"
  const char *time_limit, *memory_limit; // values of these options
  void *state;
  int (*stop)(void *state, double visited); // called often; not 0: the check can end
} ServiceCheck;

typedef struct ServiceCalls {
  void *state;
  void (*send)(void *state, const char *message, size_t size);
  // Decides a query of a model: the answer as JSON, which is freed by free(), or NULL.
  char *(*check)(const ServiceCheck *);
  // Answers a method `tarn/...`: the result as JSON, freed by free(); NULL, with the reason in
  // `why`, which is valid until the next call.
  void *desk;
  char *(*call)(void *desk, const char *method, const struct json_t *params, const char **why);
  void (*end)(void *desk);
  struct Mcp *mcp; // a server for assistants instead; the service frees it
} ServiceCalls;

Service *service_new(const ServiceCalls *); // NULL: no memory
void service_release(Service *);
// Limits of each request, for clients and the desk (0: none).
void service_set_limits(Service *, double seconds, unsigned mib);
void *service_desk(const Service *);
// 0: go on; 1: the client has said `exit` after `shutdown`; 2: without it.
int service_receive(Service *, const char *message, size_t size);
// Called during long requests: looks for messages, and shows each to service_notice. They are
// received later all the same.
void service_set_poll(Service *, void *state, void (*poll)(void *state));
void service_notice(Service *, const char *message, size_t size);
// Sends what can wait until there is time: diagnostics of changed documents.
void service_idle(Service *);
bool service_waits(const Service *); // there is something that can wait
