// Checkpoints: they are written when it is time for one and when the search is stopped, by one
// worker and by several; the parts of the last one are there, and no others.
#define _POSIX_C_SOURCE 200809L
#include "search/save/checkpoint.h"

#include "saved.h"
#include "search/save/restore.h"

#include <dirent.h>
#include <sys/stat.h>

static uint32_t count_files(const char *folder) {
  uint32_t count = 0;
  DIR *list = opendir(folder);
  for (const struct dirent *entry; (entry = readdir(list));)
    count += entry->d_name[0] != '.';
  closedir(list);
  return count;
}

static void save(uint32_t workers, int polls, double every) {
  char folder[SAVED_PATH];
  saved_make(folder);
  Checkpoint checkpoint = {.folder = folder, .every = every, .head = "of this\n"};
  Search s;
  saved_begin(&s, false, &checkpoint, workers, NULL);
  MemWatch watch = {.reached = saved_stop, .state = &polls};
  mem_watch(&s.mem, &watch);
  const ReachResult result = reach_run(&s.reach);
  if (result == REACH_STOPPED)
    assert_true(checkpoint.written);
  assert_int_equal(checkpoint.error, 0);
  assert_true(checkpoint.length <= checkpoint.written);
  assert_int_equal(count_files(folder), checkpoint.written ? checkpoint.length * workers + 1 : 0);
  if (every == 0)
    assert_true(checkpoint.written > 1 && checkpoint.seconds > 0);
  search_release(&s);
  saved_remove(folder);
}

static void test_written(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers < 4; workers++) {
    for (int polls = 0; polls < 6; polls++)
      save(workers, polls, 1000);
    save(workers, 1 << 20, 0);
  }
}

// A folder that is not there: the search goes on, with an error.
static void test_error(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers < 4; workers += 2) {
    Checkpoint checkpoint = {.folder = "/tmp/test_checkpoint/none", .head = "of this\n"};
    Search s;
    saved_begin(&s, false, &checkpoint, workers, NULL);
    assert_int_equal(reach_run(&s.reach), REACH_NONE);
    assert_int_not_equal(checkpoint.error, 0);
    assert_int_equal(checkpoint.written, 0);
    search_release(&s);
  }
}

static bool try_saving(Search *s, size_t more) {
  jmp_buf escape;
  s->mem.limit = s->mem.bytes + more;
  s->mem.escape = &escape;
  const bool ok = !setjmp(escape);
  if (ok)
    s->reach.saver->save(&s->reach, true);
  s->mem.limit = 0;
  s->mem.escape = NULL;
  return ok;
}

static bool try_restoring(const Checkpoint *of, size_t more) {
  Checkpoint checkpoint = {.folder = of->folder, .every = 1000, .head = of->head};
  Search s;
  jmp_buf escape;
  saved_begin(&s, false, &checkpoint, 1, NULL);
  Text why = {.mem = &s.mem};
  s.mem.limit = s.mem.bytes + more;
  s.mem.escape = &escape;
  const bool ok = !setjmp(escape);
  if (ok)
    assert_true(restore_read(&s.reach, checkpoint.folder, &why));
  reading_release(&s.reading);
  mem_release(&s.mem);
  return ok;
}

// Where memory ends while a checkpoint is written or read, its files are closed.
static void test_memory(void **state) {
  (void)state;
  char folder[SAVED_PATH];
  saved_make(folder);
  int polls = 3;
  Checkpoint checkpoint = {.folder = folder, .every = 1000, .head = "of this\n"};
  Search s;
  saved_begin(&s, false, &checkpoint, 1, NULL);
  MemWatch watch = {.reached = saved_stop, .state = &polls};
  mem_watch(&s.mem, &watch);
  assert_int_equal(reach_run(&s.reach), REACH_STOPPED);
  const uint32_t before = count_files("/proc/self/fd");
  uint32_t saved = 0, restored = 0;
  for (size_t more = 1000; more < 20000000; more += more / 3) {
    saved += try_saving(&s, more);
    restored += try_restoring(&checkpoint, more);
  }
  assert_true(saved > 0 && saved < 25);
  assert_true(restored > 0 && restored < 25);
  assert_int_equal(count_files("/proc/self/fd"), before);
  reading_release(&s.reading);
  mem_release(&s.mem); // with what the jumps left
  saved_remove(folder);
}

SPACES_MAIN("checkpoint", cmocka_unit_test(test_written), cmocka_unit_test(test_error),
            cmocka_unit_test(test_memory))
