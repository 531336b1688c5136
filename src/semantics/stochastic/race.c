#include "semantics/stochastic/race.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>

static const LawLocation *location_of(const Race *race, ProcessId p) {
  return &race->laws->locations[net_location_at(race->laws->net, p, race->motion.state)];
}

bool race_fail(Race *race, ProcessId process, Place place, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_clear(&race->error);
  text_addv(&race->error, format, arguments);
  va_end(arguments);
  if (process != NET_NONE)
    text_addf(&race->error, ", in %s.%s", race->laws->net->processes.items[process].name,
              location_of(race, process)->location->name);
  text_addf(&race->error, " at time %g (run %llu of seed %llu)", race->time,
            (unsigned long long)race->run, (unsigned long long)race->seed);
  race->error_place = place;
  return false;
}

bool race_fail_vm(Race *race, ProcessId process) {
  return race_fail(race, process, race->motion.vm.error_place, "%s",
                   race->motion.vm.error ? race->motion.vm.error : "a value is out of range");
}

static double draw(void *context) {
  Race *race = context;
  const double number = philox_real(&race->stream);
  if (race->keeps_draws)
    vec_push(race->mem, &race->drawn, number);
  return number;
}

#define BLUR 1e-15 // of the time: a few roundings of it

enum { UNKNOWN_HORIZON = 1 << 22, FINE = 1 << 16 };

void race_set_horizon(Race *race, double horizon) {
  const double span = isfinite(horizon) && horizon >= 1 ? horizon : UNKNOWN_HORIZON;
  race->horizon = horizon;
  const double power = exp2(ceil(log2(span)) + 1);
  race->grain = 1.5 * power;
  race->fine = FINE * DBL_EPSILON * power;
}

// A delay between two others, rounded, unless its law has so small a scale that this would
// change it.
static double rounded(const Race *race, double delay, double scale, double first, double last) {
  const double near = scale < race->fine ? delay : delay + race->grain - race->grain;
  return near < first ? first : near > last ? last : near;
}

static bool compute(Race *race, const LawNumber *number, double *value) {
  *value = number->constant;
  return !number->code ||
         vm_value(&race->motion.vm, number->code, race->motion.state, value) == VM_TRUE;
}

// Where the rates are that the location of a process gives.
static uint32_t given_by(const Race *race, ProcessId p) { return p * race->laws->max_rates; }

static bool find_given(Race *race, ProcessId p, uint32_t k, double *clocks) {
  const LawLocation *law = location_of(race, p);
  double *given = &race->given[given_by(race, p) + k];
  race->motion.vm.clocks = clocks;
  const bool is_known = compute(race, &law->clock_rates[k].rate, given);
  race->motion.vm.clocks = race->motion.clocks;
  if (!is_known)
    return race_fail_vm(race, p);
  return isfinite(*given) ||
         race_fail(race, p, law->location->place, "the rate of clock %s is not a number",
                   race->laws->net->clock_names[(uint32_t)law->clock_rates[k].clock.constant]);
}

// The rates of all clocks, from those that locations give.
static bool collect_rates(Race *race, double *rates) {
  const Laws *laws = race->laws;
  rates[0] = 0;
  for (uint32_t k = 1; k < race->motion.clock_count; k++)
    rates[k] = 1;
  memset(race->is_rated, 0, race->motion.clock_count);
  for (uint32_t i = 0; i < laws->turner_count; i++) {
    const ProcessId p = laws->turners[i];
    const LawLocation *law = location_of(race, p);
    const double *given = &race->given[given_by(race, p)];
    for (uint32_t k = 0; k < law->clock_rate_count; k++) {
      const uint32_t clock = (uint32_t)law->clock_rates[k].clock.constant;
      if (race->is_rated[clock] && given[k] != rates[clock])
        return race_fail(race, p, law->location->place,
                         "clock %s has the rate %g, and another location gives it %g",
                         laws->net->clock_names[clock], given[k], rates[clock]);
      race->is_rated[clock] = true;
      rates[clock] = given[k];
    }
  }
  return true;
}

// Rates that read clocks are computed anew; the others are those of prepare_rates.
static bool find_curved(Race *race, double *clocks) {
  const Laws *laws = race->laws;
  for (uint32_t i = 0; i < laws->turner_count; i++) {
    const LawLocation *law = location_of(race, laws->turners[i]);
    for (uint32_t k = 0; k < law->clock_rate_count && law->is_curved; k++)
      if (law->clock_rates[k].is_curved && !find_given(race, laws->turners[i], k, clocks))
        return false;
  }
  return true;
}

