/* EXPECT:T */
E<> S.D && timers[1].n == 5 && box.done
/* EXPECT:F */
E<> S.B && box.in.z[1] > 6
/* EXPECT:T */
A[] S.A imply first.x >= 2 && first.x <= 4
/* EXPECT:T */
E<> T2.Fired && timers[2].n == 3
/* EXPECT:F */
E<> T2.Idle && timers[2].x > 2 && timers[2].n == 0
/* EXPECT:F */
E<> S.C && S.own.x < 5
/* EXPECT:T */
E<> S.C && S.own.x < 6 && timers[1].x == 0
/* EXPECT:F */
E<> T0.Fired && T0.mine.x == 0 && timers[0].n != 1
