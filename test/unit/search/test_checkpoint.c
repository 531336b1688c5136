// Checkpoints: a search that goes on from one stores what it would have stored, in both notions
// of time, whatever the moment; another search is refused.
#define _POSIX_C_SOURCE 200809L
#include "search/checkpoint.h"

#include "spaces.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int stop(void *state) { return --*(int *)state < 0; }

static void begin(Search *s, bool is_local, Checkpoint *checkpoint) {
  const char *arguments[] = {"n=4"};
  search_generate(s, "fischer", 1, arguments);
  s->space = spaces_new(s, is_local);
  reach_init(&s->reach, &s->mem, s->space, ORDER_STAGES, &s->stats);
  if (checkpoint)
    checkpoint_attach(&s->reach, checkpoint);
}

static void resume(bool is_local, const char *folder, int polls) {
  Checkpoint checkpoint = {.folder = folder, .every = 1000, .head = "of this\n"};
  Checkpoint other = {.head = "of that\n"};
  Search whole, first, second;
  begin(&whole, is_local, NULL);
  assert_int_equal(reach_run(&whole.reach), REACH_NONE);
  begin(&first, is_local, &checkpoint);
  first.reach.terminate = stop;
  first.reach.terminate_state = &polls;
  const ReachResult result = reach_run(&first.reach);
  if (result == REACH_STOPPED) {
    assert_int_equal(checkpoint.written, 1);
    Text why = {.mem = &whole.mem};
    begin(&second, is_local, &other);
    assert_false(checkpoint_read(&second.reach, folder, &why));
    assert_non_null(strstr(text_chars(&why), "it is of `of this`"));
    search_release(&second);
    text_clear(&why);
    begin(&second, is_local, &checkpoint);
    assert_true(checkpoint_read(&second.reach, folder, &why));
    assert_int_equal(second.stats.stored, first.stats.stored);
    assert_int_equal(reach_run(&second.reach), REACH_NONE);
    assert_int_equal(second.stats.stored, whole.stats.stored);
    assert_int_equal(second.stats.visited, second.stats.stored + second.stats.mistakes);
    assert_true(store_ok(&second.reach.store));
    text_release(&why);
    search_release(&second);
  }
  search_release(&first);
  search_release(&whole);
}

static void test_resume(void **state) {
  (void)state;
  char folder[] = "/tmp/test_checkpoint-XXXXXX", path[100];
  assert_non_null(mkdtemp(folder));
  for (int polls = 0; polls < 12; polls++) {
    resume(false, folder, polls);
    resume(true, folder, polls);
  }
  snprintf(path, sizeof path, "%s/tarn.checkpoint", folder);
  unlink(path);
  rmdir(folder);
}

SPACES_MAIN("checkpoint", cmocka_unit_test(test_resume))
