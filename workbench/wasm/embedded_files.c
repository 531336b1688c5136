// Help texts, the page and the templates of model families have no place in a browser. Each file is
// found at the end of the list, and has no lines.
#include "base/embedded.h"

const EmbeddedFile embedded_files[] = {{NULL, ""}};
