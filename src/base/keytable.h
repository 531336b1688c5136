// The key table: finds items by key. An item is a key and a few bits of value. The table is the
// passed list of spaces whose nodes are such items (search/space/passed.h); other modules use it
// to number words.
//
// Representation: items of key_bytes + value_bytes lie one after the other in pages and never
// move, so a reference is the number of an item. One hash table with open addressing has 32-bit
// slots: some bits hold the reference, the others a tag of the hash. When the table is nine
// tenths full, it is rebuilt from the items, a fifth larger (small tables double). It takes at
// most 5.4 bytes per item.
#pragma once

#include "base/vec.h"

typedef struct KeyTable {
  Mem *mem;
  uint32_t key_words, key_bytes; // bytes beyond key_bytes are zero in every key
  uint32_t item_bytes;           // with the value, of at most 8
  uint64_t last_mask;            // of the last key word
  uint64_t value_mask;
  uint32_t size; // items
  VEC(char *) pages;
  uint32_t *slots; // 0 is free
  uint32_t slot_count, slot_limit;
  uint32_t ref_bits; // of a slot
  uint64_t *scratch; // a key
} KeyTable;

void keytable_init(KeyTable *, Mem *, uint32_t key_bytes, uint32_t value_bytes);

// The item with this key, made (value 0) if it is new. Never UINT32_MAX.
uint32_t keytable_add(KeyTable *, const uint64_t *key, bool *is_new);

void keytable_key(const KeyTable *, uint32_t ref, uint64_t *key);
uint64_t keytable_value(const KeyTable *, uint32_t ref);
void keytable_set_value(KeyTable *, uint32_t ref, uint64_t value);

size_t keytable_bytes(const KeyTable *); // memory in use
bool keytable_ok(const KeyTable *);      // every item is found, for tests
