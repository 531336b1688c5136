#include "output/complete.h"

#include "language/gen/gen.h"
#include "output/manual.h"
#include "search/options.h"

#include <string.h>

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

static void add_names(Text *text, CommandName command) {
  const OptionInfo *info;
  for (uint32_t i = 0; (info = options_of_command(command, i)); i++)
    text_addf(text, "%s--%s", i ? " " : "", info->name);
}

// The values of one option.
static void add_bash_values(Text *text, const OptionInfo *info) {
  text_add(text, "      ");
  if (info->letter)
    text_addf(text, "-%c|", info->letter);
  text_addf(text, "--%s) words='", info->name);
  add_values(text, info->values);
  text_add(text, "' ;;\n");
}

// The options of one command, and the values of those that have a few.
static void add_bash_command(Text *text, CommandName command) {
  const OptionInfo *info;
  text_addf(text, "  *:%s)\n    case $previous in\n", options_command(command)->name);
  for (uint32_t i = 0; (info = options_of_command(command, i)); i++)
    if (info->kind == OPTION_CHOICE)
      add_bash_values(text, info);
  text_add(text, "      *) case $current in -*) words='");
  add_names(text, command);
  text_add(text, "' ;;");
  if (command == COMMAND_GEN) {
    text_add(text, " *) [ $COMP_CWORD = 2 ] && words='");
    add_families(text);
    text_add(text, "' ;;");
  }
  text_add(text, " esac ;;\n    esac ;;\n");
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
  for (uint32_t i = 0; options_command(i); i++)
    text_addf(text, "%s ", options_command(i)->name);
  text_add(text, "--version --help' ;;\n  *:help) words='");
  add_topics(text);
  text_add(text, "' ;;\n");
  for (CommandName i = COMMAND_CHECK; options_command(i); i++)
    if (options_of_command(i, 0))
      add_bash_command(text, i);
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

static void add_zsh_command(Text *text, CommandName command) {
  const OptionInfo *info;
  text_addf(text, "  %s)\n    _arguments \\\n", options_command(command)->name);
  for (uint32_t i = 0; (info = options_of_command(command, i)); i++)
    add_zsh_option(text, info);
  if (command == COMMAND_GEN) {
    text_add(text, "      ':family:(");
    add_families(text);
    text_add(text, ")' ;;\n");
  } else {
    text_add(text, "      '*:file:_files' ;;\n");
  }
}

void complete_zsh(Text *text) {
  text_add(text,
           "#compdef tarn\n# zsh completion for tarn, made by `tarn help --zsh`\n"
           "_tarn() {\n  local state\n  if (( CURRENT == 2 )); then\n    local -a commands\n"
           "    commands=(\n");
  for (uint32_t i = 0; options_command(i); i++) {
    text_addf(text, "      '%s:", options_command(i)->name);
    add_zsh_help(text, options_command(i)->help);
    text_add(text, "'\n");
  }
  text_add(text, "    )\n    _describe command commands\n    return\n  fi\n"
                 "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
                 "  case $command in\n");
  for (CommandName i = COMMAND_CHECK; options_command(i); i++)
    if (options_of_command(i, 0))
      add_zsh_command(text, i);
  text_add(text, "  help) _arguments ':topic:(");
  add_topics(text);
  text_add(text, ")' ;;\n  *) _files ;;\n  esac\n}\n_tarn \"$@\"\n");
}
