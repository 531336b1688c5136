// A document that an editor has open: a model in any format, or a file of queries. It is read
// when something is asked about it and its text has changed since.
#pragma once

#include "model/syntax.h"
#include "plan/service/service_names.h"
#include "plan/service/service_text.h"

#include <jansson.h>

enum { SERVICE_MAX_BYTES = 1 << 29 }; // of memory, for reading one document
#define SERVICE_MAX_SECONDS 2.0

typedef enum ServiceLanguage {
  SERVICE_UPPAAL,
  SERVICE_TCHECKER,
  SERVICE_QUERIES
} ServiceLanguage;

typedef struct ServiceFinding { // of lint
  Place place;
  const char *kind; // as `tarn lint` names it
  const char *text;
  bool is_note, is_unused;
} ServiceFinding;

typedef struct ServiceDocument {
  char *uri, *path; // in the memory of malloc, as the text
  Mem text_mem;
  ServiceText text;
  ServiceLanguage language;
  bool is_read;      // what follows is of the present text
  bool is_published; // its messages were sent
  bool is_saved;     // since it was read: to be looked at by lint
  json_int_t version;
  Mem mem;     // of all that follows
  Arena arena; // of queries
  Source source;
  Net net;
  bool has_model; // it was read without errors
  Report report;
  MessageList messages;
  VEC(ServiceFinding) findings; // of lint
  ServiceNames names;
  const QueryNode *queries;
  Source model_source; // of a file of queries: its model
  ServiceNames model_names;
} ServiceDocument;

// The text of the model beside a file of queries; false if there is none. `name` is set to its
// path.
typedef bool ServiceFind(void *state, const char *path, Mem *, Source *);

ServiceDocument *service_document_open(const char *uri, const char *text, size_t size);
void service_document_close(ServiceDocument *);
void service_document_changed(ServiceDocument *);
// `stop` says that the reading can end: the document then stays unread, and this is false.
bool service_document_read(ServiceDocument *, ServiceFind *, bool (*stop)(void *state),
                           void *state);
