#include "output/complete.h"

#include "language/gen/gen.h"
#include "output/manual.h"
#include "search/options.h"

#include <string.h>

// Commands whose options are not those of the table, which are check's.
static const struct {
  const char *name, *help;
  const char *flags; // without a value
  const char *files; // with the name of a file
  const char *values;
} commands[] = {
    {"check", "decide queries, or explore everything", "", "", ""},
    {"certify", "check evidence of an answer again", "--proved", "", ""},
    {"simulate", "step through a run, or make a random one", "--json --full", "--from --html",
     "--steps --seed"},
    {"show", "the model as it was read", "--dot --symmetry --queries --full", "--trace --html",
     ""},
    {"gen", "write a model of a family", "--list", "", ""},
    {"convert", "the model in the other language", "", "", ""},
    {"lint", "what is suspicious in the model", "--json --strict --quiet", "",
     "--query --time-limit --memory-limit"},
    {"verifyta", "check in the manner of the UPPAAL command", "", "", ""},
    {"help", "explain a topic", "", "", ""},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void add_topics(Text *text) {
  for (size_t i = 0; manual_topic_name(i); i++)
    text_addf(text, "%s%s", i ? " " : "", manual_topic_name(i));
}

static void add_families(Text *text) {
  for (int i = 0; gen_name(i); i++)
    text_addf(text, "%s%s", i ? " " : "", gen_name(i));
}

// `a|b` as `a b`.
static void add_values(Text *text, const char *values) {
  for (; *values; values++)
    text_add_char(text, *values == '|' ? ' ' : *values);
}

static void add_names(Text *text) {
  for (uint32_t i = 0; i < options_count(); i++)
    text_addf(text, "%s--%s", i ? " " : "", options_at(i)->name);
}

// The values of one option of check.
static void add_bash_values(Text *text, const OptionInfo *info) {
  text_add(text, "      ");
  if (info->letter)
    text_addf(text, "-%c|", info->letter);
  text_addf(text, "--%s) words='", info->name);
  add_values(text, info->values);
  text_add(text, "' ;;\n");
}

void complete_bash(Text *text) {
  text_add(text,
           "# bash completion for tarn, made by `tarn help --bash`\n"
           "_tarn() {\n"
           "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
           "  local words=\n"
           "  COMPREPLY=()\n"
           "  case $COMP_CWORD:${COMP_WORDS[1]} in\n"
           "  1:*) words='");
  for (size_t i = 0; i < COMMANDS; i++)
    text_addf(text, "%s ", commands[i].name);
  text_add(text, "--version --help' ;;\n  *:help) words='");
  add_topics(text);
  text_add(text, "' ;;\n  2:gen) words='--list ");
  add_families(text);
  text_add(text, "' ;;\n  *:check)\n    case $previous in\n");
  for (uint32_t i = 0; i < options_count(); i++)
    if (options_at(i)->kind == OPTION_CHOICE)
      add_bash_values(text, options_at(i));
  text_add(text, "      *) case $current in -*) words='");
  add_names(text);
  text_add(text, "' ;; esac ;;\n    esac ;;\n");
  for (size_t i = 0; i < COMMANDS; i++)
    if (*commands[i].flags && strcmp(commands[i].name, "gen"))
      text_addf(text, "  *:%s) case $current in -*) words='%s %s %s' ;; esac ;;\n",
                commands[i].name, commands[i].flags, commands[i].files, commands[i].values);
  text_add(text, "  esac\n"
                 "  if [ -n \"$words\" ]; then\n"
                 "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                 "  else\n"
                 "    local IFS=$'\\n'\n"
                 "    compopt -o filenames 2>/dev/null\n"
                 "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
                 "  fi\n"
                 "}\n"
                 "complete -F _tarn tarn\n");
}

// The beginning of the first sentence, without the characters that have a meaning there.
static void add_zsh_help(Text *text, const char *help) {
  for (; *help && !strchr(".:;(", *help); help++)
    if (*help == '\'')
      text_add(text, "'\\''");
    else
      text_add_char(text, strchr("[]", *help) ? ' ' : *help);
}

static void add_zsh_option(Text *text, const OptionInfo *info) {
  const char *repeats = !strcmp(info->name, "query") || !strcmp(info->name, "labels") ? "*" : "";
  for (int form = 0; form < (info->letter ? 2 : 1); form++) {
    text_addf(text, "      '%s", repeats);
    if (form)
      text_addf(text, "-%c", info->letter);
    else
      text_addf(text, "--%s", info->name);
    text_add_char(text, '[');
    add_zsh_help(text, info->help);
    text_add_char(text, ']');
    if (info->values) {
      text_addf(text, ":%s:", info->name);
      if (info->kind == OPTION_CHOICE) {
        text_add_char(text, '(');
        add_values(text, info->values);
        text_add_char(text, ')');
      } else if (!strcmp(info->values, "FILE")) {
        text_add(text, "_files");
      }
    }
    text_add(text, "' \\\n");
  }
}

// One word of a list as an option of _arguments.
static void add_zsh_words(Text *text, const char *words, const char *action) {
  while (*words) {
    const size_t length = strcspn(words, " ");
    text_addf(text, " '%.*s%s'", (int)length, words, action);
    words += length + (words[length] == ' ');
  }
}

void complete_zsh(Text *text) {
  text_add(text,
           "#compdef tarn\n# zsh completion for tarn, made by `tarn help --zsh`\n"
           "_tarn() {\n  local state\n  if (( CURRENT == 2 )); then\n    local -a commands\n"
           "    commands=(\n");
  for (size_t i = 0; i < COMMANDS; i++)
    text_addf(text, "      '%s:%s'\n", commands[i].name, commands[i].help);
  text_add(text, "    )\n    _describe command commands\n    return\n  fi\n"
                 "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
                 "  case $command in\n  check)\n    _arguments \\\n");
  for (uint32_t i = 0; i < options_count(); i++)
    add_zsh_option(text, options_at(i));
  text_add(text, "      ':model:_files' ;;\n  help) _arguments ':topic:(");
  add_topics(text);
  text_add(text, ")' ;;\n  gen) _arguments '--list' ':family:(");
  add_families(text);
  text_add(text, ")' ;;\n");
  for (size_t i = 0; i < COMMANDS; i++) {
    if (!*commands[i].flags || !strcmp(commands[i].name, "gen"))
      continue;
    text_addf(text, "  %s) _arguments", commands[i].name);
    add_zsh_words(text, commands[i].flags, "");
    add_zsh_words(text, commands[i].files, ":file:_files");
    add_zsh_words(text, commands[i].values, ":number:");
    text_add(text, " '*:file:_files' ;;\n");
  }
  text_add(text, "  *) _files ;;\n  esac\n}\n_tarn \"$@\"\n");
}
