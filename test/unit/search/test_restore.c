// Restoring: a search that goes on from a checkpoint stores what it would have stored, in both
// notions of time, whatever the moment, with other numbers of threads and processes; another
// search and damaged parts are refused.
#define _POSIX_C_SOURCE 200809L
#include "search/save/restore.h"

#include "fakelink.h"
#include "saved.h"
#include "search/passed/nodes.h"
#include "search/save/savefile.h"
#include "search/workers/stream.h"

#include <pthread.h>
#include <stddef.h>

enum { MAX_RANKS = 3 };

typedef struct Player { // one rank, or the only process
  Link *link;
  bool is_local, is_resumed;
  uint32_t threads;
  int polls;
  Checkpoint checkpoint;
  Search s;
} Player;

static uint64_t whole_stored(bool is_local) {
  static uint64_t stored[2];
  if (!stored[is_local]) {
    Search s;
    saved_begin(&s, is_local, NULL, 1, NULL);
    assert_int_equal(reach_run(&s.reach), REACH_NONE);
    stored[is_local] = s.stats.stored;
    search_release(&s);
  }
  return stored[is_local];
}

static void *explore(void *context) {
  Player *p = context;
  Text why = {.mem = &p->s.mem};
  saved_begin(&p->s, p->is_local, &p->checkpoint, p->threads, p->link);
  if (p->is_resumed && !restore_read(&p->s.reach, p->checkpoint.folder, &why)) {
    fprintf(stderr, "%s\n", text_chars(&why));
    abort();
  }
  text_release(&why);
  MemWatch watch = {.reached = saved_stop, .state = &p->polls};
  if (p->polls >= 0 && (!p->link || !p->link->rank))
    mem_watch(&p->s.mem, &watch);
  p->s.result = reach_run(&p->s.reach);
  return NULL;
}

// A search by that many ranks, 1: no link. What it stores goes to *stored.
static ReachResult play(const Player *pattern, uint32_t ranks, uint64_t *stored) {
  static Player players[MAX_RANKS];
  pthread_t threads[MAX_RANKS];
  Link *link = ranks > 1 ? fakelink_new(ranks) : NULL;
  for (uint32_t i = 0; i < ranks; i++) {
    players[i] = *pattern;
    players[i].checkpoint.head = i ? NULL : "of this\n";
    players[i].link = link ? fakelink_at(link, i) : NULL;
  }
  for (uint32_t i = 1; i < ranks; i++)
    pthread_create(&threads[i], NULL, explore, &players[i]);
  explore(&players[0]);
  for (uint32_t i = 1; i < ranks; i++)
    pthread_join(threads[i], NULL);
  const ReachResult result = players[0].s.result;
  *stored = players[0].s.stats.stored;
  for (uint32_t i = 0; i < ranks; i++)
    search_release(&players[i].s);
  if (link)
    fakelink_release(link);
  return result;
}

// From ranks with threads each to others, stopped after some looks.
static void resume(bool is_local, uint32_t ranks, uint32_t threads, uint32_t later_ranks,
                   uint32_t later_threads, int polls) {
  char folder[SAVED_PATH];
  saved_make(folder);
  Player player = {.is_local = is_local,
                   .threads = threads,
                   .polls = polls,
                   .checkpoint = {.folder = folder, .every = polls % 3 ? 0 : 1000}};
  uint64_t stored;
  ReachResult result = play(&player, ranks, &stored);
  if (result == REACH_STOPPED) {
    player.threads = later_threads;
    player.is_resumed = true;
    player.polls = -1;
    player.checkpoint.every = polls % 2 ? 0 : 1000;
    result = play(&player, later_ranks, &stored);
  }
  assert_int_equal(result, REACH_NONE);
  assert_int_equal(stored, whole_stored(is_local));
  saved_remove(folder);
}

static void test_alone(void **state) {
  (void)state;
  for (int polls = 0; polls < 12; polls++)
    for (int is_local = 0; is_local < 2; is_local++)
      resume(is_local, 1, 1, 1, 1, polls);
}

