#include "dbm/stored/sketch.h"

#include "base/lanes.h"

#include <assert.h>
#include <string.h>

enum { MAX_CHOICES = SKETCH_WINDOWS };

// The numbers that tell most zones of the sample apart at one entry, best first.
typedef struct SketchChoice {
  uint32_t next; // the first that is not in the legend yet
  int16_t least[MAX_CHOICES];
  uint16_t score[MAX_CHOICES + 1]; // 0 behind the last
} SketchChoice;

typedef int16_t Sample __attribute__((vector_size(SKETCH_SAMPLE * 2)));
typedef int16_t SampleAt __attribute__((vector_size(SKETCH_SAMPLE * 2), aligned(2), may_alias));

static size_t max_entries(uint32_t n) { return (size_t)n * n + SKETCH_LANES; }

size_t sketcher_bytes(uint32_t n) {
  return (probe_bytes(n) + 63) / 64 * 64 +
         max_entries(n) * (sizeof(SketchChoice) + 2 * SKETCH_SAMPLE * sizeof(int16_t));
}

void sketcher_init(Sketcher *sketcher, void *memory, uint32_t n) {
  probe_init(&sketcher->probe, memory, n);
  sketcher->choices = (SketchChoice *)(void *)((char *)memory + (probe_bytes(n) + 63) / 64 * 64);
  sketcher->supplies = (int16_t *)(sketcher->choices + max_entries(n));
  sketcher->demands = sketcher->supplies + SKETCH_SAMPLE * max_entries(n);
}

// Of a packed zone, or of its demands.
DBM_CLONES static uint32_t sketch_image(const SketchLegend *legend, const int16_t *image) {
  Lanes16 found[SKETCH_WINDOWS];
  for (uint32_t w = 0; w < SKETCH_WINDOWS; w++)
    found[w] =
        *(const Lanes16At *)(image + legend->start[w]) >= *(const Lanes16At *)legend->least[w];
  return lanes_bits16(&found[0], &found[1]) | lanes_bits16(&found[2], &found[3]) << 16;
}

// The same for a zone in 32 bits: rare. Behind its last entry there is nothing to be read.
static uint32_t sketch_wide(const SketchLegend *legend, const Bound *zone, uint32_t size) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < SKETCH_WINDOWS * SKETCH_LANES; i++) {
    const uint32_t w = i / SKETCH_LANES, l = i % SKETCH_LANES, at = legend->start[w] + l;
    const Bound least = legend->least[w][l] == INT16_MAX ? BOUND_INF : legend->least[w][l];
    bits |= (uint32_t)(at < size && zone[at] >= least) << i;
  }
  return bits;
}

static uint32_t find_supply(const SketchLegend *legend, const Probe *probe) {
  return probe->format == PACKED_32 ? sketch_wide(legend, probe->entries, probe->k * probe->k)
                                    : sketch_image(legend, probe->entries);
}

// What is demanded for inclusion is the zone itself; else it may be unknown: no bits.
static uint32_t find_demand(const SketchLegend *legend, Probe *probe) {
  if (probe->kind == PROBE_INCLUSION)
    return find_supply(legend, probe);
  const int16_t *demand = probe_demand(probe);
  return demand ? sketch_image(legend, demand) : 0;
}

static void take_zone(Sketcher *sketcher, const ZoneTable *table, const Probe *like,
                      ZoneRef ref) {
  const StoredZone *zone = zonetable_at(table, ref);
  assert(zone->k == like->k); // the bounds are those of its location vector
  probe_take(&sketcher->probe, like->kind, zone->entries, zone->k, (PackedFormat)zone->format,
             like->bounds);
}

Sketch sketch_probe(const SketchLegend *legend, Probe *probe) {
  return (Sketch){.supply = find_supply(legend, probe), .demand = find_demand(legend, probe)};
}

Sketch sketch_zone(Sketcher *sketcher, const SketchLegend *legend, const ZoneTable *table,
                   const Probe *like, ZoneRef ref) {
  take_zone(sketcher, table, like, ref);
  return sketch_probe(legend, &sketcher->probe);
}

// Entry by entry, one lane for each zone of the sample.
static void write_lane(int16_t *to, const int16_t *image, uint32_t size) {
  for (uint32_t at = 0; at < (size + SKETCH_LANES - 1) / SKETCH_LANES * SKETCH_LANES; at++)
    to[at * SKETCH_SAMPLE] = image[at];
}

