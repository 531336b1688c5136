#include "search/post.h"

#include "space/trail.h"

#include <string.h>

typedef struct Head { // of a message
  NodeRef parent;
  uint32_t ordinal, hint;
  uint32_t bytes;      // of what follows, rounded up to 8
  uint64_t hash;       // of the key
  uint32_t body_bytes; // of what follows; 0 if the space has its own form of messages
  bool is_gift;        // `parent` is the node itself, `hint` its round
  bool is_unfinished;
} Head;

enum { SENT = 1 << 15 }; // nodes that are remembered
// Whether nodes are left to others unfinished is decided after 2 * TRIED looks for each worker at
// what was sent, by the second half of them all: if for each look that finds no node the space
// prepares for many discrete states. Builds with assertions do so in small models, too.
#ifdef NDEBUG
enum { TRIED = 1 << 12, EAGER = 1 };
#else
enum { TRIED = 1 << 1, EAGER = 1 << 6 };
#endif
enum { AHEAD = 12 }; // messages for which memory is fetched at a time

size_t post_message_bytes(const Space *space) {
  const size_t own = space->send
                         ? space->message_bytes
                         : (space->key_words + 1) * sizeof(uint64_t) + space->most_body_bytes;
  return sizeof(Head) + own;
}

void post_init(Post *post, Mem *mem, Team *team, Trial *trial, uint32_t workers, uint32_t number,
               Store *store, Order *order, Statistics *stats) {
  *post = (Post){.team = team,
                 .trial = trial,
                 .worker = team_worker(team, number),
                 .mem = mem,
                 .space = store->space,
                 .store = store,
                 .order = order,
                 .stats = stats,
                 .workers = workers,
                 .number = number};
  post->body = mem_alloc(mem, store->space->most_body_bytes + SPACE_SLACK);
  if (store->has_words)
    post->sent = mem_alloc_table(mem, SENT * (store->key_words + 1) * sizeof *post->sent);
}

uint32_t post_find_owner(Post *post) {
  Space *space = post->space;
  if (space->pack)
    space->pack(space);
  if (space->partition)
    return partition_owner(space->partition, space->key);
  const uint64_t hash = store_hash(space->key, space->key_words);
  // Stores look at bits of the hash: after this these tell nothing about them.
  const uint64_t mixed = (hash ^ hash >> 29) * 0x94d049bb133111ebu;
  return (uint32_t)((mixed >> 32) * post->workers >> 32);
}

static size_t write(Space *space, void *message, size_t *body_bytes) {
  *body_bytes = 0;
  if (space->send)
    return space->send(space, message);
  uint64_t *words = message;
  space->prepare(space);
  const uint32_t format = space->format(space);
  memcpy(words, space->key, space->key_words * sizeof *words);
  words[space->key_words] = format;
  space->write(space, words + space->key_words + 1, format);
  *body_bytes = space->body_bytes(space, format);
  return (space->key_words + 1) * sizeof *words + *body_bytes;
}

static void read(Space *space, const void *message) {
  if (space->receive) {
    space->receive(space, message);
    return;
  }
  const uint64_t *words = message;
  const uint32_t key_words = space->key_words;
  space->load(space, words, words + key_words + 1, (uint32_t)words[key_words]);
}

void post_copy(Space *to, Space *from, void *message) {
  if (from->pack)
    from->pack(from);
  size_t unused;
  write(from, message, &unused);
  read(to, message);
}

static void learn_verdict(Post *post) {
  post->verdict = atomic_load(&post->trial->verdict);
  post->space->leaves_others = post->verdict == TRIAL_LEAVE;
}

static bool sends_few(const Post *post) {
  return post->space->partition && post->space->partition->together > 1;
}

Asking post_asking(Post *post) {
  if (post->verdict == TRIAL_OPEN)
    learn_verdict(post);
  return post->verdict == TRIAL_LEAVE                     ? ASK_NEVER
         : post->verdict == TRIAL_OPEN && sends_few(post) ? ASK_LATER
                                                          : ASK_NOW;
}