static void test_threads(void **state) {
  (void)state;
  for (int polls = 0; polls < 6; polls++)
    for (int is_local = 0; is_local < 2; is_local++) {
      resume(is_local, 1, 2, 1, 2, polls);
      resume(is_local, 1, 1, 1, 3, polls);
      resume(is_local, 1, 3, 1, 1, polls);
      resume(is_local, 1, 2, 1, 4, polls);
    }
}

static void test_ranks(void **state) {
  (void)state;
  for (int polls = 0; polls < 4; polls++)
    for (int is_local = 0; is_local < 2; is_local++) {
      resume(is_local, 2, 1, 2, 1, polls);
      resume(is_local, 3, 2, 1, 1, polls);
      resume(is_local, 1, 2, 3, 1, polls);
      resume(is_local, 2, 2, 3, 1, polls);
    }
}

// What the caller had learnt before is known again.
static void test_doubt(void **state) {
  (void)state;
  for (int is_doubtful = 0; is_doubtful < 2; is_doubtful++) {
    char folder[SAVED_PATH];
    saved_make(folder);
    int polls = 2;
    bool before = is_doubtful, after = false;
    Checkpoint checkpoint = {.folder = folder, .every = 1000, .head = "of this\nand that\n"};
    Checkpoint later = checkpoint;
    checkpoint.doubtful = &before;
    later.doubtful = &after;
    Search first, second;
    saved_begin(&first, false, &checkpoint, 1, NULL);
    MemWatch watch = {.reached = saved_stop, .state = &polls};
    mem_watch(&first.mem, &watch);
    assert_int_equal(reach_run(&first.reach), REACH_STOPPED);
    saved_begin(&second, false, &later, 1, NULL);
    Text why = {.mem = &second.mem};
    assert_true(restore_is_of(&second.mem, folder, "\nand that\n"));
    assert_false(restore_is_of(&second.mem, folder, "\nand this\n"));
    assert_false(restore_is_of(&second.mem, "/nowhere", "and"));
    assert_true(restore_read(&second.reach, folder, &why));
    assert_int_equal(after, is_doubtful);
    text_release(&why);
    search_release(&first);
    search_release(&second);
    saved_remove(folder);
  }
}

// Every way to a node is still there, and the counts go on.
static void test_nodes(void **state) {
  (void)state;
  char folder[SAVED_PATH];
  saved_make(folder);
  int polls = 4;
  Checkpoint checkpoint = {.folder = folder, .every = 1000, .head = "of this\n"};
  Checkpoint later = checkpoint;
  Search first, second;
  Text why = {0};
  saved_begin(&first, false, &checkpoint, 2, NULL);
  MemWatch watch = {.reached = saved_stop, .state = &polls};
  mem_watch(&first.mem, &watch);
  assert_int_equal(reach_run(&first.reach), REACH_STOPPED);
  saved_begin(&second, false, &later, 3, NULL);
  why.mem = &second.mem;
  assert_true(restore_read(&second.reach, folder, &why));
  assert_non_null(strstr(text_chars(&why), "by 2 workers, for 3 now"));
  assert_int_equal(second.stats.visited, first.stats.visited);
  uint32_t stored = 0;
  for (NodeRef ref = 0; ref < nodes_limit(&second.reach); ref++) {
    const Node *node = nodes_at(&second.reach, ref);
    if (!node)
      continue;
    stored += node->is_stored;
    Ordinals ordinals = {0};
    second.reach.goal_parent = ref;
    nodes_path(&second.reach, &second.mem, &ordinals);
    assert_true(ordinals.size > 0);
    vec_release(&second.mem, &ordinals);
  }
  assert_int_equal(stored, first.stats.stored);
  second.reach.goal_parent = NODE_NONE;
  assert_int_equal(reach_run(&second.reach), REACH_NONE);
  for (uint32_t i = 0; i < 3; i++)
    assert_true(store_ok(&second.reach.peers->members[i]->store));
  text_release(&why);
  search_release(&second);
  search_release(&first);
  saved_remove(folder);
}

