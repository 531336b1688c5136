#include "base/flat.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PAGE_SHIFT = 12, SLACK = 8, LEAST_SLOTS = 256, DOUBLED_SLOTS = 1 << 15 };

void flat_init(Flat *flat, Mem *mem, uint32_t key_bytes, uint32_t value_bytes) {
  const uint32_t words = (key_bytes + 7) / 8;
  *flat = (Flat){.mem = mem,
                 .key_words = words,
                 .key_bytes = key_bytes,
                 .value_bytes = value_bytes,
                 .item_bytes = key_bytes + value_bytes};
  flat->scratch = mem_alloc(mem, words * sizeof *flat->scratch);
  flat->last_mask = UINT64_MAX >> (words * 8 - key_bytes) * 8;
  flat->value_mask = value_bytes ? UINT64_MAX >> (8 - value_bytes) * 8 : 0;
}

void flat_release(Flat *flat) {
  for (uint32_t i = 0; i < flat->pages.size; i++)
    mem_free(flat->mem, flat->pages.items[i]);
  vec_release(flat->mem, &flat->pages);
  mem_free(flat->mem, flat->slots);
  mem_free(flat->mem, flat->scratch);
}

static char *item_at(const Flat *flat, uint32_t ref) {
  return flat->pages.items[ref >> PAGE_SHIFT] +
         (size_t)(ref & ((1u << PAGE_SHIFT) - 1)) * flat->item_bytes;
}

// Whole words are read, whatever follows the item: pages have slack.
static uint64_t load(const char *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static uint64_t hash_key(const Flat *flat, const uint64_t *key) {
  if (flat->key_words > 1)
    return XXH3_64bits(key, flat->key_words * sizeof *key);
  uint64_t hash = *key * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
  return hash ^ hash >> 32;
}

static bool same_key(const Flat *flat, uint32_t ref, const uint64_t *key) {
  const char *item = item_at(flat, ref);
  const uint32_t last = flat->key_words - 1;
  uint64_t difference = (load(item + last * sizeof *key) & flat->last_mask) ^ key[last];
  for (uint32_t i = 0; i < last; i++)
    difference |= load(item + i * sizeof *key) ^ key[i];
  return !difference;
}

void flat_key(const Flat *flat, uint32_t ref, uint64_t *key) {
  const char *item = item_at(flat, ref);
  const uint32_t last = flat->key_words - 1;
  for (uint32_t i = 0; i < last; i++)
    key[i] = load(item + i * sizeof *key);
  key[last] = load(item + last * sizeof *key) & flat->last_mask;
}

uint64_t flat_value(const Flat *flat, uint32_t ref) {
  return load(item_at(flat, ref) + flat->key_bytes) & flat->value_mask;
}

void flat_set_value(Flat *flat, uint32_t ref, uint64_t value) {
  char *at = item_at(flat, ref) + flat->key_bytes;
  const uint64_t word = (load(at) & ~flat->value_mask) | value;
  memcpy(at, &word, sizeof word);
}

static uint32_t first_slot(const Flat *flat, uint64_t hash) {
  return (uint32_t)((hash >> 32) * flat->slot_count >> 32);
}

static uint32_t next_slot(const Flat *flat, uint32_t slot) {
  return slot + 1 < flat->slot_count ? slot + 1 : 0;
}

static uint32_t slot_of(const Flat *flat, uint64_t hash, uint32_t ref) {
  return (uint32_t)hash << flat->ref_bits | (ref + 1);
}

// The old table is dropped first: it is not needed to make the new one.
static void grow(Flat *flat) {
  const uint64_t count = flat->slot_count;
  const uint64_t wanted = count < LEAST_SLOTS     ? LEAST_SLOTS
                          : count < DOUBLED_SLOTS ? count * 2
                                                  : count + count / 5;
  if (wanted > INT32_MAX) // a slot would have no room for the reference
    mem_exhausted(flat->mem);
  mem_free(flat->mem, flat->slots);
  flat->slots = NULL; // in case there is no memory
  flat->slots = mem_alloc(flat->mem, wanted * sizeof *flat->slots);
  flat->slot_count = (uint32_t)wanted;
  flat->slot_limit = (uint32_t)(wanted / 10 * 9);
  flat->ref_bits = 32 - (uint32_t)__builtin_clz(flat->slot_count);
  for (uint32_t ref = 0; ref < flat->size; ref++) {
    flat_key(flat, ref, flat->scratch);
    const uint64_t hash = hash_key(flat, flat->scratch);
    uint32_t slot = first_slot(flat, hash);
    while (flat->slots[slot])
      slot = next_slot(flat, slot);
    flat->slots[slot] = slot_of(flat, hash, ref);
  }
}

static void append(Flat *flat, const uint64_t *key) {
  if (!(flat->size & ((1u << PAGE_SHIFT) - 1))) {
    vec_reserve(flat->mem, &flat->pages, flat->pages.size + 1);
    const size_t bytes = ((size_t)flat->item_bytes << PAGE_SHIFT) + SLACK;
    flat->pages.items[flat->pages.size] = mem_alloc(flat->mem, bytes);
    flat->pages.size++;
  }
  memcpy(item_at(flat, flat->size++), key, flat->key_bytes);
}

uint32_t flat_add(Flat *flat, const uint64_t *key, bool *is_new) {
  if (flat->size >= flat->slot_limit)
    grow(flat);
  const uint64_t hash = hash_key(flat, key);
  const uint32_t ref_mask = (1u << flat->ref_bits) - 1;
  const uint32_t tag = slot_of(flat, hash, UINT32_MAX) & ~ref_mask;
  uint32_t slot = first_slot(flat, hash);
  for (uint32_t entry; (entry = flat->slots[slot]); slot = next_slot(flat, slot))
    if ((entry & ~ref_mask) == tag && same_key(flat, (entry & ref_mask) - 1, key)) {
      *is_new = false;
      return (entry & ref_mask) - 1;
    }
  const uint32_t ref = flat->size;
  append(flat, key);
  flat->slots[slot] = slot_of(flat, hash, ref);
  *is_new = true;
  return ref;
}

size_t flat_bytes(const Flat *flat) {
  return flat->pages.size * (((size_t)flat->item_bytes << PAGE_SHIFT) + SLACK) +
         flat->slot_count * sizeof *flat->slots;
}

bool flat_ok(const Flat *flat) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < flat->slot_count; i++)
    used += flat->slots[i] != 0;
  Flat copy = *flat;
  copy.slot_limit = UINT32_MAX;
  for (uint32_t ref = 0; ref < flat->size; ref++) {
    bool is_new;
    flat_key(flat, ref, flat->scratch);
    if (flat_add(&copy, flat->scratch, &is_new) != ref || is_new)
      return false;
  }
  return used == flat->size;
}
