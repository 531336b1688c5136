/* EXPECT:T */
E<> I.B
/* EXPECT:T */
E<> w == 3
/* EXPECT:T */
E<> H.B