// Reads the checkpoint; it must not be accepted, for a reason with this text.
static void refuse(const char *folder, const char *head, const char *reason) {
  Checkpoint checkpoint = {.head = head};
  Search s;
  saved_begin(&s, false, &checkpoint, 2, NULL);
  Text why = {.mem = &s.mem};
  assert_false(restore_read(&s.reach, folder, &why));
  if (!strstr(text_chars(&why), reason))
    fail_msg("%s", text_chars(&why));
  text_release(&why);
  search_release(&s);
}

static void flip(const char *path, long at) {
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  assert_int_equal(fseek(file, at, SEEK_SET), 0);
  const int byte = fgetc(file);
  assert_int_equal(fseek(file, at, SEEK_SET), 0);
  fputc(byte ^ 4, file);
  fclose(file);
}

// Each file, with a bit changed, cut off, and gone.
static void damage(const char *folder, const char *file) {
  char path[1600], kept[1600];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  snprintf(kept, sizeof kept, "%s/kept", folder);
  const long places[] = {3, 30, 40};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    flip(path, places[i]);
    refuse(folder, "of this\n", "damaged");
    flip(path, places[i]);
  }
  assert_int_equal(rename(path, kept), 0);
  refuse(folder, "of this\n", "No such file");
  FILE *from = fopen(kept, "rb"), *to = fopen(path, "wb");
  for (int i = 0; i < 40; i++)
    fputc(fgetc(from), to);
  fclose(from);
  fclose(to);
  refuse(folder, "of this\n", "damaged");
  assert_int_equal(rename(kept, path), 0);
}

static void test_refused(void **state) {
  (void)state;
  char folder[SAVED_PATH], files[3][300];
  uint32_t count = 0;
  uint64_t stored;
  saved_make(folder);
  Player player = {.threads = 2, .polls = 4, .checkpoint = {.folder = folder, .every = 1000}};
  assert_int_equal(play(&player, 1, &stored), REACH_STOPPED);
  refuse(folder, "of that\n", "it is of `of this`, and this search of `of that`");
  DIR *list = opendir(folder);
  for (const struct dirent *entry; (entry = readdir(list));)
    if (entry->d_name[0] != '.' && count < 3)
      snprintf(files[count++], sizeof *files, "%s", entry->d_name);
  closedir(list);
  assert_int_equal(count, 3);
  for (uint32_t i = 0; i < count; i++)
    damage(folder, files[i]);
  saved_remove(folder);
}

// Goes on from it if it is accepted, for a while. Whether it is refused.
static bool is_refused(bool is_local, const char *folder) {
  Checkpoint checkpoint = {.head = "of this\n"};
  int polls = 3;
  Search s;
  saved_begin(&s, is_local, &checkpoint, 1, NULL);
  Text why = {.mem = &s.mem};
  const bool ok = restore_read(&s.reach, folder, &why);
  MemWatch watch = {.reached = saved_stop, .state = &polls};
  mem_watch(&s.mem, &watch);
  if (ok)
    reach_run(&s.reach);
  text_release(&why);
  search_release(&s);
  return !ok;
}

enum { MAX = 1 << 16 };
typedef struct Forgery { // of the only part of a checkpoint
  char folder[SAVED_PATH], path[1600];
  char bytes[MAX];
  size_t size; // without the checksum
} Forgery;

// The checkpoint of a search by one worker.
static void begin_forgery(Forgery *f, bool is_local) {
  uint64_t stored;
  saved_make(f->folder);
  Player player = {.is_local = is_local,
                   .threads = 1,
                   .polls = 4,
                   .checkpoint = {.folder = f->folder, .every = 1000}};
  assert_int_equal(play(&player, 1, &stored), REACH_STOPPED);
  DIR *list = opendir(f->folder);
  for (const struct dirent *entry; (entry = readdir(list));)
    if (strstr(entry->d_name, "tarn.checkpoint."))
      snprintf(f->path, sizeof f->path, "%s/%s", f->folder, entry->d_name);
  closedir(list);
  FILE *file = fopen(f->path, "rb");
  assert_non_null(file);
  f->size = fread(f->bytes, 1, MAX, file) - sizeof(uint64_t);
  fclose(file);
}

