#define _POSIX_C_SOURCE 200809L
#include "command/simulator.h"

#include "command/command.h"
#include "command/line_editor.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Prompt {
  Tarn *tarn;
  const char *format; // of what is shown
} Prompt;

static const char *const help =
    "  N [DELAY]  take transition N, after a delay such as 3/2, or as early as possible\n"
    "  d DELAY    let time pass without a transition\n"
    "  b          take the last step or delay back\n"
    "  g N        go to step N, back or forward again\n"
    "  r [N]      N random steps\n"
    "  w          write the run so far\n"
    "  s FILE     save the run: FILE.json, or FILE.html, a page for a browser\n"
    "  l          show the whole state, and the zone of all runs with the same transitions\n"
    "  q          end\n";

// One step shows what it changes; other commands show the whole state.
static int show(const Prompt *prompt, bool is_step) {
  const bool is_text = !strcmp(prompt->format, "text");
  return tarn_write(prompt->tarn, stdout, "simulation",
                    is_text && !is_step ? "full" : prompt->format);
}

int simulator_save(Tarn *tarn, const char *path) {
  const char *dot = strrchr(path, '.');
  const char *format = dot && !strcmp(dot, ".html") ? "html" : "json";
  return command_write_file(tarn, path, "run", format, "run") ? -1 : 0;
}

static int step_randomly(Tarn *tarn, const char *word) {
  const int wanted = word ? atoi(word) : 1, done = tarn_step_randomly(tarn, wanted, rand());
  const bool is_stuck = done >= 0 && done < wanted;
  const char *why = is_stuck ? tarn_stuck(tarn) : NULL;
  if (is_stuck)
    fprintf(stderr, "after %d of %d steps: %s\n", done, wanted,
            why ? why : "the times become too fine");
  return done;
}

// A word that needs another one after it, and has none.
static bool lacks(const char *more, const char *what) {
  if (!more)
    fprintf(stderr, "which %s? `h` explains the commands\n", what);
  return !more;
}

// One line; false ends the prompt. Mistakes are told and change nothing.
static bool obey(const Prompt *prompt, char *line) {
  Tarn *tarn = prompt->tarn;
  const char *const blanks = " \t\n";
  char *rest = NULL;
  const char *word = strtok_r(line, blanks, &rest), *more = strtok_r(NULL, blanks, &rest);
  bool is_step = false;
  int result = 0;
  if (!word)
    return true;
  switch (*word) {
  case 'q':
    return false;
  case 'w':
    return tarn_write(tarn, stdout, "run", prompt->format) == 0;
  case 's':
    if (!lacks(more, "file") && !simulator_save(tarn, more))
      fprintf(stderr, "saved: %s\n", more);
    return true;
  case 'b':
    result = tarn_step_back(tarn);
    break;
  case 'g':
    if (lacks(more, "step"))
      return true;
    result = tarn_step_to(tarn, (size_t)strtoul(more, NULL, 10));
    break;
  case 'd':
    if (lacks(more, "delay"))
      return true;
    result = tarn_wait(tarn, more);
    is_step = true;
    break;
  case 'r':
    result = step_randomly(tarn, more);
    break;
  case 'l':
    break;
  default:
    if (*word < '0' || *word > '9') {
      fputs(help, stderr);
      return true;
    }
    result = tarn_step(tarn, (size_t)strtoul(word, NULL, 10), more);
    is_step = true;
  }
  if (result < 0)
    fputs(tarn_error(tarn), stderr);
  return show(prompt, is_step) == 0;
}

int simulator_run(Tarn *tarn, const char *format, unsigned seed) {
  const Prompt prompt = {tarn, format};
  srand(seed);
  LineEditor editor;
  line_editor_init(&editor);
  if (isatty(STDIN_FILENO))
    fputs("`h` explains the commands.\n", stderr);
  if (show(&prompt, true))
    return -1;
  for (;;) {
    char *line = line_editor_next(&editor);
    const bool goes_on = line && obey(&prompt, line);
    free(line);
    if (!goes_on)
      return ferror(stdout) ? -1 : 0;
  }
}
