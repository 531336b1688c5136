#include "search/workers/mail.h"

#include "search/passed/prefetch.h"
#include "search/space/trail.h"

#include <string.h>

typedef struct Head { // of a message
  NodeRef parent;
  uint32_t ordinal, hint;
  uint32_t bytes; // of what follows, rounded up to 8
  uint64_t hash;  // of the key
  bool is_lent;   // `parent` is the node itself, `hint` its round
  bool is_unfinished;
  uint64_t key[]; // what Exchange.send wrote begins with it
} Head;

enum { SENT = 1 << 15 }; // nodes that are remembered
// Whether nodes are left to others unfinished is decided after 2 * TRIED looks at what was sent,
// by the second half of them: if for each look that finds no node the space prepares for many
// discrete states. Builds with assertions do so in small models, too.
#ifdef NDEBUG
enum { TRIED = 1 << 12, EAGER = 1 };
#else
enum { TRIED = 1 << 2, EAGER = 1 << 6 };
#endif
enum { AHEAD = 12 }; // messages for which memory is fetched at a time

size_t mail_message_bytes(const Space *space) {
  return sizeof(Head) + space->exchange.message_bytes;
}

Mail *mail_new(Mem *mem, const Space *space) {
  Mail *mail = mem_alloc(mem, sizeof *mail);
  mail->mem = mem;
  if (!space->passed)
    mail->sent = mem_alloc_table(mem, SENT * (space->key_words + 1) * sizeof *mail->sent);
  return mail;
}

uint32_t mail_owner_of(const Reach *reach, const uint64_t *key) {
  const Space *space = reach->space;
  if (space->exchange.partition)
    return partition_owner(space->exchange.partition, key);
  const uint64_t hash = store_hash(key, space->key_words);
  // Stores look at bits of the hash: after this these tell nothing about them.
  const uint64_t mixed = (hash ^ hash >> 29) * 0x94d049bb133111ebu;
  return (uint32_t)((mixed >> 32) * reach->store.workers >> 32);
}

void mail_copy(Space *to, Space *from, void *message) {
  if (from->exchange.pack)
    from->exchange.pack(from);
  from->exchange.send(from, message);
  to->exchange.receive(to, message);
}

// Leaving a node unfinished saves the work of preparing for it, but hides that it was sent
// before.
static void count_look(Reach *reach, bool is_found) {
  Mail *mail = reach->mail;
  Exchange *space = &reach->space->exchange;
  // It would take long where few nodes are sent.
  const bool sends_few = space->partition && space->partition->together > 1;
  const uint64_t tried = sends_few ? TRIED / 4 : TRIED;
  if (mail->looked == 2 * tried)
    return;
  if (mail->looked++ == tried)
    mail->prepared = space->prepared;
  mail->found += is_found && mail->looked > tried;
  space->leaves_others =
      mail->looked == 2 * tried && space->finish && space->partition &&
      (space->prepared - mail->prepared) * (tried - mail->found) * EAGER >= tried * tried;
}

// Whether the same node was sent before; otherwise it is remembered. Its owner has it, or a
// larger one, when the search ends.
static bool was_sent(Reach *reach, uint64_t hash) {
  const Mail *mail = reach->mail;
  const Space *space = reach->space;
  const uint32_t words = space->key_words;
  if (!mail->sent || !space->zone)
    return false;
  const uint64_t mixed = (hash ^ space->zone) * 0x9e3779b97f4a7c15u;
  uint64_t *sent = mail->sent + (mixed >> 32) % SENT * (words + 1);
  const bool is_found =
      sent[words] == space->zone && !memcmp(sent, space->key, words * sizeof *sent);
  count_look(reach, is_found);
  if (!is_found) {
    memcpy(sent, space->key, words * sizeof *sent);
    sent[words] = space->zone;
  }
  return is_found;
}

// For Exchange.peer.
static uint32_t peer_of(const Reach *reach, uint32_t worker) {
  return peers_member(reach->peers, worker) ? 0 : worker + 1;
}

// Writes the current node behind the head of a message to a worker: its bytes.
static uint32_t write(const Reach *reach, Head *head, uint32_t to) {
  Space *space = reach->space;
  space->exchange.peer = peer_of(reach, to);
  const size_t bytes = space->exchange.send(space, head->key);
  space->exchange.peer = 0;
  return (uint32_t)((bytes + 7) / 8 * 8);
}

void mail_send(Reach *reach, uint32_t owner, NodeRef parent) {
  Space *space = reach->space;
  const struct Trail *trail = reach->passed->trail;
  const uint64_t hash = store_hash(space->key, space->key_words);
  if (!space->exchange.is_unfinished && was_sent(reach, hash)) {
    reach->stats->covered++;
    return;
  }
  Head *head = worker_room(reach->worker, owner);
  const uint32_t bytes = write(reach, head, owner);
  if (space->failure) // the node outgrew its representation: it is none
    return;
  *head = (Head){.parent = trail ? trail->now : parent,
                 .ordinal = space->ordinal,
                 .hint = order_hint(reach->waiting),
                 .bytes = bytes,
                 .hash = hash,
                 .is_unfinished = space->exchange.is_unfinished};
  space->exchange.is_unfinished = false;
  worker_wrote(reach->worker, owner, sizeof *head + bytes);
}

