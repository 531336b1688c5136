#include "search/save/restore.h"

#include "search/save/savefile.h"
#include "search/workers/mail.h"
#include "search/workers/stream.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_HEAD = 1 << 20 };

typedef struct Written { // of one worker
  NodeRef *refs;         // by the reference there: the new one among all
  NodeRef *parents;      // likewise, as they were written; only while they are checked
  unsigned char *bits;   // of its nodes
  uint64_t nodes;
} Written;

typedef struct Restoring {
  Reach *reach;
  const char *folder;
  Text *why;
  uint64_t workers; // that wrote it
  uint64_t chain[CHECKPOINT_CHAIN], length;
  SaveFile save;
  char *piece;
  void *message;
  Written *written; // by worker that wrote
  uint64_t *marks;  // of the trail of each of them
  uint32_t *counts; // nodes of each of the new workers
  CheckpointPart sum;
} Restoring;

static size_t line_length(const char *text) { return strcspn(text, "\n"); }

// Says which lines differ.
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

// Opens a file of the checkpoint; false with the reason.
static bool open_file(Restoring *r, const Text *path, const char *magic) {
  char begin[sizeof CHECKPOINT_MAGIC + sizeof CHECKPOINT_PART];
  const size_t size = strlen(magic);
  const char *error = savefile_open(&r->save, text_chars(path));
  if (error)
    return text_refuse(r->why, "%s: %s", text_chars(path), error);
  if (savefile_get(&r->save, begin, size) && !memcmp(begin, magic, size))
    return true;
  return text_refuse(r->why, "%s: it is not a checkpoint of this version", text_chars(path));
}

// Opens the manifest and reads its head, which the caller frees; NULL with the reason. Either way
// `path` is its name.
static char *read_head(Restoring *r, Text *path) {
  uint64_t size = 0;
  checkpoint_path(path, r->folder);
  if (!open_file(r, path, CHECKPOINT_MAGIC) || !savefile_get_number(&r->save, &size) ||
      size >= MAX_HEAD)
    return NULL;
  char *head = mem_alloc(path->mem, size + 1);
  if (savefile_get(&r->save, head, size))
    return head;
  mem_free(path->mem, head);
  return NULL;
}

static bool read_manifest(Restoring *r) {
  Text path = {.mem = r->reach->mem};
  const char *ours = r->reach->checkpoint->head;
  char *theirs = read_head(r, &path);
  const bool ok = theirs && (!ours || is_same_head(r->why, theirs, ours)) &&
                  savefile_get_number(&r->save, &r->workers) && r->workers &&
                  r->workers <= UINT16_MAX && savefile_get_number(&r->save, &r->length) &&
                  r->length && r->length <= CHECKPOINT_CHAIN &&
                  savefile_get(&r->save, r->chain, r->length * sizeof *r->chain);
  if (!ok && !r->why->size)
    text_addf(r->why, "%s: it ends too early", text_chars(&path));
  mem_free(path.mem, theirs);
  savefile_close(&r->save);
  text_release(&path);
  return ok;
}

static bool open_part(Restoring *r, uint32_t number, uint32_t link, CheckpointPart *part) {
  const uint64_t stamp = r->chain[link];
  Text path = {.mem = r->reach->mem};
  checkpoint_part_path(&path, r->folder, stamp, number);
  bool ok = open_file(r, &path, CHECKPOINT_PART);
  if (ok && (!savefile_get(&r->save, part, sizeof *part) || part->stamp != stamp ||
             part->number != number || part->nodes < part->before || part->nodes >= NODE_NONE ||
             part->marks >= UINT32_MAX)) {
    text_addf(r->why, "%s: it is not a part of this checkpoint", text_chars(&path));
    ok = false;
  }
  text_release(&path);
  return ok;
}

// The bits of the node of a record, as the last part of the chain has them.
static uint32_t bits_of(const Restoring *r, const StreamRecord *record, uint32_t number) {
  return r->written[number].bits[record->ref / 4] >> record->ref % 4 * 2 & 3;
}

