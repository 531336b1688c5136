// A small driver for the libFuzzer targets, where there is no clang: mutate FIRST COUNT WORDS
// FILE...
//
// Gives each target input COUNT changed files, from number FIRST on: bytes, words of the
// dictionary WORDS, pieces of another file, repetitions, truncations. Prints the number of an
// input before it is tried (stderr, one line that is overwritten), so that a crash can be
// repeated with that FIRST.
#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 500, MAX_BYTES = 20000, MAX_WORDS = 500 };

typedef struct Bytes {
  uint8_t *items;
  size_t size;
} Bytes;

typedef struct Inputs {
  Bytes files[MAX_FILES], words[MAX_WORDS];
  uint32_t file_count, word_count;
} Inputs;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Bytes read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "mutate: cannot read %s\n", path);
    exit(2);
  }
  Bytes bytes = {.items = malloc(MAX_BYTES)};
  bytes.size = fread(bytes.items, 1, MAX_BYTES, file);
  fclose(file);
  return bytes;
}

// Lines of a dictionary, `"word"`; backslashes are kept as they are.
static void read_words(Inputs *inputs, const char *path) {
  Bytes text = read_file(path);
  for (size_t i = 0, end; i < text.size; i = end + 1) {
    for (end = i; end < text.size && text.items[end] != '\n';)
      end++;
    if (end > i + 2 && text.items[i] == '"' && inputs->word_count < MAX_WORDS)
      inputs->words[inputs->word_count++] = (Bytes){text.items + i + 1, end - i - 2};
  }
}

// Replaces `out` bytes at a place by a piece, as far as there is room.
static void splice(Bytes *input, size_t at, size_t out, const uint8_t *piece, size_t in) {
  const size_t rest = input->size - at - out;
  if (at + in + rest > MAX_BYTES)
    return;
  memmove(input->items + at + in, input->items + at + out, rest);
  memmove(input->items + at, piece, in);
  input->size = at + in + rest;
}

static void change(const Inputs *inputs, Bytes *input, Random *random) {
  const size_t at = random_below(random, (uint32_t)input->size + 1);
  const size_t max = input->size - at;
  const size_t out = max ? random_below(random, max < 40 ? (uint32_t)max : 40) : 0;
  const Bytes *other = &inputs->files[random_below(random, inputs->file_count)];
  const uint8_t byte = (uint8_t)random_next(random);
  switch (random_below(random, 8)) {
  case 0:
    splice(input, at, max > 0, &byte, 1);
    return;
  case 1:
    splice(input, at, out, &byte, 0);
    return;
  case 2: { // a piece of another file
    const size_t from = random_below(random, (uint32_t)other->size + 1);
    const size_t size = random_below(random, 200);
    splice(input, at, out, other->items + from,
           size < other->size - from ? size : other->size - from);
    return;
  }
  case 3: // a piece of itself, twice
    splice(input, at, 0, input->items + at, out);
    return;
  case 4:
    if (!random_below(random, 20))
      input->size = at;
    return;
  default: {
    const Bytes *word = &inputs->words[random_below(random, inputs->word_count)];
    splice(input, at, random_below(random, 2) ? out % 8 : 0, word->items, word->size);
  }
  }
}

int main(int count, char **arguments) {
  static Inputs inputs;
  if (count < 5 || count > MAX_FILES) {
    fprintf(stderr, "usage: mutate FIRST COUNT WORDS FILE...\n");
    return 2;
  }
  const unsigned long first = strtoul(arguments[1], NULL, 10);
  const unsigned long tries = strtoul(arguments[2], NULL, 10);
  read_words(&inputs, arguments[3]);
  for (int i = 4; i < count; i++)
    inputs.files[inputs.file_count++] = read_file(arguments[i]);
  static uint8_t bytes[MAX_BYTES];
  for (unsigned long i = first; i < first + tries; i++) {
    Random random;
    random_seed(&random, i);
    const Bytes *file = &inputs.files[random_below(&random, inputs.file_count)];
    Bytes input = {bytes, file->size};
    memcpy(bytes, file->items, file->size);
    for (uint32_t k = random_below(&random, 6); k < 6; k++)
      change(&inputs, &input, &random);
    fprintf(stderr, "\rinput %lu", i);
    LLVMFuzzerTestOneInput(input.items, input.size);
  }
  fprintf(stderr, "\r");
  printf("%lu inputs from %lu on\n", tries, first);
  return 0;
}
