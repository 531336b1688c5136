// What the commands share: the command line as it was read, messages, exit statuses.
#pragma once

#include "tarn.h"

#include <stdbool.h>

enum { STATUS_OK = 0, STATUS_NOT_SATISFIED = 1, STATUS_ERROR = 2, STATUS_UNDECIDED = 3 };

typedef struct Task { // a query or labels, in the order of the command line
  const char *text;
  bool is_labels;
  TarnQuery *query; // when there is a model
} Task;

typedef struct Setting { // an option as it was given
  const char *name, *value;
} Setting;

typedef struct Command {
  Tarn *tarn;
  const char *model; // the first word that is no option
  int word_count;    // how many there are
  // Options, by name; NULL or false: not given.
  const char *steps, *seed, *run, *time_limit;
  const char *proved_report; // of `certify`
  const char *html, *junit, *certificate, *graph, *trace, *traces, *from, *format;
  bool json, full, explain, stats, progress, quiet, dot, list, symmetry, queries, proved;
  bool only_checks;
  const char *to, *output, *goal, *processes, *require;
  const char *operators, *compare, *write;        // of mutate
  const char *root, *memory_limit, *output_limit; // of mcp
  const char *port, *request_limit;               // of serve
  const char *csv, *jobs, *threshold, *evidence, *total_time_limit;
  bool resume, monotone;
  const char **defines; // of sweep, freed by the maker of the Command
  int define_count;
  Setting *settings; // all options; freed by the maker of the Command
  int setting_count;
  char **words;    // that are no options; in argv
  size_t number;   // of the model, if there are several; 0: there is one
  double deadline; // of all models, by jobs_now; 0: none
  double reading;  // seconds that it took to read the model
  FILE *report;    // on several models; NULL: none
  FILE *csv_file;  // NULL: none
  Task *tasks;     // freed by the maker of the Command
  int task_count, answer_count;
  int expected_count, met_count; // queries with an expectation, and those that meet it
  bool is_refused;               // some query is
  bool lacks_evidence;           // an answer is there, but not all that was to be written with it
  bool has_json;                 // it is printed
  double shown, interval;        // seconds of the last progress line, and until the next one
  double successors;             // at the last one
  size_t query, query_count;     // the one that is decided, of how many
  bool has_progress_line;
} Command;

// Says what is wrong with the command line; returns STATUS_ERROR.
int command_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Says the library's errors; returns STATUS_ERROR.
int command_fail_with(Tarn *);

// The same of a call before any check: STATUS_UNDECIDED if a limit has ended it.
int command_give_up(Tarn *);

// Each message begins with the name of the command; what belongs to it follows.
void command_say(const char *messages);
void command_say_as(const char *name, const char *messages); // under another name

// Reads the model, with or without the queries beside it, and says what there is to say. 0 or a
// status.
int command_read_model(Command *, bool with_queries);

// Writes something to a file, as tarn_write does; 0 or a status, after an error that calls it
// `name`. If that is a page or a report which leaves out steps, they are in FILE.run.json.
int command_write_file(Tarn *, const char *path, const char *what, const char *format,
                       const char *name);
// Writes all answers to a file: `html`, the page, or `junit`, the report. 0 or a status.
int command_write_answers(Command *, const char *path, const char *format);

// Writes a text to a file; 0 or a status, after an error.
int command_put_file(const char *path, const char *text, size_t size);

// Whether a file can be written, before the work whose result it is for. What is there stays.
int command_try_writing(const char *path);

// Makes a folder if it is not there; 0 or a status, after an error.
int command_make_folder(const char *path);

// Programs that read JSON get errors as JSON, too.
void command_print_failure(Command *);
