#include "base/keytable.h"

#include "base/testbuild.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PAGE_SHIFT = 12, SLACK = 8, LEAST_SLOTS = LOWERED(256, 256, 8) };
enum { DOUBLED_SLOTS = LOWERED(1 << 15, 1 << 15, 1 << 6) };

void keytable_init(KeyTable *table, Mem *mem, uint32_t key_bytes, uint32_t value_bytes) {
  const uint32_t words = (key_bytes + 7) / 8;
  *table = (KeyTable){.mem = mem,
                      .key_words = words,
                      .key_bytes = key_bytes,
                      .item_bytes = key_bytes + value_bytes};
  table->scratch = mem_alloc(mem, words * sizeof *table->scratch);
  table->last_mask = UINT64_MAX >> (words * 8 - key_bytes) * 8;
  table->value_mask = value_bytes ? UINT64_MAX >> (8 - value_bytes) * 8 : 0;
}

static char *item_at(const KeyTable *table, uint32_t ref) {
  return table->pages.items[ref >> PAGE_SHIFT] +
         (size_t)(ref & ((1u << PAGE_SHIFT) - 1)) * table->item_bytes;
}

// Whole words are read, whatever follows the item: pages have slack.
static uint64_t load(const char *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static uint64_t hash_key(const KeyTable *table, const uint64_t *key) {
  if (table->key_words > 1)
    return XXH3_64bits(key, table->key_words * sizeof *key);
  uint64_t hash = *key * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
  return hash ^ hash >> 32;
}

static bool same_key(const KeyTable *table, uint32_t ref, const uint64_t *key) {
  const char *item = item_at(table, ref);
  const uint32_t last = table->key_words - 1;
  uint64_t difference = (load(item + last * sizeof *key) & table->last_mask) ^ key[last];
  for (uint32_t i = 0; i < last; i++)
    difference |= load(item + i * sizeof *key) ^ key[i];
  return !difference;
}

void keytable_key(const KeyTable *table, uint32_t ref, uint64_t *key) {
  const char *item = item_at(table, ref);
  const uint32_t last = table->key_words - 1;
  for (uint32_t i = 0; i < last; i++)
    key[i] = load(item + i * sizeof *key);
  key[last] = load(item + last * sizeof *key) & table->last_mask;
}

uint64_t keytable_value(const KeyTable *table, uint32_t ref) {
  return load(item_at(table, ref) + table->key_bytes) & table->value_mask;
}

void keytable_set_value(KeyTable *table, uint32_t ref, uint64_t value) {
  char *at = item_at(table, ref) + table->key_bytes;
  const uint64_t word = (load(at) & ~table->value_mask) | value;
  memcpy(at, &word, sizeof word);
}

static uint32_t first_slot(const KeyTable *table, uint64_t hash) {
  return (uint32_t)((hash >> 32) * table->slot_count >> 32);
}

static uint32_t next_slot(const KeyTable *table, uint32_t slot) {
  return slot + 1 < table->slot_count ? slot + 1 : 0;
}

static uint32_t slot_of(const KeyTable *table, uint64_t hash, uint32_t ref) {
  return (uint32_t)hash << table->ref_bits | (ref + 1);
}

// The old table is dropped first: it is not needed to make the new one.
static void grow(KeyTable *table) {
  const uint64_t count = table->slot_count;
  const uint64_t wanted = count < LEAST_SLOTS     ? LEAST_SLOTS
                          : count < DOUBLED_SLOTS ? count * 2
                                                  : count + count / 5;
  if (wanted > INT32_MAX) // a slot would have no room for the reference
    mem_exhausted(table->mem);
  mem_free(table->mem, table->slots);
  table->slots = NULL; // in case there is no memory
  table->slots = mem_alloc(table->mem, wanted * sizeof *table->slots);
  table->slot_count = (uint32_t)wanted;
  table->slot_limit = (uint32_t)(wanted / 10 * 9);
  table->ref_bits = 32 - (uint32_t)__builtin_clz(table->slot_count);
  for (uint32_t ref = 0; ref < table->size; ref++) {
    mem_tick_item(table->mem, ref, NULL);
    keytable_key(table, ref, table->scratch);
    const uint64_t hash = hash_key(table, table->scratch);
    uint32_t slot = first_slot(table, hash);
    while (table->slots[slot])
      slot = next_slot(table, slot);
    table->slots[slot] = slot_of(table, hash, ref);
  }
}

static void append(KeyTable *table, const uint64_t *key) {
  if (!(table->size & ((1u << PAGE_SHIFT) - 1))) {
    vec_reserve(table->mem, &table->pages, table->pages.size + 1);
    const size_t bytes = ((size_t)table->item_bytes << PAGE_SHIFT) + SLACK;
    table->pages.items[table->pages.size] = mem_alloc(table->mem, bytes);
    table->pages.size++;
  }
  memcpy(item_at(table, table->size++), key, table->key_bytes);
}

uint32_t keytable_add(KeyTable *table, const uint64_t *key, bool *is_new) {
  if (table->size >= table->slot_limit)
    grow(table);
  const uint64_t hash = hash_key(table, key);
  const uint32_t ref_mask = (1u << table->ref_bits) - 1;
  const uint32_t tag = slot_of(table, hash, UINT32_MAX) & ~ref_mask;
  uint32_t slot = first_slot(table, hash);
  for (uint32_t entry; (entry = table->slots[slot]); slot = next_slot(table, slot))
    if ((entry & ~ref_mask) == tag && same_key(table, (entry & ref_mask) - 1, key)) {
      *is_new = false;
      return (entry & ref_mask) - 1;
    }
  const uint32_t ref = table->size;
  append(table, key);
  table->slots[slot] = slot_of(table, hash, ref);
  *is_new = true;
  return ref;
}

size_t keytable_bytes(const KeyTable *table) {
  return table->pages.size * (((size_t)table->item_bytes << PAGE_SHIFT) + SLACK) +
         table->slot_count * sizeof *table->slots;
}

bool keytable_ok(const KeyTable *table) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < table->slot_count; i++)
    used += table->slots[i] != 0;
  KeyTable copy = *table;
  copy.slot_limit = UINT32_MAX;
  for (uint32_t ref = 0; ref < table->size; ref++) {
    bool is_new;
    keytable_key(table, ref, table->scratch);
    if (keytable_add(&copy, table->scratch, &is_new) != ref || is_new)
      return false;
  }
  return used == table->size;
}
