/* EXPECT:E */
E<> P0.W
