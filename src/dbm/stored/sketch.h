// SPEED: parallel-c-6, depth first, in 0.5 s instead of 1.3. Without it (MODE=plain): all zones
// of a key are tested.
//
// Sketches: a few bits of each zone in a long list that save most covering tests (feature
// vectors, which theorem provers use for subsumption; paper key Sch13). All zones of the list
// have the same dimension and the same clock bounds.
//
// A zone covers another one if no entry is below what the other one demands
// (dbm/kernel/narrow.h). So an entry and a number *least* define a bit. The supply of a zone has
// this bit if the entry is at least `least`; the demand has it if the zone demands at least
// `least` there. If the demand of one zone has a bit that the supply of another lacks, the other
// does not cover it. The *legend* of a list says which 32 bits its sketches have. It is made from
// some of the zones, so that the bits tell them apart. Bits come in windows of neighbouring
// entries: a sketch is a few vector comparisons. Lists of sketches are searched by
// base/bitsets.h.
#pragma once

#include "dbm/stored/probe.h"

enum { SKETCH_WINDOWS = 4, SKETCH_LANES = 8, SKETCH_SAMPLE = 16 };

typedef struct SketchLegend {
  uint16_t start[SKETCH_WINDOWS]; // first entry of each window
  int16_t least[SKETCH_WINDOWS][SKETCH_LANES];
} SketchLegend;

typedef struct Sketch {
  uint32_t supply, demand;
} Sketch;

// For zones of up to n clocks: what is needed to sketch zones of a table.
typedef struct Sketcher {
  Probe probe;
  int16_t *supplies, *demands; // of the sample
  struct SketchChoice *choices;
} Sketcher;

enum { SKETCH_MAX_CLOCKS = 250 }; // an entry's number fits into a legend

size_t sketcher_bytes(uint32_t n);
void sketcher_init(Sketcher *, void *memory, uint32_t n); // aligned to 64

// A legend for zones like some of a table, and the sketch of one of them. Kind and bounds of the
// tests are those of the probe.
void sketch_choose(Sketcher *, SketchLegend *, const ZoneTable *, const Probe *, const ZoneRef *,
                   uint32_t count);
Sketch sketch_zone(Sketcher *, const SketchLegend *, const ZoneTable *, const Probe *, ZoneRef);
// That of the probe's own zone.
Sketch sketch_probe(const SketchLegend *, Probe *);
