// Machines: processes that search together, on one machine or several (base/link.h).
//
// Rank 0 talks to the user: it reads the model and starts the searches. The others know only what
// it tells them. They have no options, read no files, print nothing and leave signals to rank 0
// (plan/serving.h).
#pragma once

#include "plan/checking.h"

enum { SAY_END, SAY_MODEL, SAY_SEARCH };
// The texts of a model, and of a search.
enum { SAY_NAME, SAY_TEXT, SAY_DEFINE };
enum { SAY_QUERY, SAY_DISK, SAY_CHECKPOINT, SAY_RESUME, SAY_TEXTS };

// What rank 0 says; texts follow, each with its zero.
typedef struct Said {
  uint32_t kind;             // one of these, RANKS_ASK or RANKS_WRITE
  uint32_t bytes[SAY_TEXTS]; // of each text; 0: there is none
  bool has_query, is_labels;
  bool has_certificate;
  Options options; // but for the names of files
} Said;

const char *machines_text(const Said *, uint32_t text); // NULL: there is none

// Tells the others that there is nothing more to do.
void machines_leave(Tarn *);

// Before a search: the link to those that take part, who prepare it as well; NULL if it is for
// this process alone.
Link *machines_begin(Check *, const Options *, uint64_t max_visited, uint32_t threads);
// When it is prepared, or cannot be: whether it is in all processes. If memory ran out in another
// one, it is as if it had here. A process that is not awaited does not ask.
bool machines_agree(Check *, bool ok);
