/* EXPECT:T */
E<> w == 1