enum { PATIENCE = 1024 };

static bool is_cut(Race *race) {
  if (!race->should_stop || race->patience--)
    return false;
  race->patience = PATIENCE;
  return race->is_cut = race->should_stop(race->stop_context);
}

static bool derive(void *context, const double *values, double *derivatives) {
  Race *race = context;
  memcpy(race->motion.moved, values, sizeof *values * race->motion.clock_count);
  return !is_cut(race) && find_curved(race, race->motion.moved) &&
         collect_rates(race, derivatives);
}

static bool reach(Race *race, double delay) {
  if (race->curve.is_empty)
    curve_start(&race->curve, race->motion.clocks);
  if (!is_cut(race) && curve_reach(&race->curve, delay))
    return true;
  if (!race->error.size && !race->is_cut)
    race_fail(race, NET_NONE, (Place){0},
              "the differential equations cannot be solved beyond %g time units",
              race->curve.end);
  return false;
}

// What conditions ask of curves: the clocks after a delay, and where to look next.
static VmResult advance(void *context, double delay) {
  Race *race = context;
  if (!reach(race, delay))
    return VM_ERROR;
  curve_at(&race->curve, delay, race->motion.moved);
  for (uint32_t k = 0; k < race->motion.clock_count; k++) // straight lines are exact
    if (!race->is_bent[k])
      race->motion.moved[k] = race->motion.clocks[k] + delay * race->motion.rates[k];
  return VM_TRUE;
}

static double next_sample(void *context, double delay) {
  Race *race = context;
  if (!reach(race, delay + 1e-12))
    return delay + 1;
  const double start = delay < 1e-12 ? 0 : delay, next = curve_next(&race->curve, start + 1e-12);
  return next > start ? next : start + 1e-9;
}

void race_init(Race *race, const Laws *laws, Mem *owner) {
  Mem *mem = mem_part(owner);
  const Net *net = laws->net;
  const uint32_t clocks = net->clock_count + 1, processes = net->processes.size;
  *race = (Race){.laws = laws, .mem = mem};
  race_set_horizon(race, INFINITY);
  Motion *motion = &race->motion;
  net_vm(net, &motion->vm, mem);
  motion->clock_count = clocks;
  motion->state = mem_alloc(mem, sizeof(int32_t) * (net->slots.count + 1));
  motion->clocks = mem_alloc(mem, sizeof(double) * clocks * 4);
  motion->rates = motion->clocks + clocks;
  motion->moved = motion->rates + clocks;
  motion->zeros = motion->moved + clocks;
  motion->vm.clocks = motion->clocks;
  motion->advance = advance;
  motion->next_sample = next_sample;
  motion->context = race;
  race->draws = (RealDraws){draw, race};
  motion->vm.draws = &race->draws;
  race->when = mem_alloc(mem, sizeof(double) * (processes + 1) * 2);
  race->opens = race->when + processes + 1;
  race->locks = mem_alloc(mem, sizeof *race->locks * (processes + 1));
  race->is_drawn = mem_alloc(mem, processes + 1);
  race->is_changed = mem_alloc(mem, processes + 1);
  race->is_bent = mem_alloc(mem, clocks);
  race->is_rated = mem_alloc(mem, clocks);
  race->given = mem_alloc(mem, sizeof(double) * laws->max_rates * processes + 1);
  race->turns = mem_alloc(mem, (size_t)laws->max_rates * processes + 1);
  race->awaited = mem_alloc(mem, sizeof *race->awaited * (net->channels.size + 1));
  race->before = mem_alloc(mem, sizeof *race->before * (laws->max_written + 1));
  motion->is_bent = race->is_bent;
  race->error.mem = mem;
  if (laws->has_curves)
    curve_init(&race->curve, mem, clocks, laws->error, derive, race);
}

void race_release(Race *race) { mem_release_part(race->mem); }

// A process that came to its location must be allowed to be there.
static bool check_invariant(Race *race, ProcessId p) {
  const LawLocation *law = location_of(race, p);
  if (!law->invariant)
    return true;
  const VmResult result = condition_holds(law->invariant, &race->motion);
  if (result == VM_FALSE)
    return race_fail(race, p, law->location->place, "the invariant does not hold");
  return result == VM_TRUE || race_fail_vm(race, p);
}

static void note_change(Race *race, ProcessId p) {
  if (!race->is_changed[p]) {
    race->is_changed[p] = true;
    vec_push(race->mem, &race->changed, p);
  }
}

