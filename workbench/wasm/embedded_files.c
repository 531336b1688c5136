// Help texts, the page and the templates of model families have no place in a browser: whoever asks
// for a file finds the end of the list, whose lines are none.
#include "base/embedded.h"

static const char *const no_lines[] = {NULL};
const EmbeddedFile embedded_files[] = {{NULL, no_lines}};
