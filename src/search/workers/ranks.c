#include "search/workers/ranks.h"

#include <stdio.h>
#include <string.h>

typedef struct Decision {
  ReachResult result;
  bool has_place;
  NodeRef goal_parent;
  uint32_t goal_ordinal, offset;  // of the place in the model
  char reason[300], failure[500]; // empty: there is none
} Decision;

_Static_assert(sizeof(Decision) <= RELAY_DECISION, "a decision is one word between relays");

static void copy_text(char *to, size_t size, const char *text) {
  snprintf(to, size, "%s", text ? text : "");
}

void ranks_decide(Reach *reach, ReachResult result) {
  const Space *space = reach->space;
  const Place place = space->failure_place;
  Decision decision = {.result = result,
                       .has_place = space->net && place.source == space->net->origin.place.source,
                       .goal_parent = reach->goal_parent,
                       .goal_ordinal = reach->goal_ordinal,
                       .offset = place.offset};
  copy_text(decision.reason, sizeof decision.reason, reach->stop_reason);
  copy_text(decision.failure, sizeof decision.failure, space->failure);
  relay_decide(team_relay(reach->peers->team), &decision, sizeof decision);
}

// What a process tells of its part.
typedef struct Ending {
  Statistics stats;
  uint64_t invalid; // transitions that the range of a variable forbade
  uint32_t invalid_offset;
} Ending;

static const char *keep_text(Mem *mem, const char *text) {
  return *text ? mem_copy_text(mem, text, strlen(text)) : NULL;
}

static void take_over(Reach *reach, const Decision *decision) {
  Peers *peers = reach->peers;
  Space *space = reach->space;
  Mem *mem = peers->mems[0];
  peers->result = decision->result;
  peers->decider = reach;
  reach->goal_parent = decision->goal_parent;
  reach->goal_ordinal = decision->goal_ordinal;
  reach->stop_reason = keep_text(mem, decision->reason);
  space->failure = keep_text(mem, decision->failure);
  space->failure_place = decision->has_place && space->net
                             ? (Place){space->net->origin.place.source, decision->offset}
                             : (Place){0};
}

void ranks_finish(Reach *reach) {
  Peers *peers = reach->peers;
  Link *link = peers->link;
  const Net *net = reach->space->net;
  VmInvalid *invalid = &reach->space->invalid;
  const void *word = relay_finish(team_relay(peers->team));
  Ending ending = {
      .stats = *reach->stats, .invalid = invalid->count, .invalid_offset = invalid->first.offset};
  if (link->rank) {
    link_tell(link, 0, &ending, sizeof ending);
    return;
  }
  peers->decider = NULL;
  if (word) {
    Decision decision; // the word may lie anywhere
    memcpy(&decision, word, sizeof decision);
    take_over(reach, &decision);
  }
  for (uint32_t rank = 1; rank < link->ranks; rank++) {
    link_hear_into(link, rank, &ending, sizeof ending);
    statistics_add(reach->stats, &ending.stats);
    const VmInvalid part = {ending.invalid,
                            net ? (Place){net->origin.place.source, ending.invalid_offset}
                                : (Place){0}};
    vm_add_invalid(invalid, &part);
  }
}

typedef struct Request {
  uint32_t kind; // RANKS_ASK
  NodeRef ref;
  bool is_first;
} Request;

enum { MAX_STEPS = 4096 };

typedef struct Way {
  NodeRef next;
  uint32_t count;
  uint32_t ordinals[MAX_STEPS];
} Way;

// Of this process's nodes; at most so many steps.
static NodeRef follow_nodes(const Peers *peers, NodeRef ref, uint32_t max, Mem *mem,
                            Ordinals *ordinals) {
  const Reach *reach;
  for (uint32_t i = 0; i < max && ref != NODE_NONE; i++) {
    if (!(reach = peers_member(peers, ref % peers->all)))
      break;
    const Node *node = store_node(&reach->store, ref / peers->all);
    vec_push(mem, ordinals, node->ordinal);
    ref = node->parent;
  }
  return ref;
}

NodeRef ranks_trail(const Peers *peers, NodeRef ref, bool is_first, uint32_t max, Mem *mem,
                    TrailSteps *steps) {
  const Trail **trails = mem_alloc(mem, peers->all * sizeof *trails);
  for (uint32_t i = 0; i < peers->count; i++)
    trails[peers->first + i] = peers->members[i]->passed->trail;
  const uint32_t mark =
      is_first ? trail_newest(trails[ref % peers->all], ref / peers->all) : ref + 1;
  const uint32_t left = trail_steps(trails, peers->all, mark, max, mem, steps);
  mem_free(mem, trails);
  return left - 1; // NODE_NONE for 0
}

static NodeRef follow(const Reach *reach, const Request *request, uint32_t max, Mem *mem,
                      Ordinals *ordinals) {
  if (!reach->passed->trail)
    return follow_nodes(reach->peers, request->ref, max, mem, ordinals);
  TrailSteps steps = {0};
  const NodeRef left =
      ranks_trail(reach->peers, request->ref, request->is_first, max, mem, &steps);
  for (uint32_t i = 0; i < steps.size; i++)
    if (steps.items[i].ordinal != SPACE_DELAY)
      vec_push(mem, ordinals, steps.items[i].ordinal);
  vec_release(mem, &steps);
  return left;
}

NodeRef ranks_follow(const Reach *reach, NodeRef ref, bool is_first, Mem *mem,
                     Ordinals *ordinals) {
  const Peers *peers = reach->peers;
  const Request request = {.kind = RANKS_ASK, .ref = ref, .is_first = is_first};
  if (peers_member(peers, ref % peers->all))
    return follow(reach, &request, UINT32_MAX, mem, ordinals);
  const uint32_t rank = ref % peers->all / peers->count;
  Way *way = mem_alloc(mem, sizeof *way);
  link_tell(peers->link, rank, &request, sizeof request);
  link_hear_into(peers->link, rank, way, sizeof *way);
  const NodeRef next = way->next;
  for (uint32_t i = 0; i < way->count; i++)
    vec_push(mem, ordinals, way->ordinals[i]);
  mem_free(mem, way);
  return next;
}

void ranks_answer(Reach *reach, const void *request) {
  Ordinals ordinals = {0};
  Way way = {.next = follow(reach, request, MAX_STEPS, reach->mem, &ordinals),
             .count = ordinals.size};
  if (ordinals.size)
    memcpy(way.ordinals, ordinals.items, ordinals.size * sizeof *ordinals.items);
  vec_release(reach->mem, &ordinals);
  link_tell(reach->peers->link, 0, &way, sizeof way);
}