// A node that is left unfinished saves preparing for it, but it is not seen any more that it was
// sent before.
static void count_look(Post *post, bool is_found) {
  Trial *trial = post->trial;
  const Space *space = post->space;
  // It would take long where few nodes are sent.
  const uint64_t tried = (uint64_t)TRIED * post->workers / (sends_few(post) ? 4 : 1);
  const uint64_t looked = atomic_fetch_add(&trial->looked, 1) + 1;
  if (looked > tried) {
    atomic_fetch_add(&trial->found, is_found);
    atomic_fetch_add(&trial->prepared, (uint32_t)(space->prepared - post->prepared));
  }
  post->prepared = space->prepared;
  if (looked == 2 * tried) {
    const uint64_t found = atomic_load(&trial->found), sent = found < tried ? tried - found : 0;
    const bool leaves = space->finish && space->partition &&
                        atomic_load(&trial->prepared) * sent * EAGER >= tried * tried;
    atomic_store(&trial->verdict, leaves ? TRIAL_LEAVE : TRIAL_FINISH);
  }
  learn_verdict(post);
}

// Whether the very same node was sent before; else it is remembered. Its owner has it, or a
// larger one, by the time that the search is over.
static bool was_sent(Post *post, uint64_t hash) {
  const Space *space = post->space;
  const uint32_t words = space->key_words;
  if (!post->sent || !space->word)
    return false;
  const uint64_t mixed = (hash ^ space->word) * 0x9e3779b97f4a7c15u;
  uint64_t *sent = post->sent + (mixed >> 32) % SENT * (words + 1);
  const bool is_found =
      sent[words] == space->word && !memcmp(sent, space->key, words * sizeof *sent);
  if (post->verdict == TRIAL_OPEN)
    count_look(post, is_found);
  if (!is_found) {
    memcpy(sent, space->key, words * sizeof *sent);
    sent[words] = space->word;
  }
  return is_found;
}

void post_send(Post *post, uint32_t owner, NodeRef parent) {
  Space *space = post->space;
  const uint64_t hash = store_hash(space->key, space->key_words);
  if (!space->is_unfinished && was_sent(post, hash)) {
    post->stats->covered++;
    return;
  }
  Head *head = worker_room(post->worker, owner);
  size_t body_bytes;
  const size_t bytes = (write(space, head + 1, &body_bytes) + 7) / 8 * 8;
  if (space->failure) // the node outgrew its representation: it is none
    return;
  *head = (Head){.parent = space->trail ? space->trail->now : parent,
                 .ordinal = space->ordinal,
                 .hint = order_hint(post->order),
                 .bytes = (uint32_t)bytes,
                 .hash = hash,
                 .body_bytes = (uint32_t)body_bytes,
                 .is_unfinished = space->is_unfinished};
  space->is_unfinished = false;
  worker_wrote(post->worker, owner, sizeof *head + bytes);
}

void post_give(Post *post, uint32_t to, NodeRef ref) {
  Space *space = post->space;
  const Node *node = store_node(post->store, ref);
  Head *head = worker_room(post->worker, to);
  uint32_t format;
  size_t unused;
  const void *body = store_body(post->store, ref, &format);
  space->load(space, store_key(post->store, node->group), body, format);
  const size_t bytes = (write(space, head + 1, &unused) + 7) / 8 * 8;
  *head = (Head){.parent = store_global(post->store, ref),
                 .hint = order_round(post->order, ref),
                 .bytes = (uint32_t)bytes,
                 .is_gift = true};
  worker_wrote(post->worker, to, sizeof *head + bytes);
}

// A worker that is given more before it has visited all never comes to the end of them: those
// that were visited make room.
static void drop_visited(Post *post) {
  if (post->gifts_read < post->gifts.size / 2)
    return;
  post->gifts.size -= post->gifts_read;
  memmove(post->gifts.items, post->gifts.items + post->gifts_read,
          post->gifts.size * sizeof *post->gifts.items);
  post->gifts_read = 0;
}

static void put_aside(Post *post, const Head *head) {
  if (post->gifts_read)
    drop_visited(post);
  const uint32_t words = (uint32_t)((sizeof *head + head->bytes) / sizeof(uint64_t));
  vec_reserve(post->mem, &post->gifts, post->gifts.size + words + SPACE_SLACK / sizeof(uint64_t));
  memcpy(post->gifts.items + post->gifts.size, head, words * sizeof(uint64_t));
  post->gifts.size += words;
  post->gift_count++;
}