static bool is_stored(const Restoring *r, const StreamRecord *record, uint32_t number) {
  return record->bytes && bits_of(r, record, number) & CHECKPOINT_STORED;
}

// Whose the node of a record is from now on: a number among all workers.
static uint32_t find_owner(const Restoring *r, const StreamRecord *record, uint32_t number) {
  if (!is_stored(r, record, number)) // it is not looked up by its key
    return number % r->reach->peers->all;
  return mail_owner_of(r->reach, (const uint64_t *)(const void *)(record + 1));
}

static bool number_node(Restoring *r, const StreamRecord *record, uint32_t number) {
  const uint32_t owner = find_owner(r, record, number);
  r->written[number].refs[record->ref] = r->counts[owner]++ * r->reach->peers->all + owner;
  r->written[number].parents[record->ref] = record->parent;
  return true;
}

static NodeRef new_ref(const Restoring *r, NodeRef old) {
  return old == NODE_NONE ? NODE_NONE : r->written[old % r->workers].refs[old / r->workers];
}

// The parent of a node, NULL: there is no such node.
static NodeRef *parent_of(const Restoring *r, uint64_t old) {
  const Written *written = &r->written[old % r->workers];
  return old / r->workers < written->nodes ? &written->parents[old / r->workers] : NULL;
}

// Whether the way up from a node ends, within that many steps. Then its nodes have no parents any
// more: the next way that meets one of them ends there.
static bool cut_way(const Restoring *r, uint64_t node, uint64_t max) {
  NodeRef *parent = parent_of(r, node);
  for (uint64_t steps = 0; *parent != NODE_NONE; steps++)
    if (steps == max || !(parent = parent_of(r, *parent)))
      return false;
  for (uint64_t next; (next = *(parent = parent_of(r, node))) != NODE_NONE; node = next)
    *parent = NODE_NONE;
  return true;
}

// Whether the nodes are trees. Runs follow parents, and orders walk below nodes. A parent need
// not be older: a search that went on from several workers has the nodes of one after the
// other's.
static bool are_trees(const Restoring *r) {
  uint64_t all = 0;
  for (uint64_t i = 0; i < r->workers; i++)
    all += r->written[i].nodes;
  for (uint64_t i = 0; i < r->workers; i++)
    for (uint64_t ref = 0; ref < r->written[i].nodes; ref++) {
      mem_tick(r->reach->mem);
      if (!cut_way(r, ref * r->workers + i, all))
        return text_refuse(r->why,
                           "a node is not what was written: it descends from no initial one");
    }
  return true;
}

// Zones are read even if the node is not stored, or is another process's: later records refer to
// them.
static bool load_node(Restoring *r, const StreamRecord *record, uint32_t number) {
  Reach *first = r->reach, *owner = peers_member(first->peers, find_owner(r, record, number));
  const bool stays = is_stored(r, record, number);
  if (record->bytes && !stream_read(first, record))
    return false;
  if (!owner)
    return true;
  if (stays && owner != first)
    mail_copy(owner->space, first->space, r->message);
  Store *store = &owner->store;
  owner->space->ordinal = record->ordinal;
  const uint32_t group = stays ? store_group(store) : 0;
  const NodeRef ref = store_new_node(store, group, new_ref(r, record->parent));
  Node *node = store_node(store, ref);
  node->is_stored = stays;
  node->is_visited = bits_of(r, record, number) & CHECKPOINT_VISITED ? 1 : 0;
  if (stays) {
    store_append(store, group, ref);
    passed_count(owner->passed, store->stored);
  }
  vec_clear(&store->evicted);
  order_restore(owner->waiting, ref, record->round, stays && !node->is_visited);
  return true;
}

typedef bool Deal(Restoring *, const StreamRecord *, uint32_t number);

