#define _POSIX_C_SOURCE 200809L
#include "search/checkpoint.h"

#include "base/timer.h"
#include "search/crew.h"
#include "search/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static const char name[] = "tarn.checkpoint", magic[] = "tarn checkpoint 1\n";
enum { PIECE = 1 << 18, MOST_HEAD = 1 << 20, BLOCK = 1 << 14 };

static bool is_due(const Reach *reach) {
  return timer_seconds() - reach->checkpoint->last > reach->checkpoint->every;
}

static uint32_t count_members(const Reach *reach) { return reach->crew ? reach->crew->count : 1; }

static Reach *member(Reach *reach, uint32_t number) {
  return reach->crew ? reach->crew->members[number] : reach;
}

// Dictionaries of zones begin anew with each file.
static void connect(Reach *first) {
  Space *space = first->space;
  const struct Partition *partition = space->exchange.partition;
  const uint32_t workers = space->exchange.workers;
  if (!workers)
    space->exchange.workers = 1;
  space->exchange.connect(space);
  space->exchange.partition = partition;
  space->exchange.workers = workers;
}

static size_t piece_bytes(const Reach *reach) {
  const size_t least = stream_record_bytes(reach);
  return least > PIECE ? least : PIECE;
}

// Bytes are written and hashed in blocks of one size, the last of which is shorter.
typedef struct Output {
  FILE *file;
  uint64_t hash;
  size_t used;
  char block[BLOCK];
} Output;

static void put_block(Output *out) {
  fwrite(out->block, 1, out->used, out->file);
  out->hash = XXH3_64bits_withSeed(out->block, out->used, out->hash);
  out->used = 0;
}

static void put(Output *out, const void *bytes, size_t size) {
  const char *from = bytes;
  while (size) {
    const size_t room = BLOCK - out->used, part = size < room ? size : room;
    memcpy(out->block + out->used, from, part);
    out->used += part;
    from += part;
    size -= part;
    if (out->used == BLOCK)
      put_block(out);
  }
}

static void put_size(Output *out, uint64_t size) { put(out, &size, sizeof size); }

static void put_nodes(Output *out, Reach *reach, char *piece) {
  NodeRef next = 0;
  size_t size;
  connect(reach);
  put_size(out, reach->store.nodes.size);
  do {
    size = stream_write(reach, &next, true, 1, piece, piece_bytes(reach));
    put_size(out, size);
    put(out, piece, size);
  } while (size);
}

static Statistics sum_up(Reach *reach) {
  Statistics sum = {0};
  for (uint32_t i = 0; i < count_members(reach); i++) {
    const Statistics *stats = member(reach, i)->stats;
#define STAT(field, scope, help) sum.field += stats->field;
    STATISTICS(STAT)
#undef STAT
  }
  sum.seconds = timer_seconds() - reach->start;
  return sum;
}

static bool write_all(Reach *reach, FILE *file) {
  Mem *mem = reach->mem;
  const Statistics stats = sum_up(reach);
  Output out = {.file = file};
  put(&out, magic, sizeof magic - 1);
  put_size(&out, strlen(reach->checkpoint->head));
  put(&out, reach->checkpoint->head, strlen(reach->checkpoint->head));
  put(&out, &stats, sizeof stats);
  put_size(&out, count_members(reach));
  char *piece = mem_alloc(mem, piece_bytes(reach) + SPACE_SLACK);
  for (uint32_t i = 0; i < count_members(reach); i++)
    put_nodes(&out, member(reach, i), piece);
  mem_free(mem, piece);
  if (out.used)
    put_block(&out);
  fwrite(&out.hash, 1, sizeof out.hash, file);
  return !ferror(file) && !fflush(file) && !fsync(fileno(file));
}

static void path_of(Text *path, const char *folder, const char *suffix) {
  text_addf(path, "%s/%s%s", folder, name, suffix);
}

// What a rename changed is on the disk, too.
static void sync_folder(const char *folder) {
  const int descriptor = open(folder, O_RDONLY);
  if (descriptor < 0)
    return;
  fsync(descriptor);
  close(descriptor);
}