static void note_none(Race *race) {
  vec_clear(&race->changed);
  vec_clear(&race->turned);
  memset(race->turns, 0, (size_t)race->laws->net->processes.size * race->laws->max_rates);
  memset(race->is_changed, 0, race->laws->net->processes.size);
}

// The rates that the location of a process gives may be others now.
static void note_turn(Race *race, uint32_t place) {
  if (!race->turns[place]) {
    race->turns[place] = true;
    vec_push(race->mem, &race->turned, place);
  }
}

// The process has come to its location.
static void note_move(Race *race, ProcessId p) {
  race->has_moved = true;
  for (uint32_t k = 0; k < location_of(race, p)->clock_rate_count; k++)
    note_turn(race, given_by(race, p) + k);
}

static void note_moves(Race *race) {
  for (uint32_t i = 0; i < race->laws->turner_count; i++)
    note_move(race, race->laws->turners[i]);
}

static void note_all(Race *race) {
  for (ProcessId p = 0; p < race->laws->net->processes.size; p++)
    note_change(race, p);
}

// Nothing of the run before may matter: neither in which order processes were to propose anew,
// nor how long the last step of the integration was.
bool race_start(Race *race, uint64_t seed, uint64_t run) {
  const Net *net = race->laws->net;
  Motion *motion = &race->motion;
  philox_start(&race->stream, seed, run);
  race->seed = seed, race->run = run;
  motion->blur = 0;
  race->time = 0, race->steps = 0, race->idle = 0, race->tiny = 0, race->still_since = -1;
  race->committed = 0, race->is_cut = false;
  text_clear(&race->error);
  memcpy(motion->state, race->laws->initial, sizeof *motion->state * net->slots.count);
  for (uint32_t k = 0; k < motion->clock_count; k++) {
    motion->clocks[k] = net->clock_start     ? net->clock_start[k]
                        : net->clock_initial ? net->clock_initial[k]
                                             : 0;
    motion->rates[k] = k != 0;
  }
  motion->is_curved = false;
  for (ProcessId p = 0; p < net->processes.size; p++)
    race->committed += location_of(race, p)->is_committed;
  race->curve.is_empty = true;
  race->curve.step = 0;
  note_none(race);
  note_all(race);
  note_moves(race);
  vec_clear(&race->taken);
  vec_clear(&race->drawn);
  for (ProcessId p = 0; p < net->processes.size; p++)
    if (!check_invariant(race, p))
      return false;
  if (race->record)
    race->record(race->record_context, race);
  return true;
}

void race_save(const Race *race, RacePoint *point, Mem *mem) {
  const size_t slots = sizeof(int32_t) * race->laws->net->slots.count;
  const size_t clocks = sizeof(double) * race->motion.clock_count;
  *point =
      (RacePoint){race->time, race->steps, mem_alloc(mem, slots + 1), mem_alloc(mem, clocks)};
  memcpy(point->state, race->motion.state, slots);
  memcpy(point->clocks, race->motion.clocks, clocks);
}

void race_resume(Race *race, const RacePoint *point) {
  const Net *net = race->laws->net;
  memcpy(race->motion.state, point->state, sizeof(int32_t) * net->slots.count);
  memcpy(race->motion.clocks, point->clocks, sizeof(double) * race->motion.clock_count);
  race->time = point->time, race->steps = point->steps;
  race->motion.blur = BLUR * race->time;
  race->committed = 0;
  for (ProcessId p = 0; p < net->processes.size; p++)
    race->committed += location_of(race, p)->is_committed;
  race->curve.is_empty = true;
  note_all(race);
  note_moves(race);
}

// Where clocks bend.
static void find_bent(Race *race) {
  const Laws *laws = race->laws;
  race->motion.is_curved = false;
  memset(race->is_bent, 0, race->motion.clock_count);
  for (uint32_t i = 0; i < laws->turner_count; i++) {
    const LawLocation *law = location_of(race, laws->turners[i]);
    for (uint32_t k = 0; k < law->clock_rate_count; k++)
      if (law->clock_rates[k].is_curved)
        race->is_bent[(uint32_t)law->clock_rates[k].clock.constant] = true;
    race->motion.is_curved |= law->is_curved;
  }
}

static void note_readers(Race *race, CellId cell) {
  const LawReaders *readers = &race->laws->readers[cell];
  for (uint32_t i = 0; i < readers->count; i++)
    note_change(race, readers->items[i]);
}

