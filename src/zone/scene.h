// Scenes: what a search needs to know of a location vector, found once and kept: the frame
// (clocks that matter, with their bounds), the *setting* (bounds, invariant as constraints over
// the frame, whether time may pass: many vectors share one), and the joint transitions (moves).
//
// The cache is bounded: when it is full, all scenes are forgotten. That happens in
// scene_keep_small only, so that pointers to scenes are valid from one call of it to the next.
#ifndef TARN_ZONE_SCENE_H
#define TARN_ZONE_SCENE_H

#include "base/board.h"
#include "base/intern.h"
#include "base/pairs.h"
#include "base/pool.h"
#include "model/clockbounds.h"
#include "model/joint.h"
#include "space/space.h"
#include "zone/frame.h"
#include "zone/transition.h"

typedef struct Scene Scene;

// For space/needs.h: a number for where clocks come from, 0 if not known; and, with has_news,
// the constraints of the target's invariant that the source's does not imply.
typedef struct MoveNews {
  uint32_t way;
  bool has_news;
  const Constraint *news;
  uint32_t news_count;
} MoveNews;

// A transition from a scene; 32-bit numbers, as there are many.
typedef struct Move {
  uint32_t transition; // scene_transition
  uint32_t target;     // scene_target; 0: this and below are not known yet
  // The number of its effect on zones (zone/memo.h): moves with the same one make the same of
  // equal zones. 0: that depends on variables.
  uint32_t effect;
} Move;

typedef struct Setting {
  FrameBounds *bounds;
  const Constraint *invariant; // the constant clock tests, over the frame
  uint32_t invariant_count;
  bool is_dynamic; // some invariant depends on variables: ask the Vm instead
  bool is_upper;   // all of `invariant` bound single clocks from above
  bool can_delay;
  // It is a delay by a transition (model/joint.h), and these hold after it. Without is_dynamic
  // they are in `invariant`.
  bool is_delay;
  const Constraint *after;
  uint32_t after_count;
  uint32_t entry; // a number for all that entering it does to a zone, 0 if it is dynamic
  uint32_t stay;  // and one for the invariant and delay alone; 0: neither changes a zone
} Setting;

struct Scene {
  Frame frame; // its clocks are those of the map, its bounds those of the setting
  const Setting *setting;
  MoveNews *news; // as moves, if wanted
  Move *moves;    // by ordinal (model/joint.h); NULL: not known yet
  uint32_t move_count;
  // What a move to it needs lies together.
  uint32_t entry; // of the setting
  uint32_t number, map;
  uint64_t words[]; // of the packed state: the locations only
};

// A frame without bounds: which clocks matter. Scenes share it, too.
typedef struct FrameMap {
  ClockId *clocks;
  uint32_t *position;
  uint32_t k;
  uint32_t common; // what all workers call it; 0: nothing
} FrameMap;

// Where the clocks of a target's frame come from (dbm/remap.h), with room for dbm_stride(n).
typedef struct Origins {
  ClockId *origin;
  int32_t *offset;
  bool is_identity; // the frames are equal and no clock is updated
  bool has_offset;  // some offset is not 0
} Origins;

typedef VEC(uint32_t) Numbers;

// Targets for which memory is fetched.
typedef struct SceneAhead {
  uint32_t count;
  struct {
    uint64_t hash;
    uint32_t transition;
    const Scene *scene; // found between the stages: likely the one
  } items[SPACE_AHEAD];
} SceneAhead;

typedef struct Scenes {
  Mem *mem;
  const Net *net;
  const ClockBounds *bounds; // NULL: all clocks, without bounds
  bool is_global;            // one frame for all
  bool only_bounds;          // set by the owner: of settings nothing but the bounds is needed
  bool wants_news;           // set by the owner: Scene.news is needed
  bool wants_stay;           // set by the owner: Setting.stay is needed
  bool wants_flat;   // set by the owner: bounds for tests modulo a_LU (dbm/stored/packed.h)
  bool extrapolates; // set by the owner: zones depend on the bounds of their frame
  bool is_m;         // both bounds of a clock are the larger one
  uint32_t n;        // clocks, clock 0 included
  const StateLayout *layout;
  uint64_t *masks; // by word of packed states: the bits of locations
  int32_t *state;  // of the scene being made; of variables it has the lowest values
  Joint joint;
  void (*before_moves)(void *context, const Scene *); // called before the moves of one are found
  void *before_context;                               // NULL: nothing is
  Arena arena;                                        // kept
  Arena scenes;                                       // emptied when the cache is full
  size_t scenes_bytes;
  Frame fixed; // the frame for all, if there is one
  Frame draft; // of the scene being made
  int32_t *lower, *upper;
  Pool list;       // of scenes, by number - 1
  uint64_t *slots; // open addressing: hash tag in the upper half, number below; 0 is free
  uint32_t mask;   // slots - 1
  uint64_t made;   // scenes, those that were forgotten included
  VEC(const Transition *) transitions; // by number: of single edges, then joint ones
  Intern joints;                       // their edges; number - 1 + edges is theirs
  Pairs couples;                       // the same of two edges, found sooner
  Intern parts;                        // of effects: entries and passages; and bounds
  Pairs passages; // of transition and maps: a number for guard and origins, over positions
  uint64_t passages_asked;       // since they were forgotten
  Pairs effects;                 // of passage and entry, where these are too large
  Intern contents;               // of settings
  VEC(const Setting *) settings; // by number - 1
  Intern clocks;                 // of maps
  VEC(FrameMap) maps;            // by number - 1
  VEC(Move) moves;               // of the scene being made
  VEC(Constraint) invariant;     // the same
  VEC(uint32_t) words;           // being interned
  // If several workers search: numbers in common of maps and of joint transitions (after those of
  // single edges); this one's own numbers of those that it knows, by them; and those of its joint
  // transitions, once they were asked for, by their own.
  Board *map_board, *joint_board;
  bool owns_boards;
  Numbers own_maps, own_joints, common_joints;
  Scene *abroad;   // see common_scene
  Origins origins; // of the move fired last
} Scenes;

void scene_init(Scenes *, Mem *, const Net *, const StateLayout *, const ClockBounds *,
                bool is_global, bool is_m);
void scene_release(Scenes *);
// Forgets all scenes if, with `more` that the owner keeps beside them, they have more than this
// share of the memory in use. True if the numbers of effects have been forgotten as well.
bool scene_keep_small(Scenes *, uint32_t share, size_t more);

Scene *scene_find(Scenes *, const uint64_t *packed); // of a packed state
void scene_make_moves(Scenes *, Scene *);
static inline void scene_find_moves(Scenes *scenes, Scene *scene) { // makes sure of them
  if (!scene->moves)
    scene_make_moves(scenes, scene);
}
static inline const Transition *scene_transition(const Scenes *scenes, const Move *move) {
  return scenes->transitions.items[move->transition];
}
static inline Scene *scene_target(const Scenes *scenes, const Move *move) {
  return pool_at(&scenes->list, move->target - 1);
}

#endif
