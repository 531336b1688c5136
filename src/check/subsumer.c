#include "check/subsumer.h"

#include "check/nodediagonals.h"

#include <string.h>

void subsumer_init(Subsumer *s, Mem *mem, Certificate *certificate) {
  const uint32_t k = certificate->max_k, clocks = certificate->net->clock_count + 1,
                 slots = certificate->net->slots.count;
  *s = (Subsumer){.mem = mem, .certificate = certificate};
  s->entry = mem_alloc(mem, sizeof *s->entry * k * k);
  s->cover = mem_alloc(mem, sizeof *s->cover * k * k);
  s->columns = mem_alloc(mem, sizeof *s->columns * k);
  s->renamed = mem_alloc(mem, slots * sizeof *s->renamed);
  s->scratch = mem_alloc(mem, slots * sizeof *s->scratch);
  s->from = mem_alloc(mem, clocks * sizeof *s->from);
  s->scratch_clocks = mem_alloc(mem, clocks * sizeof *s->from);
  s->renamed_origin = mem_alloc(mem, clocks * sizeof *s->renamed_origin);
}

const int32_t *subsumer_rename(Subsumer *s, const int32_t *state) {
  const Net *net = s->certificate->net;
  const Renamings *renamings = &s->certificate->renamings;
  const ForgottenSlots *forgotten = s->certificate->forgotten;
  if (!renamings->count && !forgotten)
    return state;
  memcpy(s->renamed, state, net->slots.count * sizeof *state);
  if (forgotten)
    forgotten_set_back(net, forgotten, s->renamed);
  for (ClockIndex x = 0; x <= net->clock_count; x++)
    s->from[x] = x;
  for (uint32_t f = 0; f < renamings->count; f++) {
    const RenamedFamily *family = &renamings->families[f];
    const uint32_t *to = s->certificate->to[f];
    if (!renaming_allows(family, net, s->renamed, to))
      return NULL;
    renaming_apply(family, net, to, s->renamed, s->scratch, s->from, s->scratch_clocks);
  }
  return s->renamed;
}

ClockIndex subsumer_clock(const Subsumer *s, ClockIndex x) {
  return s->certificate->renamings.count ? s->from[x] : x;
}

const Origin *subsumer_origins(Subsumer *s, const Origin *origin) {
  if (!s->certificate->renamings.count)
    return origin;
  for (ClockIndex x = 0; x <= s->certificate->net->clock_count; x++)
    s->renamed_origin[x] = origin[s->from[x]];
  return s->renamed_origin;
}

bool subsumer_is_in(const Subsumer *s, uint32_t node, const int32_t *state, uint32_t mode) {
  const Certificate *c = s->certificate;
  if (node >= c->nodes.size)
    return false;
  const uint32_t group = c->nodes.items[node].group;
  return c->modes.items[group] == mode &&
         !memcmp(certificate_state(c, group), state, c->net->slots.count * sizeof *state);
}

void subsumer_enter(Subsumer *s, const NodeBound *zone, const NodeBounds *bounds, uint32_t node,
                    const Origin *origin) {
  nodezone_enter(zone, bounds, certificate_bounds(s->certificate, node), origin, s->columns,
                 s->entry);
}

bool subsumer_covers(Subsumer *s, uint32_t node) {
  const NodeBounds *bounds = certificate_bounds(s->certificate, node);
  certificate_matrix(s->certificate, node, s->cover);
  return bounds->diagonal_count ? nodediagonals_are_covered(s->mem, s->entry, s->cover, bounds)
                                : nodezone_is_covered(s->entry, s->cover, bounds);
}