// Computes the rates that may have turned; *is_other: some did.
static bool find_turned(Race *race, bool *is_other) {
  *is_other = race->has_moved;
  for (uint32_t i = 0; i < race->turned.size; i++) {
    const uint32_t place = race->turned.items[i];
    const ProcessId p = place / race->laws->max_rates;
    const uint32_t k = place % race->laws->max_rates;
    const double before = race->given[place];
    race->turns[place] = false;
    if (k < location_of(race, p)->clock_rate_count &&
        !find_given(race, p, k, race->motion.clocks))
      return false;
    *is_other |= race->given[place] != before;
  }
  vec_clear(&race->turned);
  race->has_moved = false;
  return true;
}

// How clocks move. Processes that read one which has turned propose anew; all of them where
// clocks bend, or did.
static bool prepare_rates(Race *race) {
  Motion *motion = &race->motion;
  const bool was_curved = motion->is_curved;
  bool is_other;
  race->curve.is_empty = true;
  if (!find_turned(race, &is_other))
    return false;
  if (race->laws->has_curves)
    find_bent(race);
  if (!is_other && !was_curved && !motion->is_curved)
    return true;
  if ((motion->is_curved && !find_curved(race, motion->clocks)) ||
      !collect_rates(race, motion->moved))
    return false;
  for (uint32_t k = 1; k < motion->clock_count; k++)
    if (motion->rates[k] != motion->moved[k])
      note_readers(race, race->laws->first_clock + k);
  memcpy(motion->rates, motion->moved, sizeof(double) * motion->clock_count);
  if (was_curved || motion->is_curved)
    note_all(race);
  return true;
}

// The earliest delay up to `last`, or before it if it is open, at which the process has an edge,
// and the earliest at which an urgent channel makes it act.
static bool find_openings(Race *race, ProcessId p, double last, bool is_last_open, double *first,
                          double *urgent) {
  const LawLocation *law = location_of(race, p);
  *first = *urgent = INFINITY;
  for (uint32_t c = 0; c < law->output_count; c++)
    for (uint32_t e = 0; e < law->outputs[c].edge_count; e++) {
      const Condition *guard = law->outputs[c].edges[e].guard;
      const bool is_bent = race->motion.is_curved && motion_bends(&race->motion, guard);
      // A guard over curves matters up to the next event that is known: all are looked at anew
      // after it.
      const double known = fmin(race->horizon, race->least) - race->time;
      const double limit = is_bent ? fmin(last, known) : last;
      double delay;
      bool is_open;
      if (condition_first(guard, &race->motion, true, limit, &delay, &is_open) != VM_TRUE)
        return race->error.size ? false : race_fail_vm(race, p);
      if (isinf(delay) || (is_last_open && delay >= last))
        continue;
      if (law->outputs[c].is_urgent)
        *urgent = fmin(
            *urgent,
            is_open ? rounded(race, delay + 4 * CONDITION_TOLERANCE, 1, delay, INFINITY) : delay);
      *first = delay < *first ? delay : *first;
    }
  return true;
}

static bool draw_exponential(Race *race, ProcessId p, double first, double *delay) {
  const LawLocation *law = location_of(race, p);
  double rate;
  if (!law->has_rate)
    return race_fail(race, p, law->location->place,
                     "the delay has no law: neither an invariant bounds it nor is there a rate");
  if (!compute(race, &law->rate, &rate))
    return race_fail_vm(race, p);
  if (!(rate >= 0))
    return race_fail(race, p, law->location->place, "the rate of the delay is %g", rate);
  *delay = rate == 0 ? INFINITY
                     : rounded(race, first - log(philox_real(&race->stream)) / rate, 1 / rate,
                               first, INFINITY);
  return true;
}

// The largest delay that an invariant allows.
static bool find_end(Race *race, ProcessId p, double limit, double *last, bool *is_last_open) {
  const LawLocation *law = location_of(race, p);
  bool is_open;
  if (condition_first(law->invariant, &race->motion, false, limit, last, &is_open) != VM_TRUE)
    return race->error.size ? false : race_fail_vm(race, p);
  *is_last_open = !is_open;
  return *last > 0 || is_open ||
         race_fail(race, p, law->location->place, "the invariant does not hold");
}

