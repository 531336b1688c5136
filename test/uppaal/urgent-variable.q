/* EXPECT:F */
E<> P.l0 && n == 1 && x >= 5
/* EXPECT:T */
E<> P.l1 && n == 0
/* EXPECT:T */
E<> P.l0 && n == 0 && x >= 2
/* EXPECT:T */
E<> P.l1 && n == 1 && x >= 5
