// The command: a client of tarn.h and nothing else.
#define _POSIX_C_SOURCE 200809L
#include "command/check_command.h"
#include "command/cover_command.h"
#include "command/fmt_command.h"
#include "command/lint_command.h"
#include "command/lsp_command.h"
#include "command/model_commands.h"
#include "command/mutate_command.h"
#include "command/run_commands.h"
#include "command/serve_command.h"
#include "command/sweep_command.h"
#include "command/verifyta.h"
#include "command/watch_command.h"
#include "command/workbench_command.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run_help(int argc, char **argv) {
  const char *topic = argc ? argv[0] : NULL;
  const bool is_whole =
      topic && (!strcmp(topic, "--man") || !strcmp(topic, "--bash") || !strcmp(topic, "--zsh"));
  if (!tarn_help(stdout, is_whole ? NULL : topic, is_whole ? topic + 2 : "text") ||
      ferror(stdout))
    return STATUS_OK; // a failure to write is noticed in the end
  return command_fail("there is no help on `%s`; see `tarn help`", topic ? topic : "");
}

// `--help` and `-h` anywhere after a command mean help on that command.
static bool wants_help(int argc, char **argv) {
  for (int i = 0; i < argc && strcmp(argv[i], "--"); i++)
    if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
      return true;
  return false;
}

// A link called verifyta is `tarn verifyta`.
static bool is_verifyta(const char *path) {
  const char *slash = strrchr(path, '/');
  return !strcmp(slash ? slash + 1 : path, "verifyta");
}

static const struct {
  const char *name;
  int (*run)(Command *, int argc, char **argv);
} commands[] = {{"check", check_command},       {"certify", certify_command},
                {"simulate", simulate_command}, {"show", show_command},
                {"gen", gen_command},           {"convert", convert_command},
                {"cover", cover_command},       {"mutate", mutate_command},
                {"lint", lint_command},         {"fmt", fmt_command},
                {"sweep", sweep_command},       {"lsp", lsp_command},
                {"watch", watch_command},       {"workbench", workbench_command},
                {"serve", serve_command},       {"mcp", mcp_command}};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int dispatch(Command *command, int argc, char **argv) {
  if (argc > 0 && is_verifyta(argv[0]))
    return verifyta_run(command->tarn, argc - 1, argv + 1);
  if (argc < 2)
    return tarn_help(stderr, NULL, "text"), STATUS_ERROR;
  const char *name = argv[1];
  argc -= 2;
  argv += 2;
  if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"))
    return run_help(argc, argv);
  if (!strcmp(name, "--version"))
    return printf("tarn %s\n", tarn_version()), STATUS_OK;
  if (!strcmp(name, "verifyta"))
    return verifyta_run(command->tarn, argc, argv);
  int found = 0;
  while (found < COMMANDS && strcmp(name, commands[found].name))
    found++;
  if (found == COMMANDS) { // the library names the nearest one
    tarn_command_set(command->tarn, name, "", NULL);
    return command_fail_with(command->tarn);
  }
  if (wants_help(argc, argv))
    return tarn_help(stdout, name, "text"), STATUS_OK;
  return commands[found].run(command, argc, argv);
}

// What growing tables give up is used again, and the system is asked for more memory seldom: a
// page that it gives out anew takes it longer than it takes us to store a node.
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  mallopt(M_TOP_PAD, 1 << 22);
#endif
}

// A file that is opened must not become standard output or error because these are closed: what
// is said would be written into it, be it a proof or a part of the search. Reading and writing
// them fails all the same.
static void hold_closed_files(void) {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
    if (fcntl(file, F_GETFD) < 0)
      open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY); // the least that is free
}

static bool wants_json(int argc, char **argv) {
  for (int i = 2; i < argc && strcmp(argv[i], "--"); i++)
    if (!strcmp(argv[i], "--json"))
      return true;
  return false;
}

int main(int argc, char **argv) {
  hold_closed_files();
  keep_memory();
  Command command = {.tarn = tarn_init()};
  const bool json = wants_json(argc, argv);
  if (!command.tarn)
    return command_fail("out of memory");
  const int is_other = tarn_join(command.tarn);
  int status = is_other < 0   ? command_fail_with(command.tarn)
               : is_other > 0 ? STATUS_OK
                              : dispatch(&command, argc, argv);
  if (status == STATUS_ERROR && !command.has_json && json)
    command_print_failure(&command);
  tarn_release(command.tarn);
  free(command.tasks);
  free(command.defines);
  free(command.settings);
  // A reader must not take a part of the output for all of it. Most errors have been reported
  // already.
  if ((fflush(stdout) || ferror(stdout)) && status != STATUS_ERROR)
    status = command_fail("the output could not be written");
  return status;
}
