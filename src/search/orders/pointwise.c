// The list of the waiting strategy (HT15), with the place of a new node found at once.
//
// Nodes with the same vector, a *class*, stand in the list in the order of their age. For let c
// be the oldest of a class C: what c precedes stands behind it, the older nodes since c went
// before the first of them, the younger ones since they went before something that c precedes as
// well, or to the end. So do younger nodes of C, which went before such a one. That dropped nodes
// leave the list changes the places of none.
//
// Therefore a new node goes before the first of those nodes that are the oldest of a class
// which it precedes. Places are compared by labels (base/sequence.h). There are far fewer classes
// than nodes, and they are looked at 512 at a time: for each process p and index a but the last,
// a block of classes has a *plane*, whose bits say which of them have an index of at most a in
// p. Nodes of one class go before the same node, until a class has come, which may lie
// between, or that node has been dropped.
#include "search/orders/pointwise.h"

#include "base/clones.h"
#include "base/intern.h"
#include "base/sequence.h"

enum { WORDS = 8, BLOCK = 64 * WORDS, NONE = 0 };

typedef struct Plane { // bits for the classes of a block; 64 bytes
  uint64_t words[WORDS];
} Plane;
typedef uint64_t Bits __attribute__((vector_size(sizeof(Plane)), aligned(8), may_alias));

typedef struct Item {      // a waiting node, with its number in the sequence; 0 is none
  uint32_t older, younger; // in its class
  uint32_t class;
  NodeRef ref;
} Item;

typedef struct Class { // of waiting nodes; they are numbered anew once they have become empty
  uint32_t vector;     // number of its vector
  uint32_t oldest, youngest;
  uint32_t goal;    // before which the last one went
  uint64_t changes; // at that time
} Class;

struct Pointwise {
  Mem *mem;
  uint32_t width;
  uint32_t planes; // of a block: the first tells which classes there are
  uint32_t *plane; // by process, and one more: where its planes start in a block
  Sequence sequence;
  VEC(Item) items;
  Intern vectors;
  VEC(uint32_t) class_of; // by number of a vector: class + 1, 0 if there is none
  VEC(Class) classes;
  VEC(uint32_t) unused; // classes
  VEC(Plane) blocks;
  uint64_t changes;   // how often a class has come, or the oldest node of one has been dropped
  Pool places;        // by NodeRef: its item
  uint32_t *not_less; // scratch: the planes which a class must not be in
};

Pointwise *pointwise_new(Mem *mem, uint32_t width, const uint32_t *sizes) {
  Pointwise *list = mem_alloc(mem, sizeof *list);
  *list = (Pointwise){.mem = mem, .width = width, .planes = 1, .sequence = {.mem = mem}};
  list->plane = mem_alloc(mem, sizeof(uint32_t) * (2 * (size_t)width + 1));
  list->not_less = list->plane + width + 1;
  for (uint32_t p = 0; p < width; p++) {
    list->plane[p] = list->planes;
    list->plane[p + 1] = list->planes += sizes[p] - 1;
  }
  intern_init(&list->vectors, mem);
  pool_init(&list->places, mem, sizeof(uint32_t));
  return list;
}

static Plane *block_of(const Pointwise *list, uint32_t class) {
  return list->blocks.items + (size_t)(class / BLOCK) * list->planes;
}

static void set_bit(Plane *plane, uint32_t class, bool is_in) {
  uint64_t *word = &plane->words[class % BLOCK / 64];
  const uint64_t bit = (uint64_t)1 << class % 64;
  *word = is_in ? *word | bit : *word & ~bit;
}

static uint32_t new_class(Pointwise *list, uint32_t number, const uint32_t *vector) {
  uint32_t class = list->classes.size;
  if (list->unused.size) {
    class = vec_pop(&list->unused);
  } else {
    vec_push(list->mem, &list->classes, (Class){0});
    for (uint32_t i = 0; i < list->planes && class % BLOCK == 0; i++)
      vec_push(list->mem, &list->blocks, (Plane){{0}});
  }
  Plane *block = block_of(list, class);
  set_bit(block, class, true);
  for (uint32_t p = 0; p < list->width; p++)
    for (uint32_t i = list->plane[p]; i < list->plane[p + 1]; i++)
      set_bit(&block[i], class, vector[p] <= i - list->plane[p]);
  list->classes.items[class] = (Class){.vector = number};
  list->class_of.items[number - 1] = class + 1;
  list->changes++;
  return class;
}

static uint32_t find_class(Pointwise *list, const uint32_t *vector) {
  const uint32_t number = intern_number(&list->vectors, vector, list->width * sizeof *vector);
  if (number > list->class_of.size)
    vec_push(list->mem, &list->class_of, 0);
  const uint32_t class = list->class_of.items[number - 1];
  return class ? class - 1 : new_class(list, number, vector);
}

