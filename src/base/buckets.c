// A bucket that runs empty stays in the heap until it is the first there: the next references
// often go where the last ones came from.
#include "base/buckets.h"

enum { FIRST_SIZE = 64 }; // of the table, a power of two

void buckets_init(Buckets *buckets, Mem *mem) {
  *buckets = (Buckets){.mem = mem, .free = BUCKETS_NONE, .mask = FIRST_SIZE - 1};
  buckets->table = mem_alloc(mem, sizeof(uint32_t) * FIRST_SIZE);
  for (uint32_t i = 0; i < FIRST_SIZE; i++)
    buckets->table[i] = BUCKETS_NONE;
  pool_init(&buckets->after, mem, sizeof(uint32_t));
}

static uint32_t *after(const Buckets *buckets, uint32_t ref) {
  return pool_at(&buckets->after, ref);
}

// Where the chain of a class starts.
static uint32_t *chain_of(const Buckets *buckets, uint64_t high, uint32_t low) {
  const uint64_t mixed = (high ^ (uint64_t)low << 24) * 0x9e3779b97f4a7c15;
  return &buckets->table[mixed >> 40 & buckets->mask];
}

static void grow_table(Buckets *buckets) {
  const uint32_t size = 2 * (buckets->mask + 1);
  mem_free(buckets->mem, buckets->table);
  buckets->table = NULL; // should there be no memory
  buckets->table = mem_alloc(buckets->mem, sizeof(uint32_t) * size);
  buckets->mask = size - 1;
  for (uint32_t i = 0; i < size; i++)
    buckets->table[i] = BUCKETS_NONE;
  for (uint32_t i = 0; i < buckets->items.size; i++) { // all of them are in use
    Bucket *bucket = &buckets->items.items[i];
    uint32_t *chain = chain_of(buckets, bucket->high, bucket->low);
    bucket->next = *chain;
    *chain = i;
  }
}

static uint32_t new_number(Buckets *buckets) {
  if (buckets->free == BUCKETS_NONE) {
    if (buckets->items.size > buckets->mask)
      grow_table(buckets);
    vec_push(buckets->mem, &buckets->items, (Bucket){0});
    return buckets->items.size - 1;
  }
  const uint32_t number = buckets->free;
  buckets->free = buckets->items.items[number].next;
  return number;
}

static Bucket *find_bucket(Buckets *buckets, uint64_t high, uint32_t low) {
  for (uint32_t i = *chain_of(buckets, high, low); i != BUCKETS_NONE;) {
    Bucket *bucket = &buckets->items.items[i];
    if (bucket->high == high && bucket->low == low)
      return bucket;
    i = bucket->next;
  }
  const uint32_t number = new_number(buckets);
  uint32_t *chain = chain_of(buckets, high, low);
  Bucket *bucket = &buckets->items.items[number];
  *bucket = (Bucket){high, low, *chain, BUCKETS_NONE, BUCKETS_NONE};
  *chain = number;
  heap_push(&buckets->heap, buckets->mem, (HeapKey){high, (uint64_t)low << 32 | number});
  return bucket;
}

void buckets_push(Buckets *buckets, HeapKey key) {
  const uint32_t ref = (uint32_t)key.low;
  Bucket *bucket = find_bucket(buckets, key.high, (uint32_t)(key.low >> 32));
  if (bucket->first != BUCKETS_NONE && ref <= bucket->last) {
    heap_push(&buckets->late, buckets->mem, key);
    return;
  }
  while (buckets->after.size <= ref)
    pool_add(&buckets->after);
  if (bucket->first == BUCKETS_NONE)
    bucket->first = ref;
  else
    *after(buckets, bucket->last) = ref;
  bucket->last = ref;
}

static void drop_bucket(Buckets *buckets, uint32_t number) {
  Bucket *bucket = &buckets->items.items[number];
  uint32_t *link = chain_of(buckets, bucket->high, bucket->low);
  while (*link != number)
    link = &buckets->items.items[*link].next;
  *link = bucket->next;
  bucket->next = buckets->free;
  buckets->free = number;
  heap_pop(&buckets->heap);
}

// The first bucket with something in it, NULL if there is none.
static Bucket *first_bucket(Buckets *buckets) {
  while (buckets->heap.size) {
    const uint32_t number = (uint32_t)buckets->heap.items[0].low;
    Bucket *bucket = &buckets->items.items[number];
    if (bucket->first != BUCKETS_NONE)
      return bucket;
    drop_bucket(buckets, number);
  }
  return NULL;
}

bool buckets_pop(Buckets *buckets, HeapKey *key) {
  Bucket *bucket = first_bucket(buckets);
  if (bucket)
    *key = (HeapKey){bucket->high, (uint64_t)bucket->low << 32 | bucket->first};
  if (buckets->late.size && (!bucket || heap_is_less(buckets->late.items[0], *key))) {
    *key = heap_pop(&buckets->late);
    return true;
  }
  if (!bucket)
    return false;
  bucket->first = bucket->first == bucket->last ? BUCKETS_NONE : *after(buckets, bucket->first);
  return true;
}

uint32_t buckets_peek(const Buckets *buckets, uint32_t *refs, uint32_t max) {
  if (!buckets->heap.size)
    return 0;
  const Bucket *bucket = &buckets->items.items[(uint32_t)buckets->heap.items[0].low];
  uint32_t count = 0, ref = bucket->first;
  if (ref == BUCKETS_NONE)
    return 0;
  while (count < max) {
    refs[count++] = ref;
    if (ref == bucket->last)
      break;
    ref = *after(buckets, ref);
  }
  return count;
}

static bool is_chained(const Buckets *buckets, uint32_t number) {
  const Bucket *bucket = &buckets->items.items[number];
  uint32_t i = *chain_of(buckets, bucket->high, bucket->low);
  while (i != BUCKETS_NONE && i != number)
    i = buckets->items.items[i].next;
  return i == number;
}

bool buckets_ok(const Buckets *buckets) {
  uint32_t unused = 0;
  for (uint32_t i = buckets->free; i != BUCKETS_NONE; i = buckets->items.items[i].next)
    unused++;
  for (uint32_t i = 0; i < buckets->heap.size; i++) {
    const HeapKey key = buckets->heap.items[i];
    const Bucket *bucket = &buckets->items.items[(uint32_t)key.low];
    if (!is_chained(buckets, (uint32_t)key.low) || bucket->high != key.high ||
        bucket->low != key.low >> 32)
      return false;
    for (uint32_t ref = bucket->first; ref != BUCKETS_NONE && ref != bucket->last;
         ref = *after(buckets, ref))
      if (*after(buckets, ref) <= ref)
        return false;
  }
  return buckets->heap.size + unused == buckets->items.size;
}