static void save(Reach *reach) {
  Checkpoint *checkpoint = reach->checkpoint;
  Text path = {.mem = reach->mem}, fresh = {.mem = reach->mem};
  path_of(&path, checkpoint->folder, "");
  path_of(&fresh, checkpoint->folder, ".new");
  FILE *file = fopen(text_chars(&fresh), "wb");
  bool ok = file && write_all(reach, file);
  ok = file && !fclose(file) && ok;
  if (ok && !rename(text_chars(&fresh), text_chars(&path))) {
    sync_folder(checkpoint->folder);
    checkpoint->written++;
  } else if (!checkpoint->error) {
    checkpoint->error = errno ? errno : EIO;
  }
  text_release(&path);
  text_release(&fresh);
  checkpoint->last = timer_seconds();
}

static const Saver saver = {.is_due = is_due, .save = save};

void checkpoint_attach(Reach *reach, Checkpoint *checkpoint) {
  checkpoint->last = timer_seconds();
  reach->checkpoint = checkpoint;
  reach->saver = checkpoint->folder ? &saver : NULL;
}

typedef struct Input {
  FILE *file;
  Text *why;
} Input;

static bool get(Input *in, void *bytes, size_t size) {
  return fread(bytes, 1, size, in->file) == size;
}

static bool get_size(Input *in, uint64_t *size) { return get(in, size, sizeof *size); }

// All bytes but the last 8 have the checksum that these are.
static bool is_whole(Input *in) {
  static const char damaged[] = "it is damaged: the checksum is not that of its contents";
  char block[BLOCK];
  uint64_t expected, hash = 0;
  bool ok = !fseek(in->file, 0, SEEK_END);
  long left = ok ? ftell(in->file) - (long)sizeof expected : -1;
  rewind(in->file);
  while (left > 0) {
    const size_t size = left < BLOCK ? (size_t)left : BLOCK;
    if (!get(in, block, size))
      break;
    hash = XXH3_64bits_withSeed(block, size, hash);
    left -= (long)size;
  }
  ok = !left && get(in, &expected, sizeof expected) && expected == hash;
  rewind(in->file);
  if (!ok)
    text_add(in->why, damaged);
  return ok;
}

static size_t line_length(const char *text) { return strcspn(text, "\n"); }

// Says which lines differ: `it has order bfs, not order stages`.
static bool is_same_head(Text *why, const char *theirs, const char *ours) {
  bool is_same = true;
  while (*theirs || *ours) {
    const size_t a = line_length(theirs), b = line_length(ours);
    if (a != b || memcmp(theirs, ours, a) != 0) {
      text_addf(why, "%sit is of `%.*s`, and this search of `%.*s`", is_same ? "" : "; ", (int)a,
                theirs, (int)b, ours);
      is_same = false;
    }
    theirs += a + (theirs[a] != 0);
    ours += b + (ours[b] != 0);
  }
  return is_same;
}

static bool read_head(Input *in, Reach *reach) {
  char begin[sizeof magic];
  uint64_t size;
  if (!get(in, begin, sizeof magic - 1) || memcmp(begin, magic, sizeof magic - 1) != 0 ||
      !get_size(in, &size) || size > MOST_HEAD) {
    text_add(in->why, "it is no checkpoint of this version");
    return false;
  }
  char *head = mem_alloc(reach->mem, size + 1);
  const bool ok = get(in, head, size) && is_same_head(in->why, head, reach->checkpoint->head);
  mem_free(reach->mem, head);
  return ok;
}

// Whose the node of a record is from now on: the index of a member.
static uint32_t find_owner(Reach *reach, const StreamRecord *record, uint32_t number) {
  if (!reach->crew)
    return 0;
  if (!record->is_stored)
    return number % reach->crew->count;
  return mail_owner_of(reach->mail, (const uint64_t *)(const void *)(record + 1));
}

typedef struct Loading {
  Reach *reach;
  Input in;
  uint64_t workers; // that wrote it
  char *piece;
  void *message;
  VEC(NodeRef) refs; // by reference among all that wrote it: the new one among all
  uint32_t *counts;  // nodes of each member
} Loading;