static bool propose(Race *race, ProcessId p) {
  const LawLocation *law = location_of(race, p);
  const double horizon = race->horizon - race->time;
  double last = INFINITY, first, urgent, delay = 0;
  bool is_last_open = false, is_bent = false;
  if (law->is_urgent || law->is_committed) {
    last = 0;
  } else if (law->invariant) {
    is_bent = race->motion.is_curved && motion_bends(&race->motion, law->invariant);
    if (!find_end(race, p, is_bent ? horizon : INFINITY, &last, &is_last_open))
      return false;
  }
  if (!find_openings(race, p, last, is_last_open, &first, &urgent))
    return false;
  // An invariant over curves that ends after the run matters if the process may act before.
  if (is_bent && isinf(last) && isfinite(first) && urgent > first &&
      !find_end(race, p, INFINITY, &last, &is_last_open))
    return false;
  race->opens[p] = race->time + first;
  race->locks[p] = RACE_FREE;
  race->is_drawn[p] = false;
  if (isinf(first)) {
    if (isfinite(last))
      race->locks[p] = is_last_open ? RACE_LOCK_OPEN : RACE_LOCK;
    race->when[p] = race->time + last;
    return true;
  }
  if (isfinite(last))
    delay = first < last ? rounded(race, first + (last - first) * philox_real(&race->stream),
                                   last - first, first, last)
                         : first;
  else if (isfinite(urgent) && !law->has_rate)
    delay = urgent;
  else if (!draw_exponential(race, p, first, &delay))
    return false;
  race->is_drawn[p] = delay < urgent && last - first > CONDITION_TOLERANCE;
  race->when[p] = race->time + (delay < urgent ? delay : urgent);
  return true;
}

// Moments that were not drawn and differ by less are equal: what rounding makes of one moment.
// Where clocks have rates, sums of delays are rounded, too.
static double tie(const Race *race, double moment) {
  return fmax(CONDITION_TOLERANCE, (race->laws->has_rates ? 1e-12 : 1e-14) * moment);
}

// The earliest proposal; among equal ones a process that can act, each with the same probability.
static ProcessId pick_winner(Race *race, double *moment) {
  const uint32_t count = race->laws->net->processes.size;
  double least = INFINITY;
  ProcessId first = NET_NONE;
  for (ProcessId p = 0; p < count; p++)
    if (race->when[p] < least)
      least = race->when[p], first = p;
  *moment = least;
  if (first == NET_NONE)
    return NET_NONE;
  const double end = race->is_drawn[first] ? least : least + tie(race, least);
  ProcessId winner = NET_NONE, lock = NET_NONE;
  uint32_t ties = 0;
  for (ProcessId p = 0; p < count; p++) {
    if (race->when[p] > end || (race->when[p] > least && race->is_drawn[p]))
      continue;
    if (race->locks[p])
      lock = p;
    else if (++ties == 1 || philox_below(&race->stream, ties) == 0)
      winner = p;
  }
  return winner == NET_NONE ? lock : winner;
}

bool race_next(Race *race, double *moment, ProcessId *winner) {
  *moment = race->time, *winner = NET_NONE;
  if (is_cut(race))
    return false;
  if (race->committed)
    return true; // race_act draws who
  if ((race->has_moved || race->turned.size || (race->motion.is_curved && race->changed.size)) &&
      !prepare_rates(race))
    return false;
  if (race->laws->has_moving_rates)
    note_all(race);
  race->least = INFINITY;
  for (uint32_t k = 0; k < race->changed.size; k++) {
    const ProcessId p = race->changed.items[k];
    race->is_changed[p] = false;
    if (!propose(race, p))
      return false;
    race->least = race->when[p] < race->least ? race->when[p] : race->least;
  }
  vec_clear(&race->changed);
  *winner = pick_winner(race, moment);
  return true;
}

bool race_delay(Race *race, double moment) {
  Motion *motion = &race->motion;
  const double delay = moment - race->time;
  if (!(delay > 0))
    return true;
  if (motion->is_curved) {
    const double least = 10 * CONDITION_TOLERANCE * (race->time > 1 ? race->time : 1);
    race->tiny = delay < least ? race->tiny + 1 : 0;
    if (race->tiny > RACE_MAX_TINY)
      return race_fail(race, NET_NONE, (Place){0},
                       "the run is probably Zeno: %d delays in a row took almost no time",
                       RACE_MAX_TINY);
    if (advance(race, delay) != VM_TRUE)
      return false;
    memcpy(motion->clocks, motion->moved, sizeof(double) * motion->clock_count);
    race->curve.is_empty = true;
    note_all(race);
  } else if (race->laws->has_rates) {
    for (uint32_t k = 1; k < motion->clock_count; k++)
      motion->clocks[k] += delay * motion->rates[k];
  } else {
    for (uint32_t k = 1; k < motion->clock_count; k++)
      motion->clocks[k] += delay;
  }
  race->time = moment;
  motion->blur = BLUR * moment;
  return true;
}

