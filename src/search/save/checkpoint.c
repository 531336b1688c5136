#define _POSIX_C_SOURCE 200809L
#include "search/save/checkpoint.h"

#include "base/timer.h"
#include "search/passed/flycheckpoint.h"
#include "search/save/savefile.h"
#include "search/space/trail.h"
#include "search/workers/stream.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char name[] = "tarn.checkpoint";
enum { PIECE = 1 << 18 };
enum { WORKER_BYTES = 1 << 20 }; // that one may need, to read its mail and to write its part

void checkpoint_path(Text *path, const char *folder) { text_addf(path, "%s/%s", folder, name); }

void checkpoint_part_path(Text *path, const char *folder, uint64_t stamp, uint32_t number) {
  text_addf(path, "%s/%s.%016" PRIx64 ".%" PRIu32, folder, name, stamp, number);
}

size_t checkpoint_piece_bytes(const Reach *reach) {
  const size_t least = stream_record_bytes(reach);
  return least > PIECE ? least : PIECE;
}

// How many alarms there are: the first when the tables might not double once more, or there is
// little room for the checkpoint itself; the second when nine tenths of the memory are used.
static uint32_t count_alarms(const Reach *reach) {
  const Mem *mem = reach->mem;
  const size_t limit = mem->budget ? mem->budget->limit : mem->limit;
  const size_t used = mem->budget ? atomic_load(&mem->budget->drawn) : mem->bytes;
  const size_t left = used < limit ? limit - used : 0;
  const size_t needed = reach->peers->count * (2 * mem->largest + WORKER_BYTES);
  return !limit ? 0 : left < limit / 10 ? 2 : left < needed ? 1 : 0;
}

static bool is_due(const Reach *reach) {
  const Checkpoint *checkpoint = reach->checkpoint;
  return timer_seconds() - checkpoint->last > checkpoint->every ||
         count_alarms(reach) > checkpoint->alarms;
}