static void number_node(Loading *l, const StreamRecord *record, uint32_t number) {
  const uint32_t all = count_members(l->reach), owner = find_owner(l->reach, record, number);
  const NodeRef old = record->ref * (uint32_t)l->workers + number;
  while (l->refs.size <= old)
    vec_push(l->reach->mem, &l->refs, NODE_NONE);
  l->refs.items[old] = l->counts[owner]++ * all + owner;
}

static void load_node(Loading *l, const StreamRecord *record, uint32_t number) {
  Reach *first = l->reach, *owner = member(first, find_owner(first, record, number));
  Store *store = &owner->store;
  const NodeRef parent = record->parent == NODE_NONE ? NODE_NONE : l->refs.items[record->parent];
  NodeRef ref;
  if (record->is_stored) {
    stream_read(first->space, record, 1);
    if (owner != first) {
      mail_copy(owner->space, first->space, l->message);
      owner->space->ordinal = record->ordinal;
    }
    const uint32_t group = store_group(store);
    ref = store_new_node(store, group, parent);
    store_append(store, group, ref);
    passed_count(owner->passed, store->stored);
  } else {
    owner->space->ordinal = record->ordinal;
    ref = store_new_node(store, 0, parent);
    store_node(store, ref)->is_stored = false;
  }
  store_node(store, ref)->is_visited = record->is_visited;
  vec_clear(&store->evicted);
  order_restore(owner->waiting, ref, record->round, record->is_stored && !record->is_visited);
}

// All nodes of the file, twice: first they get numbers, then they are made.
static bool load_nodes(Loading *l, bool is_second) {
  for (uint32_t number = 0; number < l->workers; number++) {
    uint64_t count, size;
    if (!get_size(&l->in, &count))
      return false;
    if (is_second)
      connect(l->reach);
    for (;;) {
      if (!get_size(&l->in, &size) || size > piece_bytes(l->reach) ||
          !get(&l->in, l->piece, size))
        return false;
      for (size_t at = 0; at < size; at = stream_next(l->piece, at))
        (is_second ? load_node : number_node)(l, stream_at(l->piece, at), number);
      if (!size)
        break;
    }
  }
  return true;
}

// The counts go on; what is counted from the nodes is not.
static void take_over(Statistics *stats, const Statistics *old) {
  stats->visited = old->visited;
  stats->mistakes = old->mistakes;
  stats->transitions = old->transitions;
  stats->covered = old->covered;
}

static bool load(Loading *l) {
  Reach *reach = l->reach;
  Statistics stats;
  if (!get(&l->in, &stats, sizeof stats) || !get_size(&l->in, &l->workers) || !l->workers ||
      l->workers > UINT16_MAX)
    return false;
  const long nodes = ftell(l->in.file);
  l->piece = mem_alloc(reach->mem, piece_bytes(reach) + SPACE_SLACK);
  l->message = mem_alloc(reach->mem, mail_message_bytes(reach->space) + SPACE_SLACK);
  l->counts = mem_alloc(reach->mem, count_members(reach) * sizeof *l->counts);
  const bool ok =
      load_nodes(l, false) && !fseek(l->in.file, nodes, SEEK_SET) && load_nodes(l, true);
  mem_free(reach->mem, l->piece);
  mem_free(reach->mem, l->message);
  mem_free(reach->mem, l->counts);
  vec_release(reach->mem, &l->refs);
  take_over(reach->stats, &stats);
  if (ok)
    text_addf(l->in.why, "%.1f s, %llu visited, %llu stored", stats.seconds,
              (unsigned long long)stats.visited, (unsigned long long)stats.stored);
  else
    text_add(l->in.why, "it ends too early");
  return ok;
}

bool checkpoint_read(Reach *reach, const char *folder, Text *why) {
  Text path = {.mem = reach->mem};
  path_of(&path, folder, "");
  FILE *file = fopen(text_chars(&path), "rb");
  text_release(&path);
  if (!file) {
    text_addf(why, "%s", strerror(errno));
    return false;
  }
  Loading loading = {.reach = reach, .in = {file, why}};
  const bool ok = is_whole(&loading.in) && read_head(&loading.in, reach) && load(&loading);
  fclose(file);
  reach->is_resumed = ok;
  return ok;
}