static bool update(Race *race, ProcessId p, const Update *update) {
  Motion *motion = &race->motion;
  vec_clear(&motion->updates);
  race->keeps_draws = race->record;
  const VmResult result = vm_update(&motion->vm, update, motion->state, &motion->updates);
  race->keeps_draws = false;
  if (result != VM_TRUE)
    return race_fail_vm(race, p);
  for (uint32_t k = 0; k < motion->updates.size; k++) {
    const ClockUpdate *u = &motion->updates.items[k];
    motion->clocks[u->x] = motion->clocks[u->y] + (double)u->constant;
  }
  return true;
}

// Notes which branches have a guard that holds. *first: where.
static bool note_possible(Race *race, ProcessId p, const LawChoice *choice, uint32_t *first) {
  *first = race->possible.size;
  for (uint32_t k = 0; k < choice->edge_count && choice->is_conditional; k++) {
    const VmResult result = condition_holds(choice->edges[k].guard, &race->motion);
    if (result == VM_ERROR || result == VM_INVALID)
      return race_fail_vm(race, p);
    const bool is_possible = result == VM_TRUE;
    vec_push(race->mem, &race->possible, is_possible);
  }
  return true;
}

// Takes one of the branches, by weight, of those that are possible.
static bool pick_branch(Race *race, ProcessId p, const LawChoice *choice, uint32_t possible,
                        const LawEdge **edge) {
  double total = 0, weight, chosen = -1;
  *edge = choice->edges;
  if (!choice->has_stem)
    return true;
  for (uint32_t k = 0; k < choice->edge_count; k++) {
    const LawEdge *e = &choice->edges[k];
    if (choice->is_conditional && !race->possible.items[possible + k])
      continue;
    if (!compute(race, &e->weight, &weight))
      return race_fail_vm(race, p);
    if (!(weight >= 0) || isinf(weight))
      return race_fail(race, p, e->edge->place, "the weight of a branch is %g", weight);
    total += weight;
    // A single draw, kept or dropped: branch k is taken with probability weight / total so far.
    if (weight > 0 && choice->edge_count > 1) {
      chosen = philox_real(&race->stream);
      if (chosen * total < weight)
        *edge = e;
    }
  }
  if (total == 0)
    return race_fail(race, p, choice->edges->edge->place, "all branches have the weight 0");
  return true;
}

static bool is_enabled(Race *race, ProcessId p, const LawChoice *choice, bool *enabled) {
  *enabled = false;
  for (uint32_t k = 0; k < choice->edge_count && !*enabled; k++) {
    const VmResult result = condition_holds(choice->edges[k].guard, &race->motion);
    if (result == VM_ERROR || result == VM_INVALID)
      return race_fail_vm(race, p);
    *enabled = result == VM_TRUE;
  }
  return true;
}

// The receivers' choices, before any update; false on an error.
static bool add_receivers(Race *race, ProcessId sender, uint32_t channel) {
  const Laws *laws = race->laws;
  for (uint32_t k = 0; k < laws->receiver_counts[channel - 1]; k++) {
    const ProcessId p = laws->receivers[channel - 1][k];
    if (p == sender)
      continue;
    const LawLocation *law = location_of(race, p);
    const LawChoice *chosen = NULL;
    uint32_t count = 0;
    for (uint32_t c = 0; c < law->input_count; c++) {
      bool enabled;
      if (law->inputs[c].channel != channel)
        continue;
      if (!is_enabled(race, p, &law->inputs[c], &enabled))
        return false;
      if (enabled && (++count == 1 || philox_below(&race->stream, count) == 0))
        chosen = &law->inputs[c];
    }
    if (!chosen)
      continue;
    RaceAnswer answer = {.choice = chosen};
    if (!note_possible(race, p, chosen, &answer.possible))
      return false;
    vec_push(race->mem, &race->answers, answer);
  }
  return true;
}

// The rates that depend on a cell, of those that are in force.
static void note_rates(Race *race, CellId cell) {
  const LawRateReaders *readers = &race->laws->rate_readers[cell];
  for (uint32_t i = 0; i < readers->count; i++) {
    const LawRateId *rate = &readers->items[i];
    const ProcessId p = race->laws->locations[rate->location].location->process;
    if (net_location_at(race->laws->net, p, race->motion.state) == rate->location)
      note_turn(race, given_by(race, p) + rate->k);
  }
}