// A zone of the sample. If nothing is known of it, it supplies everything and demands nothing.
static void read_zone(Sketcher *sketcher, uint32_t lane) {
  Probe *probe = &sketcher->probe;
  const int16_t *demand = probe_demand(probe);
  const uint32_t size = probe->k * probe->k;
  for (uint32_t entry = 0; !demand && entry < size; entry++) {
    sketcher->supplies[entry * SKETCH_SAMPLE + lane] = INT16_MAX;
    sketcher->demands[entry * SKETCH_SAMPLE + lane] = INT16_MIN;
  }
  if (!demand)
    return;
  write_lane(sketcher->supplies + lane, probe->entries, size);
  write_lane(sketcher->demands + lane, demand, size);
}

static void add_choice(SketchChoice *choice, int16_t least, uint32_t score) {
  uint32_t at = 0;
  while (choice->score[at] > score ||
         (choice->score[at] == score && choice->least[at] != least)) {
    if (choice->score[at] == 0 || ++at == MAX_CHOICES)
      return;
  }
  if (choice->score[at] == score)
    return;
  for (uint32_t i = MAX_CHOICES - 1; i > at; i--) {
    choice->score[i] = choice->score[i - 1];
    choice->least[i] = choice->least[i - 1];
  }
  choice->score[at] = (uint16_t)score;
  choice->least[at] = least;
}

// Any demand of the sample can be the least number of a bit. It scores for each pair of zones
// that the bit would tell apart.
DBM_CLONES static void find_choices(const Sketcher *sketcher, uint32_t size) {
  for (uint32_t entry = 0; entry < size; entry++) {
    const int16_t *demands = sketcher->demands + entry * SKETCH_SAMPLE;
    const int16_t *supplies = sketcher->supplies + entry * SKETCH_SAMPLE;
    const Sample own = *(const SampleAt *)demands;
    Sample demanding = {0}, lacking = {0};
    for (uint32_t i = 0; i < SKETCH_SAMPLE; i++) {
      demanding -= own <= demands[i];
      lacking -= own > supplies[i];
    }
    const Sample score = demanding * lacking;
    SketchChoice *choice = &sketcher->choices[entry];
    *choice = (SketchChoice){0};
    if (!lanes_any(&score))
      continue;
    for (uint32_t i = 0; i < SKETCH_SAMPLE; i++)
      if (own[i] != INT8_MIN) // that is no demand at all, in 8 bits
        add_choice(choice, own[i], (uint16_t)score[i]);
  }
}

// The window whose next choices score most.
static uint32_t find_window(const SketchChoice *choices, uint32_t size) {
  uint32_t best = 0, best_score = 0;
  for (uint32_t at = 0; at + SKETCH_LANES <= size; at++) {
    uint32_t score = 0;
    for (uint32_t l = at; l < at + SKETCH_LANES; l++)
      score += choices[l].score[choices[l].next];
    if (score > best_score) {
      best_score = score;
      best = at;
    }
  }
  return best;
}

void sketch_choose(Sketcher *sketcher, SketchLegend *legend, const ZoneTable *table,
                   const Probe *like, const ZoneRef *refs, uint32_t count) {
  const uint32_t size = like->k * like->k;
  SketchChoice *choices = sketcher->choices;
  for (uint32_t i = 0; i < SKETCH_SAMPLE; i++) {
    take_zone(sketcher, table, like, refs[(uint64_t)i * count / SKETCH_SAMPLE]);
    read_zone(sketcher, i);
  }
  find_choices(sketcher, size);
  for (uint32_t entry = size; entry < SKETCH_LANES; entry++)
    choices[entry] = (SketchChoice){0};
  for (uint32_t w = 0; w < SKETCH_WINDOWS; w++) {
    const uint32_t start = find_window(choices, size);
    legend->start[w] = (uint16_t)start;
    for (uint32_t l = 0; l < SKETCH_LANES; l++) {
      SketchChoice *choice = &choices[start + l];
      const bool is_over = !choice->score[choice->next];
      legend->least[w][l] = is_over ? INT16_MAX : choice->least[choice->next];
      choice->next += !is_over;
    }
  }
}
