#include "model/state.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

uint32_t state_bits(uint32_t max) { return max ? 32u - (uint32_t)__builtin_clz(max) : 0; }

void state_layout_with(StateLayout *layout, Arena *arena, const Net *net, const int32_t *max,
                       uint32_t more) {
  const uint32_t own = net->slots.count, slots = own + more;
  StateField *fields = ARENA_ARRAY(arena, StateField, slots);
  uint32_t *first = ARENA_ARRAY(arena, uint32_t, slots + 1);
  uint32_t word = 0, used = 0;
  for (uint32_t slot = 0; slot < slots; slot++) {
    const bool is_meta = // always the initial value
        slot < own && net->slots.is_meta && net->slots.is_meta[slot];
    const int32_t low = slot >= own ? 0
                        : is_meta   ? net->slots.initial[slot]
                                    : net->slots.low[slot];
    const int32_t high = slot >= own ? max[slot - own] : is_meta ? low : net->slots.high[slot];
    const uint32_t bits = state_bits((uint32_t)high - (uint32_t)low);
    if (used + bits > 64) {
      first[++word] = slot;
      used = 0;
    }
    fields[slot] = (StateField){
        .word = word, .shift = bits ? used : 0, .mask = ((uint64_t)1 << bits) - 1, .low = low};
    used += bits;
  }
  first[word + 1] = slots;
  *layout = (StateLayout){.slots = slots,
                          .words = word + 1,
                          .bytes = word * 8 + (used > 8 ? (used + 7) / 8 : 1),
                          .fields = fields,
                          .first = first};
}

void state_layout(StateLayout *layout, Arena *arena, const Net *net) {
  state_layout_with(layout, arena, net, NULL, 0);
}

// Word by word: no store waits for the one before it.
void state_pack(const StateLayout *layout, uint64_t *packed, const int32_t *state) {
  for (uint32_t word = 0; word < layout->words; word++) {
    uint64_t bits = 0;
    for (uint32_t slot = layout->first[word]; slot < layout->first[word + 1]; slot++) {
      const StateField *field = &layout->fields[slot];
      const uint64_t value = (uint32_t)state[slot] - (uint32_t)field->low;
      assert(value <= field->mask);
      bits |= value << field->shift;
    }
    packed[word] = bits;
  }
}

void state_unpack(const StateLayout *layout, int32_t *state, const uint64_t *packed) {
  const StateField *field = layout->fields;
  for (uint32_t word = 0; word < layout->words; word++) {
    const uint64_t bits = packed[word];
    for (const StateField *end = layout->fields + layout->first[word + 1]; field < end; field++)
      *state++ = (int32_t)((uint32_t)(bits >> field->shift & field->mask) + (uint32_t)field->low);
  }
}

bool state_is_in_range(const StateLayout *layout, const Net *net, const uint64_t *packed) {
  for (uint32_t slot = 0; slot < net->slots.count; slot++) {
    const StateField *field = &layout->fields[slot];
    const uint64_t value = packed[field->word] >> field->shift & field->mask;
    if (field->mask && value > (uint32_t)net->slots.high[slot] - (uint32_t)field->low)
      return false;
  }
  return true;
}

static bool is_initial(const Net *net, const Process *process, uint32_t index) {
  return net->locations.items[process->first_location + index].initial;
}

// The number is read as one with a digit for each process: which of its initial locations it is
// in.
bool state_initial(const Net *net, int32_t *state, uint32_t ordinal) {
  memcpy(state, net->slots.initial, sizeof *state * net->slots.count);
  for (ProcessId p = net->processes.size; p-- > 0;) {
    const Process *process = &net->processes.items[p];
    uint32_t count = 0, index = 0;
    for (uint32_t i = 0; i < process->location_count; i++)
      count += is_initial(net, process, i);
    if (!count)
      return false;
    for (uint32_t before = ordinal % count; before || !is_initial(net, process, index); index++)
      before -= is_initial(net, process, index);
    state[net->location_slot + p] = (int32_t)index;
    ordinal /= count;
  }
  return !ordinal;
}

static bool some_process_is(const Net *net, const int32_t *state, const bool *flags) {
  const int32_t *locations = state + net->location_slot;
  bool found = false;
  for (ProcessId p = 0; p < net->processes.size; p++)
    found |= flags[net->processes.items[p].first_location + (uint32_t)locations[p]];
  return found;
}

bool state_may_delay(const Net *net, const int32_t *state) {
  return !some_process_is(net, state, net->by_location.urgent);
}

void state_print(Text *text, const Net *net, const int32_t *state) {
  for (ProcessId p = 0; p < net->processes.size; p++)
    text_addf(text, "%s%s.%s", p ? "," : "", net->processes.items[p].name,
              net_location(net, p, state[net->location_slot + p])->name);
  for (uint32_t slot = 0; slot < net->location_slot; slot++)
    text_addf(text, ",%s=%d", net->slots.names[slot], state[slot]);
}

// Whether a name is that of an element with this index, of the array whose name ends at `stem`.
static bool is_element(const char *name, const char *array, size_t stem, uint32_t index) {
  char text[16];
  snprintf(text, sizeof text, "[%u]", index);
  return !strncmp(name, array, stem) && !strcmp(name + stem, text);
}

// Behind the last element of the array that begins with this slot; the next slot if it is none.
static uint32_t array_end(const Net *net, uint32_t slot) {
  const char *const *names = net->slots.names;
  const char *index = strrchr(names[slot], '[');
  uint32_t end = slot;
  while (index && end < net->location_slot &&
         is_element(names[end], names[slot], (size_t)(index - names[slot]), end - slot))
    end++;
  return end > slot ? end : slot + 1;
}

// A few equal values in sequence are written out.
enum { FEW_EQUAL = 4, FEW_CHANGED = 4 };

static void show_array(Text *text, const Net *net, const int32_t *state, uint32_t slot,
                       uint32_t end) {
  const char *name = net->slots.names[slot];
  text_addf(text, "%.*s=[", (int)(strrchr(name, '[') - name), name);
  for (uint32_t i = slot; i < end;) {
    uint32_t next = i + 1;
    while (next < end && state[next] == state[i])
      next++;
    if (next - i <= FEW_EQUAL)
      next = i + 1;
    text_addf(text, "%s%d", i > slot ? "," : "", state[i]);
    if (next > i + 1)
      text_addf(text, "*%u", next - i);
    i = next;
  }
  text_add_char(text, ']');
}

void state_show(Text *text, const Net *net, const int32_t *state, const int32_t *before) {
  const char *separator = "";
  for (ProcessId p = 0; !before && p < net->processes.size; p++, separator = ",")
    text_addf(text, "%s%s.%s", separator, net->processes.items[p].name,
              net_location(net, p, state[net->location_slot + p])->name);
  for (uint32_t slot = 0, end; slot < net->location_slot; slot = end) {
    uint32_t changed = 0;
    end = array_end(net, slot);
    for (uint32_t i = slot; i < end; i++)
      changed += !before || before[i] != state[i];
    if (end > slot + 1 && changed > (before ? FEW_CHANGED : 0)) {
      text_add(text, separator);
      show_array(text, net, state, slot, end);
      separator = ",";
      continue;
    }
    for (uint32_t i = slot; i < end; i++)
      if (!before || before[i] != state[i]) {
        text_addf(text, "%s%s=%d", separator, net->slots.names[i], state[i]);
        separator = ",";
      }
  }
}