static void note_written(Race *race, CellId cell) {
  vec_push(race->mem, &race->written, cell);
  note_readers(race, cell);
  if (race->laws->has_rates)
    note_rates(race, cell);
}

static void save_written(Race *race, const LawEdge *edge) {
  int32_t *before = race->before;
  for (const LawWrite *w = edge->writes; w < edge->writes + edge->write_count; w++) {
    if (w->slot == LAW_ALWAYS || (!w->is_read && !race->notes_all))
      continue;
    if (w->count == 1)
      *before = race->motion.state[w->slot];
    else
      memcpy(before, &race->motion.state[w->slot], w->count * sizeof *before);
    before += w->count;
  }
}

enum { BLOCK = 4 }; // slots that are compared at once

// Processes that read what has changed propose anew.
static void note_writes(Race *race, const LawEdge *edge) {
  const int32_t *before = race->before;
  for (const LawWrite *w = edge->writes; w < edge->writes + edge->write_count; w++) {
    if (!w->is_read && !race->notes_all)
      continue;
    if (w->slot == LAW_ALWAYS) {
      note_written(race, w->cell);
      continue;
    }
    const int32_t *now = &race->motion.state[w->slot];
    for (uint32_t i = 0; i < w->count;)
      if (i + BLOCK <= w->count && !memcmp(&now[i], &before[i], BLOCK * sizeof *now)) {
        i += BLOCK;
      } else {
        if (now[i] != before[i])
          note_written(race, w->cell + i);
        i++;
      }
    before += w->count;
  }
}

// One process changes its location.
static bool take(Race *race, ProcessId p, const LawEdge *edge) {
  const Net *net = race->laws->net;
  save_written(race, edge);
  if (!update(race, p, &edge->update))
    return false;
  race->committed -= location_of(race, p)->is_committed;
  race->motion.state[net->location_slot + p] = net_index(net, edge->target);
  race->committed += location_of(race, p)->is_committed;
  note_change(race, p);
  if (race->laws->has_rates && (race->laws->locations[edge->edge->source].clock_rate_count ||
                                location_of(race, p)->clock_rate_count))
    note_move(race, p);
  note_writes(race, edge);
  vec_push(race->mem, &race->taken, edge);
  return true;
}

// The receivers take part by the guards before all updates. Only if a branch sends they are not
// known before it is chosen: then they are looked for after the updates of the stem. Which
// branches are possible is decided before the updates of the process.
static bool fire(Race *race, ProcessId sender, const LawChoice *choice) {
  const Net *net = race->laws->net;
  const LawEdge *edge;
  uint32_t possible;
  vec_clear(&race->taken);
  vec_clear(&race->written);
  vec_clear(&race->answers);
  vec_clear(&race->possible);
  if ((choice->channel && !add_receivers(race, sender, choice->channel)) ||
      !note_possible(race, sender, choice, &possible) ||
      (net->hooks.before_stmts && !update(race, sender, &net->hooks.before)))
    return false;
  if (choice->has_stem && !update(race, sender, &choice->stem))
    return false;
  if (!pick_branch(race, sender, choice, possible, &edge))
    return false;
  if (choice->is_late && edge->channel && !add_receivers(race, sender, edge->channel))
    return false;
  if (!take(race, sender, edge))
    return false;
  for (uint32_t k = 0; k < race->answers.size; k++) {
    const LawChoice *answer = race->answers.items[k].choice;
    const ProcessId p = answer->edges->edge->process;
    if ((answer->has_stem && !update(race, p, &answer->stem)) ||
        !pick_branch(race, p, answer, race->answers.items[k].possible, &edge) ||
        !take(race, p, edge))
      return false;
  }
  if (net->hooks.after_stmts && !update(race, sender, &net->hooks.after))
    return false;
  return true;
}

// Of those that moved, and of others that an update may have put outside.
static bool check_targets(Race *race) {
  for (uint32_t k = 0; k < race->changed.size; k++)
    if (!check_invariant(race, race->changed.items[k]))
      return false;
  return true;
}

