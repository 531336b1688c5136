/* EXPECT:T */
E<> w == 7
/* EXPECT:F */
E<> P0.W
