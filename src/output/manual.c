#include "output/manual.h"

#include "base/embedded.h"
#include "search/options.h"
#include "search/statistics.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 80, INDENT = 6 };

// Adds a paragraph, wrapped, indented.
static void add_wrapped(Text *text, const char *words, unsigned indent) {
  unsigned column = 0;
  while (*words) {
    const size_t length = strcspn(words, " ");
    if (column && column + 1 + length > COLUMNS) {
      text_add_char(text, '\n');
      column = 0;
    }
    if (!column) {
      for (unsigned i = 0; i < indent; i++)
        text_add_char(text, ' ');
      column = indent;
    } else {
      text_add_char(text, ' ');
      column++;
    }
    text_add_bytes(text, words, length);
    column += (unsigned)length;
    words += length + (words[length] == ' ');
  }
  text_add_char(text, '\n');
}

static void add_option(Text *text, const OptionInfo *info) {
  text_add(text, "  ");
  if (info->letter)
    text_addf(text, "-%c, ", info->letter);
  text_addf(text, "--%s", info->name);
  if (info->values)
    text_addf(text, " %s", info->values);
  if (info->initial)
    text_addf(text, "  (default: %s)", info->initial);
  text_add_char(text, '\n');
  add_wrapped(text, info->help, INDENT);
}

static void add_options(Text *text, CommandName command) {
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_of_command(command, i)); i++)
    add_option(text, info);
}

static const char *const statistics_note = "Only the statistics that apply to the search are "
                                           "shown. JSON always has all names, with null\n"
                                           "for those that do not apply.\n";

// Adds what a statistic counts, and in which searches.
static void add_meaning(Text *text, const StatisticInfo *info) {
  const char *searches = statistics_searches(info);
  text_add(text, info->help);
  if (searches)
    text_addf(text, " (%s)", searches);
  text_add_char(text, '\n');
}

static void add_statistics(Text *text) {
  for (uint32_t i = 0; i < statistics_count(); i++) {
    text_addf(text, "  %-12s ", statistics_at(i)->name);
    add_meaning(text, statistics_at(i));
  }
  text_addf(text, "\n%s", statistics_note);
}

static const char *const headline = "tarn - a model checker for networks of timed automata\n\n";

// Each command with its arguments and what it does; help has the topics.
static void add_commands(Text *text) {
  enum { COLUMN = 35 };
  const CommandInfo *info;
  for (uint32_t i = 0; (info = options_command(i)); i++) {
    const size_t begin = text->size;
    text_addf(text, "  tarn %s %s", info->name, info->arguments);
    while (text->size - begin < COLUMN)
      text_add_char(text, ' ');
    text_addf(text, "%s\n", info->help);
  }
}

// Topics that are a file of src/output/help; those of commands go on with their options.
static const char *const topics[] = {
    "check",  "certify", "simulate",      "show",   "gen",      "convert",
    "lint",   "fmt",     "lsp",           "mcp",    "watch",    "workbench",
    "serve",  "sweep",   "cover",         "mutate", "verifyta", "language",
    "uppaal", "queries", "probabilities", "json",   "status"};
enum { TOPICS = sizeof topics / sizeof *topics };

static void add_text(Text *text, const char *topic) {
  char file[32];
  snprintf(file, sizeof file, "%s.txt", topic);
  embedded_add(text, file);
}

const char *manual_topic_name(size_t index) {
  static const char *const made[] = {"options", "statistics"}; // from tables
  enum { MADE = sizeof made / sizeof *made };
  return index < TOPICS ? topics[index] : index < TOPICS + MADE ? made[index - TOPICS] : NULL;
}

static void add_overview(Text *text) {
  Text names = {.mem = text->mem};
  add_commands(text);
  add_text(text, "overview");
  text_add(&names, "Topics:");
  for (size_t i = 0; manual_topic_name(i); i++)
    text_addf(&names, " %s%s", manual_topic_name(i), manual_topic_name(i + 1) ? "," : ".");
  text_add_char(text, '\n');
  add_wrapped(text, text_chars(&names), 0);
  text_release(&names);
}

static void add_topic(Text *text, const char *name) {
  CommandName command;
  const bool is_command = options_find_command(name, &command);
  if (is_command)
    text_addf(text, "tarn %s %s\n\n", name, options_command(command)->arguments);
  add_text(text, name);
  if (is_command && options_of_command(command, 0)) {
    text_add(text, "\nOptions:\n");
    add_options(text, command);
  }
  if (is_command && command == COMMAND_CHECK) {
    text_add(text, "\nExit status:\n");
    add_text(text, "status");
  }
}

