#include "model/channels.h"

// The processes that have edges with an event, by event.
typedef struct Users {
  VEC(ProcessId) items;
} Users;

static void find_users(const Net *net, Users *users) {
  bool *has = mem_alloc(net->mem, (size_t)net->processes.size * net->events.size);
  for (EdgeId i = 0; i < net->edges.size; i++) {
    const Edge *edge = &net->edges.items[i];
    has[(size_t)edge->process * net->events.size + edge->event] = true;
  }
  for (EventId e = 0; e < net->events.size; e++)
    for (ProcessId p = 0; p < net->processes.size; p++)
      if (has[(size_t)p * net->events.size + e])
        vec_push(net->mem, &users[e].items, p);
  mem_free(net->mem, has);
}

static void add_sync(Net *net, uint32_t channel, ProcessId sender, ProcessId receiver) {
  const Channel *c = &net->channels.items[channel];
  Sync sync = {.place = c->place, .broadcast = c->broadcast, .channel = channel + 1};
  vec_push(net->mem, &sync.parts, ((SyncPart){.process = sender, .event = c->send}));
  if (receiver != NET_NONE)
    vec_push(net->mem, &sync.parts, ((SyncPart){.process = receiver, .event = c->receive}));
  vec_push(net->mem, &net->syncs, sync);
}

void channels_add_syncs(Net *net) {
  Users *users = mem_alloc(net->mem, sizeof *users * (net->events.size + 1));
  find_users(net, users);
  for (uint32_t c = 0; c < net->channels.size; c++) {
    const Channel *channel = &net->channels.items[c];
    const Users *senders = &users[channel->send], *receivers = &users[channel->receive];
    for (uint32_t s = 0; s < senders->items.size; s++) {
      const ProcessId sender = senders->items.items[s];
      if (channel->broadcast)
        add_sync(net, c, sender, NET_NONE);
      for (uint32_t r = 0; r < receivers->items.size; r++) {
        const ProcessId receiver = receivers->items.items[r];
        if (receiver == sender)
          continue;
        if (!channel->broadcast)
          add_sync(net, c, sender, receiver);
        else
          vec_push(net->mem, &vec_last(&net->syncs).parts,
                   ((SyncPart){.process = receiver, .event = channel->receive, .weak = true}));
      }
    }
  }
  for (EventId e = 0; e < net->events.size; e++)
    vec_release(net->mem, &users[e].items);
  mem_free(net->mem, users);
}

void channels_index(Net *net) {
  if (!net->channels.size)
    return;
  uint32_t *channels = ARENA_ARRAY(&net->arena, uint32_t, net->events.size);
  for (uint32_t c = 0; c < net->channels.size; c++)
    channels[net->channels.items[c].send] = channels[net->channels.items[c].receive] = c + 1;
  net->event_channels = channels;
}
