// libFuzzer target for the options of the library: lines of a name and a value, with a space
// between them. No bytes may crash it; with whatever was accepted a small model is searched, but
// no file is written, and threads are few.
#include "tarn.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char model[] =
    "system:s\nevent:e\nclock:2:x\nint:1:0:3:0:i\nprocess:P\n"
    "location:P:A{initial: : invariant: x[0]<=3}\nlocation:P:B{labels: b}\n"
    "edge:P:A:A:e{provided: x[0]>=1 && i<3 : do: x[0]=0; i=i+1}\n"
    "edge:P:A:B:e{provided: x[1]>=2}\n";

static void set(Tarn *tarn, char *line) {
  char *value = strchr(line, ' ');
  if (value)
    *value++ = 0;
  if (strcmp(line, "certificate") != 0 && strcmp(line, "graph") != 0 &&
      tarn_set(tarn, line, value ? value : "yes") && !*tarn_error(tarn))
    abort(); // refused without a reason
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  char *text = malloc(size + 1);
  Tarn *tarn = tarn_init();
  if (!text || !tarn)
    abort();
  if (size)
    memcpy(text, data, size);
  text[size] = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    set(tarn, line);
  if (tarn_set(tarn, "threads", size % 8 ? "1" : "2"))
    abort();
  // The model has no constants that `define` could set.
  if ((tarn_read_text(tarn, model, "tchecker") ||
       tarn_check(tarn, size % 2 ? "E<> P.B && x[0]>2" : NULL) < 0) &&
      !*tarn_error(tarn))
    abort();
  tarn_release(tarn);
  free(text);
  return 0;
}