// Writes the part with the right checksum.
static void forge(const Forgery *f, const void *bytes, size_t size) {
  static SaveFile save;
  assert_true(savefile_create(&save, f->path));
  savefile_put(&save, bytes, size);
  assert_int_equal(savefile_finish(&save), 0);
}

static size_t bits_end(const Forgery *f) {
  CheckpointPart part;
  memcpy(&part, f->bytes + strlen(CHECKPOINT_PART), sizeof part);
  return strlen(CHECKPOINT_PART) + sizeof part + (part.nodes + 3) / 4;
}

// What another program wrote wrong, with the right checksum, does no harm: at each place in turn
// words that are as large as can be.
static void test_forged(void **state) {
  (void)state;
  enum { PLACES = 150 };
  static Forgery f;
  static char forged[MAX];
  for (int is_local = 0; is_local < 2; is_local++) {
    uint32_t refused = 0;
    begin_forgery(&f, is_local);
    for (size_t i = 0; i < PLACES; i++) {
      const size_t at = i * f.size / PLACES / sizeof(uint32_t) * sizeof(uint32_t);
      memcpy(forged, f.bytes, f.size);
      memset(forged + at, i % 2 ? 0xff : 0x7f, sizeof(uint32_t));
      forge(&f, forged, f.size);
      refused += is_refused(is_local, f.folder);
    }
    assert_true(refused > PLACES / 4);
    // Without its nodes: states would be missing.
    const size_t end = bits_end(&f);
    memcpy(forged, f.bytes, end);
    memset(forged + end, 0, sizeof(uint64_t));
    forge(&f, forged, end + sizeof(uint64_t));
    assert_true(is_refused(is_local, f.folder));
    saved_remove(f.folder);
  }
}

// So does a node that descends from itself, where an order or a run would never come to an end.
// A parent may well be younger.
static void test_parents(void **state) {
  (void)state;
  enum { NODES = 40 };
  static Forgery f;
  size_t at[NODES];
  begin_forgery(&f, false);
  at[0] = bits_end(&f) + sizeof(uint64_t); // behind the size of the piece
  for (uint32_t i = 1; i < NODES; i++) {
    StreamRecord record;
    memcpy(&record, f.bytes + at[i - 1], sizeof record);
    at[i] = at[i - 1] + sizeof record + record.bytes;
  }
  const size_t field = offsetof(StreamRecord, parent);
  for (uint32_t i = 0; i < NODES; i++) {
    char *parent = f.bytes + at[i] + field;
    NodeRef is, forged[] = {i, NODE_NONE - 1, NODE_NONE};
    memcpy(&is, parent, sizeof is);
    for (uint32_t k = 0; k < 3; k++) {
      memcpy(parent, &forged[k], sizeof is);
      forge(&f, f.bytes, f.size);
      assert_int_equal(is_refused(false, f.folder), k < 2);
    }
    memcpy(parent, &is, sizeof is);
    if (is == NODE_NONE)
      continue;
    // Its parent becomes its child, which is a loop, unless it is itself an initial node then.
    char *above = f.bytes + at[is] + field;
    NodeRef was;
    memcpy(&was, above, sizeof was);
    memcpy(above, &i, sizeof i);
    forge(&f, f.bytes, f.size);
    assert_true(is_refused(false, f.folder));
    memcpy(parent, &forged[2], sizeof is);
    forge(&f, f.bytes, f.size);
    assert_false(is_refused(false, f.folder));
    memcpy(above, &was, sizeof was);
    memcpy(parent, &is, sizeof is);
  }
  saved_remove(f.folder);
}

SPACES_MAIN("restore", cmocka_unit_test(test_alone), cmocka_unit_test(test_threads),
            cmocka_unit_test(test_ranks), cmocka_unit_test(test_doubt),
            cmocka_unit_test(test_nodes), cmocka_unit_test(test_refused),
            cmocka_unit_test(test_forged), cmocka_unit_test(test_parents))
