#include "plan/rescale.h"

#include "model/stopwatches.h"

const Net *rescale_query(Units *units, Query *query, Arena *arena) {
  Scale scale = {0};
  query_note(query, &scale);
  const Net *net = units_net(units, &scale, stopwatches_are_read(units->net, query));
  *query = query_in_unit(query, arena, net_unit(net));
  return net;
}
