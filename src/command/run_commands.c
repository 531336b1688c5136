#define _POSIX_C_SOURCE 200809L
#include "command/run_commands.h"

#include "command/command_line.h"
#include "command/simulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The checker that is proved correct is a program of its own, and takes over. Of the options it
// has the limits.
static int run_proved(const Command *command) {
  static const char program[] = "tarn-proved";
  const char **argv =
      calloc((size_t)(2 * command->setting_count + command->word_count + 2), sizeof *argv);
  if (!argv)
    return command_fail("out of memory");
  const char *limits[] = {"--time-limit", "--memory-limit"};
  int argc = 0, said = 0;
  argv[argc++] = program;
  for (int i = 0; i < command->setting_count; i++) {
    const Setting *setting = &command->settings[i];
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
      if (!strcmp(setting->name, limits[k] + 2)) {
        argv[argc++] = limits[k];
        argv[argc++] = setting->value;
        said++;
      }
    said += !strcmp(setting->name, "proved");
  }
  if (said == command->setting_count) {
    memcpy(argv + argc, command->words, (size_t)command->word_count * sizeof *argv);
    execvp(program, (void *)argv);
  }
  free(argv);
  return said < command->setting_count
             ? command_fail("--proved goes with no option but --time-limit and --memory-limit")
             : command_fail("tarn-proved is not installed; `make proof` builds it, then `make "
                            "install` installs it");
}

// What was proved, in sentences for people, and in the file that --report names.
static int report_proved(Command *command, int status) {
  const char *path = command->proved_report, *dot = path ? strrchr(path, '.') : NULL;
  const char *format = dot && !strcmp(dot, ".json") ? "json" : "text";
  if (!command->quiet && tarn_write(command->tarn, stdout, "certified", "text"))
    return command_give_up(command->tarn);
  const int written =
      path ? command_write_file(command->tarn, path, "certified", format, "report") : 0;
  return written ? written : status;
}

// Evidence that is rejected is an answer, with the status of "not satisfied".
int certify_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "certify", argc, argv, 0);
  if (status)
    return status;
  if (command->word_count < 2)
    return command_fail("which MODEL, and which evidence? see `tarn help certify`");
  if (command->proved)
    return run_proved(command);
  status = command_read_model(command, false);
  for (int i = 1; i < command->word_count && status < STATUS_ERROR; i++) {
    const int found = tarn_certify(command->tarn, argv[i]);
    if (found < 0)
      return command_give_up(command->tarn);
    fputs(tarn_finding(command->tarn), stdout);
    status = found ? status : STATUS_NOT_SATISFIED;
  }
  return status < STATUS_ERROR ? report_proved(command, status) : status;
}

// The statistical query that a run is of: that of the command line, or the model's first one.
static TarnQuery *find_query(Command *command) {
  Tarn *tarn = command->tarn;
  TarnQuery *query;
  char steps[64];
  if (command->task_count)
    return tarn_query_new(tarn, command->tasks[0].text);
  for (size_t k = 0; (query = tarn_query_at(tarn, k)); k++) {
    const char *text = tarn_query_text(query);
    if (!strncmp(text, "Pr", 2) || !strncmp(text, "E[", 2) || !strncmp(text, "E [", 3) ||
        !strncmp(text, "simulate", 8))
      return query;
  }
  if (!command->steps)
    return NULL;
  snprintf(steps, sizeof steps, "simulate [#<=%d] { true }", atoi(command->steps));
  return tarn_query_new(tarn, steps);
}

static int show_run(Command *command) {
  Tarn *tarn = command->tarn;
  if (command->html || command->from)
    return command_fail("--run does not go with --html and --from");
  const int status = command_read_model(command, true);
  if (status)
    return status;
  TarnQuery *query = find_query(command);
  if (!query)
    return command_fail("--run needs a statistical query, --query, or --steps");
  if (tarn_random_run(tarn, query, strtoull(command->run, NULL, 10),
                      command->seed ? strtoull(command->seed, NULL, 10) : 1))
    return command_give_up(tarn);
  if (!command->quiet)
    command_say(tarn_warnings(tarn));
  return tarn_write(tarn, stdout, "random run",
                    command->json   ? "json"
                    : command->full ? "full"
                                    : "text")
             ? command_give_up(tarn)
             : STATUS_OK;
}

int simulate_command(Command *command, int argc, char **argv) {
  int status = command_line_parse(command, "simulate", argc, argv, 1);
  const int steps = command->steps ? atoi(command->steps) : 0;
  const int seed = command->seed ? atoi(command->seed) : 1;
  if (!status && command->run)
    return show_run(command);
  if (!status && command->task_count)
    return command_fail("--query needs --run");
  if (!status && command->html && !steps)
    return command_fail("--html needs --steps");
  if (!status)
    status = command_try_writing(command->html);
  if (!status)
    status = command_read_model(command, false);
  if (status)
    return status;
  if (tarn_simulate(command->tarn, command->from))
    return command_give_up(command->tarn);
  const char *format = command->json ? "json" : command->full ? "full" : "text";
  if (steps <= 0)
    return simulator_run(command->tarn, format, (unsigned)seed) ? command_give_up(command->tarn)
                                                                : STATUS_OK;
  const int done = tarn_step_randomly(command->tarn, steps, seed);
  if (done < 0)
    return command_give_up(command->tarn);
  const char *why = done < steps ? tarn_stuck(command->tarn) : NULL;
  if (done < steps)
    fprintf(stderr, "tarn: after %d of %d steps: %s\n", done, steps,
            why ? why : "the times become too fine");
  if (command->html)
    return simulator_save(command->tarn, command->html) ? STATUS_ERROR : STATUS_OK;
  return tarn_write(command->tarn, stdout, "run", format) ? command_give_up(command->tarn)
                                                          : STATUS_OK;
}
