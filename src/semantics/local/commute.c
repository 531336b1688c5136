#include "semantics/local/commute.h"

#include "semantics/local/localtransition.h"

#include <string.h>

static const LocalAccess *access_of(const LocalVectors *vectors, const LocalVector *vector,
                                    uint32_t ordinal) {
  return locvector_transition(vectors->of, &vector->vector->outgoing[ordinal])->more;
}

// The step that led to a node must be the same wherever the transition is taken.
static CommuteOrigin find_origin(const LocalVectors *vectors, LocalOrigin from, ZoneRef zone) {
  const LocalVector *origin = from.vector;
  if (!origin || !origin->opened || localvector_results(origin)[from.out] != zone)
    return (CommuteOrigin){0};
  const LocalAccess *access = access_of(vectors, origin, from.out);
  if (!access || !access->step || access->step != origin->steps[from.out])
    return (CommuteOrigin){0};
  return (CommuteOrigin){origin, access->touches, from.out, 0};
}

void commute_open(CommuteOrigin *origins, const LocalVectors *vectors, LocalVector *vector,
                  ZoneRef zone) {
  if (vector->opened != zone)
    memset(localvector_results(vector), 0, vector->vector->outgoing_count * sizeof(ZoneRef));
  vector->opened = zone;
  for (uint32_t i = 0; i < LOCAL_ORIGINS; i++)
    origins[i] = find_origin(vectors, vector->origins[i], zone);
}

// The ordinal at which a location vector has this transition, looked for from some place on; the
// number of its transitions if there is none.
static uint32_t find_ordinal(const LocVector *vector, uint32_t transition, uint32_t from) {
  const OutgoingTransition *outgoing = vector->outgoing;
  const uint32_t count = vector->outgoing_count;
  for (uint32_t i = from; i < count; i++)
    if (outgoing[i].transition == transition)
      return i;
  for (uint32_t i = 0; i < from && i < count; i++)
    if (outgoing[i].transition == transition)
      return i;
  return count;
}

// Whether b does not touch the process that has passed its ceiling.
static bool is_left_alone(const CommuteOrigin *by, ZoneRef passed) {
  return passed != MEMO_EMPTY && !(by->touches >> (MEMO_EMPTY - 1 - passed) & 1);
}

enum { NEAR = 2 }; // a transition has about the same ordinal in similar location vectors

static ZoneRef find_by(CommuteOrigin *by, LocalVectors *vectors, LocalVector *vector,
                       uint32_t ordinal, const LocalAccess *access) {
  const LocalVector *origin = by->vector;
  if (!origin || (access->touches & by->touches))
    return ZONE_NONE;
  const uint32_t transition = vector->vector->outgoing[ordinal].transition;
  const uint32_t a = find_ordinal(origin->vector, transition, by->next);
  if (a == origin->vector->outgoing_count)
    return ZONE_NONE;
  by->next = a + 1;
  const ZoneRef aside = localvector_results(origin)[a];
  if (!aside || origin->steps[a] != access->step)
    return ZONE_NONE;
  if (!memo_is_zone(aside))
    return is_left_alone(by, aside) ? aside : ZONE_NONE;
  const LocalVector *other = localvector_target(vectors, &origin->vector->outgoing[a]);
  if (other->opened != aside)
    return ZONE_NONE;
  const uint32_t b = find_ordinal(other->vector, origin->vector->outgoing[by->out].transition,
                                  by->out > NEAR ? by->out - NEAR : 0);
  if (b == other->vector->outgoing_count || other->steps[b] != origin->steps[by->out])
    return ZONE_NONE;
  const ZoneRef result = localvector_results(other)[b];
  if (!result)
    return ZONE_NONE;
  if (!memo_is_zone(result))
    return result;
  const LocalVector *target = localvector_target(vectors, &other->vector->outgoing[b]);
  return localtransition_link_known(vectors, vector, ordinal, target, access->step) ? result
                                                                                    : ZONE_NONE;
}

ZoneRef commute_find(CommuteOrigin *origins, LocalVectors *vectors, LocalVector *vector,
                     uint32_t ordinal) {
  const LocalAccess *access = access_of(vectors, vector, ordinal);
  if (!access || !access->step)
    return ZONE_NONE;
  ZoneRef found = ZONE_NONE;
  for (uint32_t i = 0; i < LOCAL_ORIGINS && !found; i++)
    found = find_by(&origins[i], vectors, vector, ordinal, access);
  return found;
}
