/* EXPECT:F */
E<> P.B and x < 2
/* EXPECT:T */
E<> P.B and x == 2
/* EXPECT:F */
E<> P.B and not done and x < 3
/* EXPECT:F */
E<> P.A and x > 4
/* EXPECT:F */
E<> P.D
/* EXPECT:T */
E<> P.C and limit == 2
/* EXPECT:T */
E<> late == x + 5
/* EXPECT:F */
E<> late < x + 5