// Those classes of a block that have no lower index than the vector in any process.
DBM_INLINE Plane above(const Pointwise *list, const Plane *block, uint32_t count) {
  Bits classes = *(const Bits *)block;
  for (uint32_t i = 0; i < count; i++)
    classes &= ~*(const Bits *)&block[list->not_less[i]];
  Plane result;
  *(Bits *)&result = classes;
  return result;
}

// The oldest node of these classes, 64 from `first` on, that comes first, if it comes before the
// goal.
DBM_INLINE uint32_t first_of(const Pointwise *list, uint32_t first, uint64_t classes,
                             uint32_t goal) {
  for (; classes; classes &= classes - 1) {
    const uint32_t class = first + (uint32_t)__builtin_ctzll(classes);
    const uint32_t oldest = list->classes.items[class].oldest;
    if (sequence_label(&list->sequence, oldest) < sequence_label(&list->sequence, goal))
      goal = oldest;
  }
  return goal;
}

// The oldest node that comes first of those classes, other than `own`, that are in none of the
// first `count` planes of `not_less`; NONE if there is none.
DBM_CLONES static uint32_t scan(const Pointwise *list, uint32_t own, uint32_t count) {
  uint32_t goal = NONE;
  for (uint32_t first = 0; first < list->classes.size; first += BLOCK) {
    Plane found = above(list, block_of(list, first), count);
    if (own / BLOCK == first / BLOCK)
      set_bit(&found, own, false);
    for (uint32_t j = 0; j < WORDS; j++)
      goal = first_of(list, first + 64 * j, found.words[j], goal);
  }
  return goal;
}

// The first node in the list that one of this class precedes, NONE if there is none.
static uint32_t find_goal(Pointwise *list, uint32_t own, const uint32_t *vector) {
  uint32_t count = 0;
  for (uint32_t p = 0; p < list->width; p++)
    if (vector[p])
      list->not_less[count++] = list->plane[p] + vector[p] - 1;
  return scan(list, own, count);
}

// A new item before another one, the youngest of its class.
static uint32_t insert(Pointwise *list, uint32_t goal, uint32_t number, NodeRef ref) {
  const uint32_t at = sequence_insert(&list->sequence, goal);
  Class *class = &list->classes.items[number];
  while (list->items.size <= at)
    vec_push(list->mem, &list->items, (Item){0});
  list->items.items[at] = (Item){.older = class->youngest, .class = number, .ref = ref};
  if (class->youngest)
    list->items.items[class->youngest].younger = at;
  else
    class->oldest = at;
  class->youngest = at;
  return at;
}

void pointwise_push(Pointwise *list, NodeRef ref, const uint32_t *vector) {
  const uint32_t number = find_class(list, vector);
  Class *class = &list->classes.items[number];
  if (!class->oldest || class->changes != list->changes)
    class->goal = find_goal(list, number, vector);
  class->changes = list->changes;
  while (list->places.size <= ref) // those between, of a resumed search, do not wait
    *(uint32_t *)pool_at(&list->places, pool_add(&list->places)) = NONE;
  *(uint32_t *)pool_at(&list->places, ref) = insert(list, class->goal, number, ref);
}

static void remove_item(Pointwise *list, uint32_t at) {
  const Item item = list->items.items[at];
  Class *class = &list->classes.items[item.class];
  if (item.older)
    list->items.items[item.older].younger = item.younger;
  else
    class->oldest = item.younger;
  if (item.younger)
    list->items.items[item.younger].older = item.older;
  else
    class->youngest = item.older;
  if (!class->oldest) {
    set_bit(block_of(list, item.class), item.class, false);
    list->class_of.items[class->vector - 1] = 0;
    vec_push(list->mem, &list->unused, item.class);
  }
  sequence_remove(&list->sequence, at);
  uint32_t *place = pool_at(&list->places, item.ref);
  if (*place == at) // else it waits again
    *place = NONE;
}

void pointwise_drop(Pointwise *list, NodeRef ref) {
  if (ref >= list->places.size || !*(uint32_t *)pool_at(&list->places, ref))
    return;
  const uint32_t at = *(uint32_t *)pool_at(&list->places, ref);
  list->changes += !list->items.items[at].older; // others may have been meant to go before it
  remove_item(list, at);
}

NodeRef pointwise_pop(Pointwise *list) {
  const uint32_t at = sequence_first(&list->sequence);
  if (!at)
    return NODE_NONE;
  const NodeRef ref = list->items.items[at].ref;
  remove_item(list, at);
  return ref;
}
