// The synchronisations that channels amount to.
#include "nets.h"

enum { PROCESSES = 3 };

// Three processes with one location each.
static void begin(Fixture *f) {
  static const char *const names[PROCESSES] = {"A", "B", "C"};
  fixture_init(f);
  for (uint32_t p = 0; p < PROCESSES; p++)
    add_location(f, net_add_process(&f->net, names[p], NOWHERE), "l", true);
}

static void edge(Fixture *f, ProcessId p, EventId event) {
  net_add_edge(&f->net, p, p, event, NOWHERE);
}

static void test_binary(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  const uint32_t c = net_add_channel(&f.net, "c[2]", NOWHERE);
  const Channel channel = f.net.channels.items[c];
  assert_string_equal(f.net.events.items[channel.send].name, "c[2]!");
  assert_string_equal(f.net.events.items[channel.receive].name, "c[2]?");
  edge(&f, 0, channel.send);
  edge(&f, 0, channel.receive); // not with itself
  edge(&f, 1, channel.receive);
  edge(&f, 2, channel.send);
  edge(&f, 2, channel.send); // one synchronisation for all edges
  fixture_finish(&f);
  static const ProcessId expected[][2] = {{0, 1}, {2, 0}, {2, 1}};
  assert_int_equal(f.net.syncs.size, 3);
  for (uint32_t s = 0; s < 3; s++) {
    const Sync *sync = &f.net.syncs.items[s];
    assert_int_equal(sync->parts.size, 2);
    assert_int_equal(sync->channel, c + 1);
    assert_false(sync->broadcast);
    for (uint32_t k = 0; k < 2; k++) {
      assert_int_equal(sync->parts.items[k].process, expected[s][k]);
      assert_int_equal(sync->parts.items[k].event, k ? channel.receive : channel.send);
      assert_false(sync->parts.items[k].weak);
    }
  }
  assert_int_equal(f.net.event_channels[channel.receive], c + 1);
  fixture_release(&f);
}

static void test_broadcast(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  const uint32_t c = net_add_channel(&f.net, "c", NOWHERE);
  f.net.channels.items[c].broadcast = true;
  const Channel channel = f.net.channels.items[c];
  for (ProcessId p = 0; p < PROCESSES; p++)
    edge(&f, p, channel.receive);
  edge(&f, 1, channel.send);
  fixture_finish(&f);
  assert_int_equal(f.net.syncs.size, 1);
  static const ProcessId expected[] = {1, 0, 2};
  const Sync *sync = &f.net.syncs.items[0];
  assert_true(sync->broadcast);
  assert_int_equal(sync->parts.size, 3);
  for (uint32_t k = 0; k < 3; k++) {
    assert_int_equal(sync->parts.items[k].process, expected[k]);
    assert_int_equal(sync->parts.items[k].weak, k > 0);
  }
  fixture_release(&f);
}

// A channel that nobody else uses: a broadcast goes to nobody, a binary edge is never taken.
static void test_alone(void **state) {
  (void)state;
  Fixture f;
  begin(&f);
  const uint32_t c = net_add_channel(&f.net, "c", NOWHERE);
  const uint32_t d = net_add_channel(&f.net, "d", NOWHERE);
  f.net.channels.items[d].broadcast = true;
  edge(&f, 0, f.net.channels.items[c].send);
  edge(&f, 0, f.net.channels.items[d].send);
  const EventId tau = net_tau_event(&f.net);
  assert_int_equal(net_tau_event(&f.net), tau);
  edge(&f, 0, tau);
  fixture_finish(&f);
  assert_int_equal(f.net.syncs.size, 1);
  assert_int_equal(f.net.syncs.items[0].channel, d + 1);
  assert_int_equal(f.net.syncs.items[0].parts.size, 1);
  assert_false(f.net.async[f.net.channels.items[c].send]);
  assert_false(f.net.async[f.net.channels.items[d].send]);
  assert_true(f.net.async[tau]);
  fixture_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_binary),
                                     cmocka_unit_test(test_broadcast),
                                     cmocka_unit_test(test_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
