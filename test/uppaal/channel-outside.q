/* EXPECT:E */
E<> P.B
