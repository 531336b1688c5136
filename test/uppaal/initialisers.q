/* EXPECT:T */
E<> I.B
/* EXPECT:T */
E<> w == 3