// All nodes of the part that is open, from number `next` on. Checksums do not tell what another
// program wrote wrong.
static bool read_nodes(Restoring *r, uint32_t number, uint64_t next, const CheckpointPart *part,
                       Deal *deal) {
  for (uint64_t size = 1; size;) {
    bool ok = savefile_get_number(&r->save, &size) && size <= checkpoint_piece_bytes(r->reach) &&
              savefile_get(&r->save, r->piece, size);
    for (size_t at = 0; ok && at < size; at = ok ? stream_next(r->piece, at) : 0) {
      const StreamRecord *record = stream_at(r->piece, at);
      ok = stream_fits(r->reach, r->piece, at, size) && record->ref == next++ &&
           next <= r->written[number].nodes && deal(r, record, number);
    }
    ok = ok && (size || next == part->nodes); // at the end none is missing
    if (!ok)
      return text_refuse(r->why, "part %" PRIu32 " is not what was written", number);
  }
  return true;
}

static void add_up(CheckpointPart *sum, const CheckpointPart *part) {
  statistics_add(&sum->stats, &part->stats);
  if (!sum->invalid)
    sum->invalid_offset = part->invalid_offset;
  sum->invalid += part->invalid;
  sum->doubtful |= part->doubtful;
}

static uint64_t bits_bytes(const CheckpointPart *part) { return (part->nodes + 3) / 4; }

// What the last part of a worker knows of all its nodes.
static bool read_bits(Restoring *r, uint32_t number) {
  Mem *mem = r->reach->mem;
  CheckpointPart part;
  bool ok = open_part(r, number, (uint32_t)r->length - 1, &part);
  if (ok) {
    add_up(&r->sum, &part);
    Written *written = &r->written[number];
    r->marks[number] = part.marks;
    *written = (Written){.refs = mem_alloc(mem, (part.nodes + 1) * sizeof *written->refs),
                         .parents = mem_alloc(mem, (part.nodes + 1) * sizeof *written->parents),
                         .bits = mem_alloc(mem, bits_bytes(&part) + 1),
                         .nodes = part.nodes};
    ok = r->reach->passed->parts || savefile_get(&r->save, written->bits, bits_bytes(&part));
    if (!ok)
      text_addf(r->why, "part %" PRIu32 " ends too early", number);
  }
  savefile_close(&r->save);
  return ok;
}

// The nodes of a worker, part by part.
static bool read_worker(Restoring *r, uint32_t number, Deal *deal) {
  Space *space = r->reach->space;
  const uint32_t peer = stream_peer(r->reach);
  bool ok = true;
  CheckpointPart part = {0};
  space->exchange.forget(space, peer);
  for (uint32_t link = 0; ok && link < r->length; link++) {
    const uint64_t before = part.nodes;
    ok = open_part(r, number, link, &part) &&
         savefile_seek(&r->save, savefile_tell(&r->save) + (long)bits_bytes(&part)) &&
         read_nodes(r, number, before, &part, deal);
    savefile_close(&r->save);
  }
  space->exchange.forget(space, peer);
  return ok;
}

// Parts that a passed list of its own wrote.
static bool read_parts(Restoring *r, const PassedParts *parts) {
  bool ok = true;
  for (uint32_t i = 0; i < 2 * r->workers && ok; i++) {
    const uint32_t number = i % (uint32_t)r->workers;
    const PartSource source = {.save = &r->save,
                               .workers = (uint32_t)r->workers,
                               .number = number,
                               .marks = r->marks,
                               .is_second = i >= r->workers};
    CheckpointPart part;
    ok = open_part(r, number, (uint32_t)r->length - 1, &part);
    const char *why = ok ? parts->read(r->reach, &source) : NULL;
    savefile_close(&r->save);
    if (why)
      text_addf(r->why, "%s", why);
    ok = ok && !why;
  }
  return ok;
}

static bool read_all(Restoring *r) {
  const PassedParts *parts = r->reach->passed->parts;
  bool ok = true;
  for (uint32_t i = 0; ok && i < r->workers; i++)
    ok = read_bits(r, i);
  if (parts)
    return ok && read_parts(r, parts);
  for (uint32_t i = 0; ok && i < r->workers; i++)
    ok = read_worker(r, i, number_node);
  ok = ok && are_trees(r);
  for (uint32_t i = 0; i < r->workers; i++) {
    mem_free(r->reach->mem, r->written[i].parents);
    r->written[i].parents = NULL;
  }
  for (uint32_t i = 0; ok && i < r->workers; i++)
    ok = read_worker(r, i, load_node);
  return ok;
}

