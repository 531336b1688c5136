// Searches that write checkpoints, for tests of search/save/checkpoint.h and
// search/save/restore.h.
#pragma once

#include "search/save/checkpoint.h"
#include "search/workers/workers.h"
#include "spaces.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAVED_PATH = 40 };

// A new folder, in memory if there is one there: the tests write many files.
static inline void saved_make(char *folder) {
  strcpy(folder, "/dev/shm/test_saved-XXXXXX");
  if (mkdtemp(folder))
    return;
  strcpy(folder, "/tmp/test_saved-XXXXXX");
  assert_non_null(mkdtemp(folder));
}

// For a MemWatch: ends a search after some looks.
static inline const char *saved_stop(void *state) {
  return --*(int *)state < 0 ? "interrupted" : NULL;
}

// Fischer's protocol, by so many workers of this process and of those that the link leads to.
static inline void saved_begin(Search *s, bool is_local, Checkpoint *checkpoint, uint32_t workers,
                               Link *link) {
  const char *arguments[] = {"n=4"};
  search_generate(s, "fischer", 1, arguments);
  s->space = spaces_new(s, is_local);
  reach_init(&s->reach, &s->mem, s->space, ORDER_STAGES, &s->stats);
  if (workers > 1 || link)
    workers_divide(&s->reach, workers, ORDER_STAGES, link);
  if (checkpoint)
    checkpoint_attach(&s->reach, checkpoint);
}

static inline void saved_remove(const char *folder) {
  DIR *list = opendir(folder);
  for (const struct dirent *entry; (entry = readdir(list));) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    unlink(path);
  }
  closedir(list);
  rmdir(folder);
}