static bool count_step(Race *race) {
  race->steps++;
  if (race->steps % RACE_MAX_STILL == 0) {
    if (race->time - race->still_since <= 1e-9 * fmax(1, race->time) && race->still_since >= 0)
      return race_fail(race, race->taken.items[0]->edge->process,
                       race->taken.items[0]->edge->place,
                       "the run is probably Zeno: %d steps took %g time units", RACE_MAX_STILL,
                       race->time - race->still_since);
    race->still_since = race->time;
  }
  return true;
}

// Whether a broadcast has an enabled receiver in a committed location.
static bool serves_committed(Race *race, ProcessId sender, const LawChoice *choice,
                             bool *serves) {
  *serves = false;
  const uint32_t channel = choice->channel;
  for (uint32_t k = 0; channel && k < race->laws->receiver_counts[channel - 1]; k++) {
    const ProcessId p = race->laws->receivers[channel - 1][k];
    const LawLocation *law = location_of(race, p);
    for (uint32_t c = 0; c < law->input_count && p != sender && law->is_committed && !*serves;
         c++)
      if (law->inputs[c].channel == channel && !is_enabled(race, p, &law->inputs[c], serves))
        return false;
  }
  return true;
}

// One of the choices of a process that are possible now, each with the same probability; NULL if
// there is none.
static bool pick_choice(Race *race, ProcessId p, const LawChoice **chosen) {
  const LawLocation *law = location_of(race, p);
  uint32_t count = 0;
  *chosen = NULL;
  for (uint32_t c = 0; c < law->output_count; c++) {
    bool possible;
    if (race->committed && !law->is_committed &&
        race->awaited[law->outputs[c].channel] != race->looks)
      continue;
    if (!is_enabled(race, p, &law->outputs[c], &possible))
      return false;
    if (possible && race->committed && !law->is_committed &&
        !serves_committed(race, p, &law->outputs[c], &possible))
      return false;
    if (possible && (++count == 1 || philox_below(&race->stream, count) == 0))
      *chosen = &law->outputs[c];
  }
  return true;
}

// Notes the channels on which processes in committed locations listen. Outside of these locations
// only edges on such a channel can act: the others' guards need not be evaluated.
static void note_awaited(Race *race) {
  race->looks++;
  for (ProcessId p = 0; p < race->laws->net->processes.size; p++) {
    const LawLocation *law = location_of(race, p);
    for (uint32_t c = 0; c < law->input_count && law->is_committed; c++)
      race->awaited[law->inputs[c].channel] = race->looks;
  }
}

// Whether an edge of a process may be enabled, by what its last proposal found.
static bool is_open(const Race *race, ProcessId p) {
  const double time = race->time > 1 ? race->time : 1;
  return race->is_changed[p] || race->opens[p] <= race->time + 4 * CONDITION_TOLERANCE * time;
}

// In a committed state: one of the processes that can act.
static bool pick_committed(Race *race, ProcessId *winner, const LawChoice **chosen) {
  uint32_t count = 0;
  *chosen = NULL;
  note_awaited(race);
  for (ProcessId p = 0; p < race->laws->net->processes.size; p++) {
    const LawLocation *law = location_of(race, p);
    const LawChoice *choice;
    if (law->output_count == 0 || (!law->is_committed && !is_open(race, p)))
      continue;
    if (!pick_choice(race, p, &choice))
      return false;
    if (choice && (++count == 1 || philox_below(&race->stream, count) == 0))
      *chosen = choice, *winner = p;
  }
  return true;
}

bool race_act(Race *race, ProcessId winner, bool *acted) {
  const LawChoice *choice;
  *acted = false;
  if (race->committed) {
    if (!pick_committed(race, &winner, &choice))
      return false;
    for (ProcessId p = 0; !choice; p++)
      if (location_of(race, p)->is_committed)
        return race_fail(race, p, location_of(race, p)->location->place,
                         "time-lock: no edge leads out of a committed location");
  } else if (race->locks[winner]) {
    return race_fail(race, winner, location_of(race, winner)->location->place,
                     "time-lock: the invariant ends, and no edge is enabled");
  } else if (!pick_choice(race, winner, &choice)) {
    return false;
  }
  if (!choice) { // nothing happens: it proposes anew
    note_change(race, winner);
    if (++race->idle > RACE_MAX_STILL)
      return race_fail(race, winner, location_of(race, winner)->location->place,
                       "time-lock: no edge is enabled at the moments that the process chooses");
    return true;
  }
  race->idle = 0;
  *acted = true;
  vec_clear(&race->drawn);
  if (!fire(race, winner, choice) || !check_targets(race) || !count_step(race))
    return false;
  if (race->record)
    race->record(race->record_context, race);
  return true;
}