void mail_lend(Reach *reach, uint32_t to, NodeRef ref) {
  const Store *store = &reach->store;
  const Node *node = store_node(store, ref);
  Head *head = worker_room(reach->worker, to);
  reach->space->load(reach->space, store_key(store, node->group), node->zone);
  const uint32_t bytes = write(reach, head, to);
  *head = (Head){.parent = store_global(store, ref),
                 .hint = order_round(reach->waiting, ref),
                 .bytes = bytes,
                 .is_lent = true};
  worker_wrote(reach->worker, to, sizeof *head + bytes);
}

// The number that the zone of a message has here; 0: none that is known.
static uint32_t recognise(Space *space, const Head *head) {
  return space->exchange.recognise ? space->exchange.recognise(space, head->key) : 0;
}

// A node that was lent waits by its key and the number that its zone has here: that of a message
// means something else soon.
static void put_aside(Reach *reach, const Head *head) {
  Mail *mail = reach->mail;
  Space *space = reach->space;
  uint32_t zone = recognise(space, head);
  if (!zone) { // by way of the current node
    space->exchange.receive(space, head->key);
    if (space->failure)
      return;
    zone = space->keep(space);
  }
  if (mail->lent_read) { // those that were visited make room
    mail->lent.size -= mail->lent_read;
    memmove(mail->lent.items, mail->lent.items + mail->lent_read,
            mail->lent.size * sizeof *mail->lent.items);
    mail->lent_read = 0;
  }
  vec_push(mail->mem, &mail->lent, (uint64_t)head->parent << 32 | head->hint);
  vec_push(mail->mem, &mail->lent, zone);
  for (uint32_t i = 0; i < space->key_words; i++)
    vec_push(mail->mem, &mail->lent, head->key[i]);
  if (space->exchange.peer)
    worker_gave(reach->worker, reach->store.number);
}

NodeRef mail_open_lent(Reach *reach) {
  Mail *mail = reach->mail;
  Space *space = reach->space;
  if (!mail_lent(reach))
    return NODE_NONE;
  const uint64_t *lent = mail->lent.items + mail->lent_read;
  space->open(space, lent + LENT_HEAD, (uint32_t)lent[1]);
  order_visit(reach->waiting, lent + LENT_HEAD, (uint32_t)*lent);
  mail->lent_read += LENT_HEAD + space->key_words;
  return (NodeRef)(*lent >> 32);
}

static const Head *message_at(const Batch *batch, size_t at) {
  return (const Head *)(const void *)(batch->bytes + at);
}

// Has the memory fetched that the next messages need.
static void fetch(Reach *reach) {
  Mail *mail = reach->mail;
  const Space *space = reach->space;
  PrefetchKey keys[AHEAD];
  uint32_t count = 0;
  for (mail->fetched = mail->read; count < AHEAD && mail->fetched < mail->batch->size; count++) {
    const Head *head = message_at(mail->batch, mail->fetched);
    keys[count] = (PrefetchKey){.key = head->key, .hash = head->hash};
    mail->fetched += sizeof *head + head->bytes;
  }
  for (FetchStage stage = FETCH_SLOT; stage <= FETCH_LINK; stage++) {
    prefetch_stage(&reach->store, keys, count, stage);
    for (uint32_t i = 0; i < count && space->speed.fetch && stage < FETCH_LINK; i++)
      space->speed.fetch(space, keys[i].key, stage);
  }
}

// The next message, NULL if there is none now.
static const Head *next_message(Reach *reach) {
  Mail *mail = reach->mail;
  if (!mail->batch || mail->read == mail->batch->size) {
    if (mail->batch)
      worker_hand_back(reach->worker, mail->batch);
    mail->batch = worker_mail(reach->worker);
    mail->read = mail->fetched = 0;
  }
  if (!mail->batch)
    return NULL;
  if (mail->read == mail->fetched && reach->store.table)
    fetch(reach);
  const Head *head = message_at(mail->batch, mail->read);
  mail->read += sizeof *head + head->bytes;
  return head;
}

// Deals with a message.
static Received receive(Reach *reach, const Head *head) {
  Space *space = reach->space;
  if (head->is_unfinished) {
    const bool is_node = space->exchange.finish(space, head->key);
    reach->stats->transitions += is_node;
    return is_node ? MAIL_FINISHED : MAIL_DEALT;
  }
  if (head->is_lent) {
    put_aside(reach, head);
    return MAIL_DEALT;
  }
  // Most nodes are made several times over: where their zones have numbers that all workers know,
  // they are not unpacked.
  const uint32_t zone = recognise(space, head);
  if (zone && store_has(&reach->store, head->key, head->hash, zone)) {
    reach->stats->covered++;
    return MAIL_DEALT;
  }
  space->exchange.receive(space, head->key);
  return MAIL_NODE;
}

Received mail_receive(Reach *reach, NodeRef *parent) {
  Space *space = reach->space;
  const Head *head = next_message(reach);
  if (!head)
    return MAIL_NONE;
  space->exchange.peer = peer_of(reach, reach->mail->batch->from);
  const Received received = receive(reach, head);
  space->exchange.peer = 0;
  space->ordinal = head->ordinal;
  *parent = head->parent;
  if (received == MAIL_DEALT)
    return received;
  if (reach->passed->trail)
    reach->passed->trail->now = head->parent;
  order_expect(reach->waiting, head->hint);
  return received;
}
