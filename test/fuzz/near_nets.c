#include "near_nets.h"

#include "sample.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 100, MAX_LINES = 200 };

static void read_file(const char *name, char *text, size_t size) {
  char path[300];
  snprintf(path, sizeof path, "test/fuzz/partial/%s", name);
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    exit(2);
  }
  text[fread(text, 1, size - 1, file)] = 0;
  fclose(file);
}

// The row of the table: its model, query and options.
static void read_row(unsigned long number, char *model, NearNet *net) {
  static char table[NEAR_TEXT];
  char *rows[MAX_ROWS];
  unsigned count = 0;
  read_file("rules.tsv", table, sizeof table);
  for (char *line = strtok(table, "\n"); line && count < MAX_ROWS; line = strtok(NULL, "\n"))
    if (*line != '#')
      rows[count++] = line;
  if (sscanf(rows[number % count], "%*[^\t]\t%100[^\t]\t%190[^\t]\t%190[^\n]", model, net->query,
             net->options) < 2)
    exit(2);
}

static unsigned below(unsigned long long *random, unsigned n) { return sample_below(random, n); }

// A character in the text of a line, chosen at random among those that `fits` accepts.
static char *choose(unsigned long long *random, char *line, bool (*fits)(const char *, size_t)) {
  unsigned count = 0;
  char *chosen = NULL;
  for (size_t i = 1; line[i]; i++)
    if (fits(line, i) && !below(random, ++count))
      chosen = line + i;
  return chosen;
}

// The only digit of a number, which is no part of a name.
static bool is_number(const char *line, size_t i) {
  return isdigit((unsigned char)line[i]) && strchr("=<>+-,:(&| ", line[i - 1]) &&
         !isalnum((unsigned char)line[i + 1]);
}
static bool is_relation(const char *line, size_t i) {
  return strchr("<>=!", line[i]) && line[i + 1] == '=';
}

static void replace(char *line, const char *from, const char *to) {
  char *at = strstr(line, from);
  char rest[NEAR_PART];
  if (!at)
    return;
  snprintf(rest, sizeof rest, "%s", at + strlen(from));
  snprintf(at, NEAR_PART - (size_t)(at - line), "%s%s", to, rest);
}

static void edit(unsigned long long *random, char lines[][NEAR_PART], unsigned *count) {
  char *line = lines[below(random, *count)];
  char *at;
  switch (below(random, 7)) {
  case 0:
  case 1:
    if (strncmp(line, "system", 6) != 0 && (at = choose(random, line, is_number)))
      *at = (char)('0' + below(random, 4));
    break;
  case 2:
    if ((at = choose(random, line, is_relation)))
      *at = "<>="[below(random, 3)];
    break;
  case 3:
    if (below(random, 2))
      replace(line, "urgent:", "committed:");
    else
      replace(line, "committed:", "urgent:");
    break;
  case 4:
    replace(line, "urgent:", "");
    break;
  case 5: // an edge goes
    if (!strncmp(line, "edge:", 5))
      *line = '#';
    break;
  case 6: // an edge comes twice, and is edited later
    if (!strncmp(line, "edge:", 5) && *count < MAX_LINES)
      memcpy(lines[(*count)++], line, NEAR_PART);
    break;
  }
}

void near_nets_make(NearNet *net, unsigned long seed) {
  static char text[NEAR_TEXT], lines[MAX_LINES][NEAR_PART];
  char model[120];
  unsigned long long random = seed * 2 + 1;
  unsigned count = 0;
  *net = (NearNet){0};
  for (int i = 0; i < 3; i++)
    below(&random, 2);
  read_row(seed, model, net);
  read_file(model, text, sizeof text);
  net->is_uppaal = strstr(model, ".xta");
  for (char *line = strtok(text, "\n"); line && count < MAX_LINES; line = strtok(NULL, "\n"))
    snprintf(lines[count++], NEAR_PART, "%s", line);
  for (unsigned k = below(&random, 5); k; k--)
    edit(&random, lines, &count);
  size_t size = 0;
  for (int syncs = 0; syncs < 2; syncs++) // behind the edges that came
    for (unsigned i = 0; i < count; i++)
      if ((strncmp(lines[i], "sync:", 5) == 0) == syncs && *lines[i] != '#')
        size += (size_t)snprintf(net->text + size, NEAR_TEXT - size, "%s\n", lines[i]);
}