// By way of the current node, which is written as if it were to be stored.
static void open_message(Post *post, const uint64_t *message) {
  Space *space = post->space;
  space->receive(space, message);
  space->prepare(space);
  const uint32_t format = space->format(space);
  space->write(space, post->body, format);
  space->open(space, message, post->body, format);
}

NodeRef post_open_gift(Post *post) {
  Space *space = post->space;
  if (!post->gift_count)
    return NODE_NONE;
  const Head *head = (const Head *)(const void *)(post->gifts.items + post->gifts_read);
  const uint64_t *key = (const uint64_t *)(const void *)(head + 1);
  if (!space->send)
    space->open(space, key, key + space->key_words + 1, (uint32_t)key[space->key_words]);
  else if (space->recognise)
    space->open(space, key, space->recognise(space, key), 0);
  else
    open_message(post, key);
  order_visit(post->order, key, head->hint);
  post->gifts_read += (uint32_t)((sizeof *head + head->bytes) / sizeof(uint64_t));
  if (!--post->gift_count)
    post->gifts_read = post->gifts.size = 0; // the last one is still there
  return head->parent;
}

static const Head *message_at(const Batch *batch, size_t at) {
  return (const Head *)(const void *)(batch->bytes + at);
}

// Has the memory fetched that the next messages need.
static void fetch(Post *post) {
  const Space *space = post->space;
  StoreKey keys[AHEAD];
  uint32_t count = 0;
  for (post->fetched = post->read; count < AHEAD && post->fetched < post->batch->size; count++) {
    const Head *head = message_at(post->batch, post->fetched);
    keys[count] =
        (StoreKey){.key = (const uint64_t *)(const void *)(head + 1), .hash = head->hash};
    post->fetched += sizeof *head + head->bytes;
  }
  for (FetchStage stage = FETCH_SLOT; stage <= FETCH_LINK; stage++) {
    store_fetch(post->store, keys, count, stage);
    for (uint32_t i = 0; i < count && space->fetch && stage < FETCH_LINK; i++)
      space->fetch(space, keys[i].key, stage);
  }
}

// The next message, NULL if there is none now.
static const Head *next_message(Post *post) {
  if (post->batch && post->read == post->batch->size) {
    worker_hand_back(post->worker, post->batch);
    post->batch = NULL;
  }
  if (!post->batch) {
    post->batch = worker_mail(post->worker);
    post->read = post->fetched = 0;
  }
  if (!post->batch)
    return NULL;
  if (post->read == post->fetched && post->store->table)
    fetch(post);
  const Head *head = message_at(post->batch, post->read);
  post->read += sizeof *head + head->bytes;
  return head;
}

// Most nodes are made several times over: where these are compared byte by byte, they are not
// unpacked.
static bool is_known(const Post *post, const Head *head) {
  Space *space = post->space;
  const uint64_t *words = (const uint64_t *)(const void *)(head + 1);
  if (space->send) {
    const void *body = space->recognise ? space->recognise(space, words) : NULL;
    return body &&
           store_has(post->store, words, head->hash, body, space->body_bytes(space, 0), 0);
  }
  return store_has(post->store, words, head->hash, words + space->key_words + 1, head->body_bytes,
                   (uint32_t)words[space->key_words]);
}

// Deals with a message; true if its node becomes the current one.
static bool receive(Post *post, const Head *head) {
  Space *space = post->space;
  post->was_unfinished = head->is_unfinished;
  if (head->is_unfinished) {
    const bool is_node = space->finish(space, head + 1);
    post->stats->transitions += is_node;
    return is_node || space->failure;
  }
  if (head->is_gift) {
    put_aside(post, head);
    return false;
  }
  if (is_known(post, head)) {
    post->stats->covered++;
    return false;
  }
  read(space, head + 1);
  return true;
}

bool post_receive(Post *post, NodeRef *parent) {
  const Head *head = next_message(post);
  if (!head)
    return false;
  post->has_node = receive(post, head);
  if (!post->has_node)
    return true;
  post->space->ordinal = head->ordinal;
  if (post->space->trail)
    post->space->trail->now = head->parent;
  order_expect(post->order, head->hint);
  *parent = head->parent;
  return true;
}
