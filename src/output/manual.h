// Help texts and the manual page, made from the option and statistics tables.
#pragma once

#include "base/text.h"

// The help on a topic, NULL for the overview; false if there is no such topic.
bool manual_topic(Text *, const char *topic);
const char *manual_topic_name(size_t index); // NULL after the last
void manual_page(Text *);                    // roff
