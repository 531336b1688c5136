// What net_finish makes of the channels of a net: synchronisations, as if they had been declared.
// They come in order of channels, then of senders and, if the channel is binary, of receivers.
#pragma once

#include "model/net.h"

void channels_add_syncs(Net *);
void channels_index(Net *); // Net.event_channels