// The options of one name. If there are several, each is shown with its commands.
static bool add_all_named(Text *text, const char *name) {
  const OptionInfo *info = options_find(name);
  const bool is_only = info && !options_find_after(info);
  for (const OptionInfo *i = info; i; i = options_find_after(i)) {
    if (!is_only) {
      text_add(text, i == info ? "" : "\n");
      for (uint32_t k = 0; options_command(k); k++)
        if (i->commands & 1U << k)
          text_addf(text, "%starn %s",
                    text->size && text->chars[text->size - 1] != '\n' ? ", " : "",
                    options_command(k)->name);
      text_add(text, ":\n");
    }
    add_option(text, i);
  }
  return info;
}

bool manual_topic(Text *text, const char *topic) {
  if (!topic) {
    text_add(text, headline);
    add_overview(text);
    return true;
  }
  if (!strcmp(topic, "options"))
    return add_options(text, COMMAND_CHECK), true;
  if (!strcmp(topic, "statistics"))
    return add_statistics(text), true;
  for (size_t i = 0; i < TOPICS; i++)
    if (!strcmp(topic, topics[i]))
      return add_topic(text, topic), true;
  return add_all_named(text, topic + strspn(topic, "-"));
}

// Text for roff: backslashes and leading dots are escaped, dashes of options kept.
static void add_roff(Text *text, const char *chars) {
  for (bool at_start = true; *chars; chars++) {
    if (*chars == '\\' || (*chars == '-' && chars[1] != ' '))
      text_add_char(text, '\\');
    if (at_start && (*chars == '.' || *chars == '\''))
      text_add(text, "\\&");
    text_add_char(text, *chars);
    at_start = *chars == '\n';
  }
}

static void add_block(Text *text, const char *title, const char *body) {
  text_addf(text, ".SH %s\n.nf\n", title);
  add_roff(text, body);
  text_add(text, ".fi\n");
}

static void add_topic_block(Text *text, const char *title, const char *topic) {
  Text body = {.mem = text->mem};
  add_text(&body, topic);
  add_block(text, title, text_chars(&body));
  text_release(&body);
}

static void add_option_roff(Text *text, const OptionInfo *info) {
  text_add(text, ".TP\n\\fB");
  if (info->letter)
    text_addf(text, "\\-%c\\fR, \\fB", info->letter);
  text_add(text, "\\-\\-");
  add_roff(text, info->name);
  text_add(text, "\\fR");
  if (info->values) {
    text_add(text, " \\fI");
    add_roff(text, info->values);
    text_add(text, "\\fR");
  }
  text_add_char(text, '\n');
  add_roff(text, info->help);
  if (info->initial)
    text_addf(text, " Default: %s.", info->initial);
  text_add_char(text, '\n');
}

static void add_options_roff(Text *text, CommandName command) {
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_of_command(command, i)); i++)
    add_option_roff(text, info);
}

// The commands other than check, each with its options.
static void add_commands_roff(Text *text) {
  CommandName command;
  for (size_t i = 1; i < TOPICS; i++)
    if (options_find_command(topics[i], &command)) {
      char title[16];
      for (size_t k = 0; k <= strlen(topics[i]); k++)
        title[k] = (char)toupper((unsigned char)topics[i][k]);
      add_topic_block(text, title, topics[i]);
      add_options_roff(text, command);
    }
}

void manual_page(Text *text) {
  Text synopsis = {.mem = text->mem};
  text_add(text, ".TH TARN 1 \"\" \"tarn " TARN_VERSION "\" \"User Commands\"\n.SH NAME\n"
                 "tarn \\- a model checker for networks of timed automata\n");
  add_overview(&synopsis);
  add_block(text, "SYNOPSIS", text_chars(&synopsis));
  text_release(&synopsis);
  text_add(text, ".SH OPTIONS\n");
  add_options_roff(text, COMMAND_CHECK);
  add_topic_block(text, "MODELS", "language");
  add_topic_block(text, "UPPAAL", "uppaal");
  add_topic_block(text, "QUERIES", "queries");
  add_topic_block(text, "PROBABILITIES", "probabilities");
  add_topic_block(text, "JSON", "json");
  text_add(text, ".SH STATISTICS\n");
  for (uint32_t i = 0; i < statistics_count(); i++) {
    text_addf(text, ".TP\n\\fB%s\\fR\n", statistics_at(i)->name);
    add_meaning(text, statistics_at(i));
  }
  text_addf(text, ".PP\n%s", statistics_note);
  add_commands_roff(text);
  add_topic_block(text, "EXIT STATUS", "status");
}
