#define _POSIX_C_SOURCE 200809L
#include "command/run_commands.h"

#include "command/simulator.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The checker that is proved correct is a program of its own, and takes over: argv[0] is
// --proved.
static int run_proved(char **argv) {
  char program[] = "tarn-proved";
  argv[0] = program;
  execvp(program, argv);
  return command_fail(
      "tarn-proved is not installed; `make proof` builds it, then `make install` installs it");
}

// Evidence that is rejected is an answer, with the status of "not satisfied".
int certify_command(Command *command, int argc, char **argv) {
  const char *const usage = "usage: tarn certify [--proved] MODEL FILE...";
  const bool is_proved = argc && !strcmp(argv[0], "--proved");
  if (is_proved && argc > 2 && argv[1][0] != '-' && !argv[argc])
    return run_proved(argv);
  for (int i = 0; i < argc; i++)
    if (argv[i][0] == '-' && argv[i][1])
      return command_fail("%s", usage);
  if (argc < 2)
    return command_fail("%s", usage);
  command->model = argv[0];
  int status = command_read_model(command, false);
  for (int i = 1; i < argc && status != STATUS_ERROR; i++) {
    const int found = tarn_certify(command->tarn, argv[i]);
    if (found < 0)
      return command_fail_with(command->tarn);
    fputs(tarn_finding(command->tarn), stdout);
    status = found ? status : STATUS_NOT_SATISFIED;
  }
  return status;
}

// A whole number from 0 on; -1 if it is none.
static int number(const char *text) {
  char *end;
  const long value = strtol(text, &end, 10);
  return end == text || *end || value < 0 || value > INT_MAX ? -1 : (int)value;
}

int simulate_command(Command *command, int argc, char **argv) {
  const char *const usage =
      "usage: tarn simulate [--steps N] [--seed S] [--json] [--full] [--html FILE] "
      "[--from RUN.json] MODEL";
  const char *from = NULL;
  int steps = 0, seed = 1;
  for (int i = 0; i < argc; i++) {
    const bool has_value = i + 1 < argc;
    if (!strcmp(argv[i], "--json"))
      command->json = true;
    else if (!strcmp(argv[i], "--full"))
      command->full = true;
    else if (!strcmp(argv[i], "--steps") && has_value)
      steps = number(argv[++i]);
    else if (!strcmp(argv[i], "--seed") && has_value)
      seed = number(argv[++i]);
    else if (!strcmp(argv[i], "--from") && has_value)
      from = argv[++i];
    else if (!strcmp(argv[i], "--html") && has_value)
      command->html = argv[++i];
    else if (command->model || (argv[i][0] == '-' && argv[i][1]))
      return command_fail("%s", usage);
    else
      command->model = argv[i];
  }
  if (steps < 0 || seed < 0)
    return command_fail("--steps and --seed need a whole number");
  if (!command->model || (command->html && !steps))
    return command_fail("%s", usage);
  int status = command_try_writing(command->html);
  if (!status)
    status = command_read_model(command, false);
  if (status)
    return status;
  if (tarn_simulate(command->tarn, from))
    return command_fail_with(command->tarn);
  const char *format = command->json ? "json" : command->full ? "full" : "text";
  if (steps <= 0)
    return simulator_run(command->tarn, format, (unsigned)seed) ? command_fail_with(command->tarn)
                                                                : STATUS_OK;
  const int done = tarn_step_randomly(command->tarn, steps, seed);
  if (done < 0)
    return command_fail_with(command->tarn);
  const char *why = done < steps ? tarn_stuck(command->tarn) : NULL;
  if (done < steps)
    fprintf(stderr, "tarn: after %d of %d steps: %s\n", done, steps,
            why ? why : "the times become too fine");
  if (command->html)
    return simulator_save(command->tarn, command->html) ? STATUS_ERROR : STATUS_OK;
  return tarn_write(command->tarn, stdout, "run", format) ? command_fail_with(command->tarn)
                                                          : STATUS_OK;
}
