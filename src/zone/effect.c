#include "zone/effect.h"

#include "zone/scene_inside.h"

// Passages are found again by many vectors, or, where each joint transition is of few, by none.
enum { LEAST_PASSAGES = (1 << 14) - 2, MOST_PASSAGES = 1 << 17 };

static void set_origin(Origins *origins, uint32_t i, ClockId origin, int32_t offset) {
  origins->origin[i] = origin;
  origins->offset[i] = offset;
  origins->has_offset |= offset != 0;
}

// Updates other than resets: each clock is followed from the last update back to the first.
static void follow_copies(const Frame *from, const Transition *t, const Frame *to,
                          Origins *origins) {
  for (uint32_t i = 1; i < to->k; i++) {
    ClockIndex clock = to->clocks[i];
    int32_t offset = 0;
    for (uint32_t u = t->clock_count; u-- > 0 && clock;)
      if (t->clocks[u].x == clock) {
        clock = t->clocks[u].y;
        offset += t->clocks[u].constant;
      }
    set_origin(origins, i, clock ? from->position[clock] : 0, offset);
  }
}

void effect_origins(const Frame *from, const Transition *t, const Frame *to, Origins *origins) {
  const uint32_t k = to->k, padded = dbm_stride(k);
  const uint32_t *position = from->position;
  bool is_identity = k == from->k && !t->clock_count;
  origins->has_offset = false;
  origins->origin[0] = 0;
  for (uint32_t i = 1; i < k; i++) {
    origins->origin[i] = position[to->clocks[i]];
    origins->offset[i] = 0;
    is_identity &= origins->origin[i] == i;
  }
  for (uint32_t i = k; i < padded; i++)
    origins->origin[i] = 0;
  origins->is_identity = is_identity;
  if (t->has_copies)
    follow_copies(from, t, to, origins);
  else
    for (uint32_t u = 0; u < t->clock_count; u++) // at position 0 if it is not in the frame
      origins->origin[to->position[t->clocks[u].x]] = 0;
}

// Whether the source's invariant, and the updates, imply a constraint of the target's.
static bool is_implied(const Setting *setting, const Origins *origins, Constraint c) {
  const ClockId x = c.i ? c.i : c.j, origin = origins->origin[x];
  const int32_t offset = origins->has_offset ? origins->offset[x] : 0;
  const Bound bound = bound_shift(c.bound, c.i ? -offset : offset);
  if (!origin)
    return bound >= BOUND_LE_ZERO;
  for (uint32_t i = 0; i < setting->invariant_count; i++) {
    const Constraint known = setting->invariant[i];
    if (known.i == (c.i ? origin : 0) && known.j == (c.i ? 0 : origin) && known.bound <= bound)
      return true;
  }
  return false;
}

static void link_news(Scenes *scenes, const Scene *scene, const Move *move) {
  const Setting *setting = scene_target(scenes, move)->setting;
  MoveNews *news = &scene->news[move - scene->moves];
  if (scene->setting->is_dynamic || setting->is_dynamic)
    return;
  Constraint *list = scene_alloc(scenes, setting->invariant_count * sizeof *list);
  news->way = news->news_count = 0;
  for (uint32_t i = 0; i < setting->invariant_count; i++)
    if (!is_implied(scene->setting, &scenes->origins, setting->invariant[i]))
      list[news->news_count++] = setting->invariant[i];
  news->news = list;
  news->has_news = true;
}

static uint32_t number_passage(Scenes *scenes, const Frame *from, const Transition *t,
                               const Frame *to) {
  const Origins *origins = &scenes->origins;
  const uint32_t k = to->k;
  effect_origins(from, t, to, &scenes->origins);
  scene_begin_words(scenes, 3 * t->guard_count + 2 * k, SCENE_PASSAGE, k,
                    t->guard_count << 2 | (uint32_t)origins->is_identity << 1 |
                        origins->has_offset);
  for (uint32_t i = 0; i < t->guard_count; i++) {
    const Constraint c = frame_translate(from, t->guard[i]);
    scene_add_words(scenes, &c, 3);
  }
  if (!origins->is_identity)
    scene_add_words(scenes, origins->origin, k);
  if (origins->has_offset)
    scene_add_words(scenes, origins->offset, k);
  return scene_end_words(scenes, &scenes->parts);
}

// Forgets passages when there are many, unless most that were asked for had been there.
static void make_room(Scenes *scenes) {
  const uint32_t count = scenes->passages.count;
  if (count < LEAST_PASSAGES || (count < MOST_PASSAGES && scenes->passages_asked > 2 * count))
    return;
  pairs_clear(&scenes->passages);
  scenes->passages_asked = 0;
}

static uint32_t find_passage(Scenes *scenes, const Scene *scene, uint32_t transition,
                             const Scene *target) {
  const uint64_t maps = scene_maps(scene, target);
  uint32_t number = pairs_get(&scenes->passages, maps, transition);
  scenes->passages_asked++;
  if (!number) {
    const Transition *t = scenes->transitions.items[transition];
    number = number_passage(scenes, &scene->frame, t, &target->frame);
    make_room(scenes);
    pairs_set(&scenes->passages, maps, transition, number);
  }
  return number;
}

uint32_t effect_find(Scenes *scenes, const Scene *from, uint32_t transition,
                     const Scene *target) {
  if (!target->entry)
    return 0;
  return scene_number_effect(scenes, find_passage(scenes, from, transition, target),
                             target->entry);
}

bool effect_is_astray(const Scenes *scenes, const Move *move, const uint64_t *packed) {
  return !scene_is_of(scenes, scene_target(scenes, move), packed);
}

void effect_link(Scenes *scenes, const Scene *scene, Move *move, const uint64_t *packed) {
  const Transition *t = scene_transition(scenes, move);
  const Scene *target =
      t->edge_count ? scene_find(scenes, packed) : scene_make(scenes, packed, &t->after);
  move->target = target->number;
  move->effect = 0;
  if (t->needs_clocks)
    return;
  if (scenes->wants_news) {
    effect_origins(&scene->frame, t, &target->frame, &scenes->origins);
    link_news(scenes, scene, move);
  } else if (!t->needs_guard) {
    move->effect = effect_find(scenes, scene, move->transition, target);
  }
}
