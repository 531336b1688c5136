// Turns the channels of a net into synchronisations, as if these had been declared (net_finish).
// They are ordered by channel, then by sender and, if the channel is binary, by receiver.
#pragma once

#include "model/net.h"

void channels_add_syncs(Net *);
void channels_index(Net *); // Net.event_channels
