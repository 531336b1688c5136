/* EXPECT:F */
E<> P.B or Q.B
