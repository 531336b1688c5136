// Streams: from the records of a search another space makes the same nodes, in any cut.
#include "search/workers/stream.h"

#include "spaces.h"

enum { ROOM = 1 << 16 };

static void copy(const char *family, const char *size, bool is_local, uint32_t pieces) {
  Search s;
  const char *arguments[] = {size};
  search_generate(&s, family, 1, arguments);
  assert_true(spaces_explore(&s, is_local, 1));
  Space *to = spaces_new(&s, is_local);
  to->exchange.workers = s.space->exchange.workers = 1;
  s.space->exchange.connect(s.space);
  to->exchange.connect(to);
  const Reach reader = {.space = to};
  uint64_t *bytes = mem_alloc(&s.mem, ROOM + SPACE_SLACK);
  const size_t room = pieces > 1 ? stream_record_bytes(&s.reach) * pieces : ROOM;
  NodeRef next = 0;
  uint32_t stored = 0, all = 0;
  for (size_t size_now; (size_now = stream_write(&s.reach, &next, bytes, room));)
    for (size_t at = 0; at < size_now; at = stream_next(bytes, at)) {
      const StreamRecord *record = stream_at(bytes, at);
      assert_int_equal(record->ref, all++);
      if (!record->is_stored)
        continue;
      stored++;
      assert_true(stream_read(&reader, record));
      const uint64_t *key = spaces_key(&s, record->ref);
      assert_memory_equal(to->key, key, to->key_words * sizeof *key);
      // The zone is the same: each covers the other, in the space that it came from.
      to->exchange.peer = s.space->exchange.peer = 0;
      s.space->load(s.space, key, store_node(&s.reach.store, record->ref)->zone);
      const uint32_t zone = to->keep(to);
      Zones *mine = (Zones *)s.space, *other = (Zones *)to;
      const StoredZone *a = zonetable_at(&mine->table, s.space->zone);
      const StoredZone *b = zonetable_at(&other->table, zone);
      assert_int_equal(a->format, b->format);
      if (!is_local) {
        assert_int_equal(a->k, b->k);
        assert_memory_equal(a->entries, b->entries, packed_bytes(a->k, (PackedFormat)a->format));
      }
    }
  assert_int_equal(all, s.reach.store.nodes.size);
  assert_int_equal(stored, s.stats.stored);
  mem_free(&s.mem, bytes);
  space_release(to);
  search_release(&s);
}

static void test_copies(void **state) {
  (void)state;
  for (uint32_t pieces = 1; pieces < 4; pieces++) {
    copy("fischer", "n=3", false, pieces);
    copy("fischer", "n=3", true, pieces);
    copy("philosophers", "n=3", false, pieces);
    copy("csma", "n=3", true, pieces);
  }
}

SPACES_MAIN("stream", cmocka_unit_test(test_copies))