static uint64_t now(void) { // in nanoseconds
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// No two checkpoints have the same: when it was asked for. Those that begin a chain are odd:
// workers need no more.
static uint64_t new_stamp(const Reach *reach) {
  const Checkpoint *checkpoint = reach->checkpoint;
  const bool begins = reach->passed->parts || checkpoint->is_broken || !checkpoint->length ||
                      checkpoint->length == CHECKPOINT_CHAIN;
  return now() << 1 | begins;
}

static bool begins_chain(uint64_t stamp) { return stamp & 1; }

static CheckpointPart describe(const Reach *reach, const Checkpoint *checkpoint, uint64_t stamp,
                               uint32_t number) {
  CheckpointPart part = {.stamp = stamp,
                         .number = number,
                         .before = reach->saved,
                         .nodes = reach->store.nodes.size,
                         .marks = reach->passed->trail ? reach->passed->trail->marks.size : 0,
                         .doubtful = checkpoint->doubtful && *checkpoint->doubtful,
                         .invalid = reach->space->invalid.count,
                         .invalid_offset = reach->space->invalid.first.offset,
                         .stats = *reach->stats};
  part.stats.seconds = timer_seconds() - reach->start + checkpoint->before;
  part.stats.discovered = reach->space->discovered;
  return part;
}

// The bits of all nodes, four in a byte.
static void put_bits(SaveFile *save, const Store *store, unsigned char *bytes, size_t room) {
  size_t used = 0;
  for (NodeRef ref = 0; ref < store->nodes.size; used++) {
    if (used == room) {
      savefile_put(save, bytes, used);
      used = 0;
    }
    unsigned byte = 0;
    const Node *nodes = store_node(store, ref); // four lie in one page
    for (uint32_t i = 0; i < 4 && ref < store->nodes.size; i++, ref++)
      byte |= (nodes[i].is_stored * CHECKPOINT_STORED | nodes[i].is_visited * CHECKPOINT_VISITED)
              << 2 * i;
    bytes[used] = (unsigned char)byte;
  }
  savefile_put(save, bytes, used);
}

// Nodes that are not in the chain yet. Zones are written by value the first time in a chain.
static void put_nodes(SaveFile *save, Reach *reach) {
  const size_t room = checkpoint_piece_bytes(reach);
  void *piece = mem_alloc(reach->mem, room + SPACE_SLACK);
  NodeRef next = reach->saved;
  size_t size;
  put_bits(save, &reach->store, piece, room);
  do {
    size = stream_write(reach, &next, piece, room);
    savefile_put_number(save, size);
    savefile_put(save, piece, size);
  } while (size && !ferror(save->file));
  reach->saved = next;
  mem_free(reach->mem, piece);
}

static void begin_chain(Reach *reach) {
  reach->saved = 0;
  if (reach->space->exchange.forget)
    reach->space->exchange.forget(reach->space, stream_peer(reach));
}

// Nodes may need memory to be written. If that ends, the file is closed first.
static void put_part(Reach *reach, SaveFile *save) {
  jmp_buf escape;
  jmp_buf *const outer = reach->mem->escape;
  reach->mem->escape = &escape;
  if (setjmp(escape)) {
    reach->mem->escape = outer;
    savefile_close(save);
    mem_exhausted(reach->mem);
  }
  if (reach->passed->parts)
    reach->passed->parts->write(reach, save);
  else
    put_nodes(save, reach);
  reach->mem->escape = outer;
}

// The part of one worker: errno, or 0.
static int write_part(Reach *reach, const Checkpoint *checkpoint, uint64_t stamp) {
  const uint32_t number = reach->store.number;
  if (begins_chain(stamp))
    begin_chain(reach);
  const CheckpointPart part = describe(reach, checkpoint, stamp, number);
  Text path = {.mem = reach->mem};
  SaveFile *save = mem_alloc(reach->mem, sizeof *save);
  checkpoint_part_path(&path, checkpoint->folder, stamp, number);
  int error = savefile_create(save, text_chars(&path)) ? 0 : errno;
  if (!error) {
    savefile_put(save, CHECKPOINT_PART, sizeof CHECKPOINT_PART - 1);
    savefile_put(save, &part, sizeof part);
    put_part(reach, save);
    error = savefile_finish(save);
  }
  mem_free(reach->mem, save);
  text_release(&path);
  return error;
}

// What was made or renamed there is on the disk, too.
static void sync_folder(const char *folder) {
  const int descriptor = open(folder, O_RDONLY);
  if (descriptor < 0)
    return;
  fsync(descriptor);
  close(descriptor);
}

static bool is_in_chain(const Checkpoint *checkpoint, uint64_t stamp) {
  for (uint32_t i = 0; i < checkpoint->length; i++)
    if (checkpoint->chain[i] == stamp)
      return true;
  return false;
}

// Removes the parts with this stamp, or if it is 0 those that are not in the chain.
static void remove_parts(const Checkpoint *checkpoint, uint64_t stamp) {
  DIR *list = opendir(checkpoint->folder);
  for (const struct dirent *entry; list && (entry = readdir(list));) {
    uint64_t of;
    uint32_t number;
    if (strncmp(entry->d_name, name, sizeof name - 1) != 0 ||
        sscanf(entry->d_name + sizeof name - 1, ".%16" SCNx64 ".%" SCNu32, &of, &number) != 2 ||
        (stamp ? of != stamp : is_in_chain(checkpoint, of)))
      continue;
    char path[sizeof name + 32]; // none of the memory of the search, which may end
    snprintf(path, sizeof path, "%s.%016" PRIx64 ".%" PRIu32, name, of, number);
    unlinkat(dirfd(list), path, 0);
  }
  if (list)
    closedir(list);
}

// Whether all parts are where this process sees them; other machines may have another folder.
static bool sees_parts(Mem *mem, const char *folder, uint64_t stamp, uint32_t count) {
  bool sees = true;
  for (uint32_t i = 0; i < count && sees; i++) {
    Text path = {.mem = mem};
    checkpoint_part_path(&path, folder, stamp, i);
    sees = !access(text_chars(&path), R_OK);
    text_release(&path);
  }
  return sees;
}

static int write_manifest(Mem *mem, const Checkpoint *checkpoint, uint32_t count) {
  Text path = {.mem = mem}, fresh = {.mem = mem};
  SaveFile *save = mem_alloc(mem, sizeof *save);
  checkpoint_path(&path, checkpoint->folder);
  text_addf(&fresh, "%s.new", text_chars(&path));
  int error = savefile_create(save, text_chars(&fresh)) ? 0 : errno;
  if (!error) {
    savefile_put(save, CHECKPOINT_MAGIC, sizeof CHECKPOINT_MAGIC - 1);
    savefile_put_number(save, strlen(checkpoint->head));
    savefile_put(save, checkpoint->head, strlen(checkpoint->head));
    savefile_put_number(save, count);
    savefile_put_number(save, checkpoint->length);
    savefile_put(save, checkpoint->chain, checkpoint->length * sizeof *checkpoint->chain);
    error = savefile_finish(save);
    if (!error && rename(text_chars(&fresh), text_chars(&path)))
      error = errno;
  }
  mem_free(mem, save);
  text_release(&path);
  text_release(&fresh);
  return error;
}

// All parts are written: they become the checkpoint.
static void conclude(Reach *reach, uint64_t stamp, uint32_t count, int error) {
  Checkpoint *checkpoint = reach->checkpoint;
  const char *folder = checkpoint->folder;
  const uint32_t length = checkpoint->length;
  const uint64_t first = checkpoint->chain[0];
  sync_folder(folder);
  if (!error && !sees_parts(reach->mem, folder, stamp, count))
    error = ENOENT;
  if (begins_chain(stamp))
    checkpoint->length = 0;
  checkpoint->chain[checkpoint->length++] = stamp;
  if (!error)
    error = write_manifest(reach->mem, checkpoint, count);
  sync_folder(folder);
  checkpoint->is_broken = error;
  if (error) { // the one on the disk stays
    checkpoint->chain[0] = first;
    checkpoint->length = length;
    checkpoint->error = checkpoint->error ? checkpoint->error : error;
  } else {
    checkpoint->written++;
  }
  remove_parts(checkpoint, error ? stamp : 0);
  checkpoint->alarms = count_alarms(reach);
  checkpoint->last = timer_seconds();
  const int64_t took = (int64_t)(now() - (stamp >> 1)); // less than 0 if the clock was put back
  checkpoint->seconds += took > 0 ? (double)took / 1e9 : 0;
  reach->stats->checkpoints = checkpoint->written;
  reach->stats->checkpoint_ms = (uint64_t)(checkpoint->seconds * 1000);
}

// A search by one worker.
static void save(Reach *reach, bool stops) {
  if (!stops && !is_due(reach))
    return;
  const uint64_t stamp = new_stamp(reach);
  conclude(reach, stamp, 1, write_part(reach, reach->checkpoint, stamp));
}

// Numbers of zones mean something else from now on.
static void break_chain(Reach *reach) { reach->checkpoint->is_broken = true; }

static const Saver saver = {.save = save, .swept = break_chain};

void checkpoint_attach(Reach *reach, Checkpoint *checkpoint) {
  checkpoint->last = timer_seconds();
  reach->checkpoint = checkpoint;
  reach->saver = checkpoint->folder ? &saver : NULL;
  if (reach->fly)
    reach->passed->parts = &flycheckpoint;
}

void checkpoint_detach(Reach *reach) {
  for (uint32_t i = 0; reach->saver && i < reach->peers->count; i++)
    begin_chain(reach->peers->members[i]);
  reach->checkpoint = NULL;
  reach->saver = NULL;
}

void checkpoint_look(Reach *reach) {
  Checkpoint *checkpoint = reach->checkpoint;
  if (!checkpoint->reason)
    checkpoint->reason = reach->stop_reason;
  if (!checkpoint->reason && !is_due(reach))
    return;
  reach->stop_reason = NULL;
  team_pause(reach->peers->team, new_stamp(reach));
}

void checkpoint_watch(const Reach *reach) {
  const Reach *first = reach->peers->members[0];
  if (first->saver && !first->store.number && count_alarms(reach) > first->checkpoint->alarms)
    team_pause(reach->peers->team, new_stamp(first));
}

void checkpoint_rest(Reach *reach) {
  Peers *peers = reach->peers;
  Worker *worker = reach->worker;
  Checkpoint *checkpoint = peers->members[0]->checkpoint;
  const uint64_t stamp = team_stamp(peers->team);
  worker_done(worker, write_part(reach, checkpoint, stamp));
  if (reach == peers->members[0] && checkpoint->head) {
    if (!worker_await_done(worker))
      return;
    conclude(reach, stamp, peers->all, team_error(peers->team));
    if (checkpoint->reason) { // the others wait until it is over
      reach->stop_reason = checkpoint->reason;
      return;
    }
    team_resume(peers->team);
  }
  worker_await_resume(worker);
}