// The counts go on, in rank 0; what is counted from the nodes is not.
static void take_over(const Restoring *r) {
  Reach *reach = r->reach;
  const CheckpointPart *sum = &r->sum;
  Statistics *stats = reach->stats;
  const Net *net = reach->space->net;
  reach->checkpoint->before = sum->stats.seconds;
  if (reach->checkpoint->doubtful)
    *reach->checkpoint->doubtful = sum->doubtful;
  if (reach->store.number)
    return;
  const Statistics counted = *stats;
  *stats = sum->stats;
  stats->checkpoints = stats->checkpoint_ms = 0;
  if (!reach->fly)
    stats->stored = counted.stored;
  if (r->workers > 1 || reach->peers->all > 1) // its value at any one time is not known
    stats->max_stored = counted.max_stored;
  reach->space->discovered = sum->stats.discovered;
  reach->space->invalid = (VmInvalid){
      sum->invalid, {net ? net->origin.place.source : NULL, (uint32_t)sum->invalid_offset}};
}

static bool load(Restoring *r) {
  Reach *reach = r->reach;
  Mem *mem = reach->mem;
  r->piece = mem_alloc(mem, checkpoint_piece_bytes(reach) + SPACE_SLACK);
  r->message = mem_alloc(mem, mail_message_bytes(reach->space) + SPACE_SLACK);
  r->counts = mem_alloc(mem, reach->peers->all * sizeof *r->counts);
  r->marks = mem_alloc(mem, r->workers * sizeof *r->marks);
  r->written = mem_alloc(mem, r->workers * sizeof *r->written);
  const bool ok = read_all(r);
  for (uint32_t i = 0; i < r->workers; i++) {
    mem_free(mem, r->written[i].refs);
    mem_free(mem, r->written[i].parents);
    mem_free(mem, r->written[i].bits);
  }
  mem_free(mem, r->written);
  mem_free(mem, r->marks);
  mem_free(mem, r->counts);
  mem_free(mem, r->message);
  mem_free(mem, r->piece);
  if (!ok)
    return false;
  take_over(r);
  const Statistics *stats = &r->sum.stats;
  text_addf(r->why,
            "%.1f s, %llu visited, %llu stored by %" PRIu64 " worker%s, for %" PRIu32 " now",
            stats->seconds, (unsigned long long)stats->visited, (unsigned long long)stats->stored,
            r->workers, r->workers == 1 ? "" : "s", reach->peers->all);
  return true;
}

bool restore_is_of(Mem *mem, const char *folder, const char *line) {
  Restoring *restoring = mem_alloc(mem, sizeof *restoring);
  Text path = {.mem = mem}, why = {.mem = mem};
  restoring->folder = folder;
  restoring->why = &why;
  char *head = read_head(restoring, &path);
  const bool found = head && strstr(head, line);
  mem_free(mem, head);
  savefile_close(&restoring->save);
  text_release(&path);
  text_release(&why);
  mem_free(mem, restoring);
  return found;
}

bool restore_read(Reach *reach, const char *folder, Text *why) {
  Restoring *const restoring = mem_alloc(reach->mem, sizeof *restoring);
  restoring->reach = reach;
  restoring->folder = folder;
  restoring->why = why;
  jmp_buf escape;
  jmp_buf *const outer = reach->mem->escape;
  reach->mem->escape = &escape;
  if (setjmp(escape)) { // memory ended while a file was open
    reach->mem->escape = outer;
    savefile_close(&restoring->save);
    mem_exhausted(reach->mem);
  }
  const bool ok = read_manifest(restoring) && load(restoring);
  reach->mem->escape = outer;
  mem_free(reach->mem, restoring);
  reach->is_resumed = ok;
  return ok;
}
