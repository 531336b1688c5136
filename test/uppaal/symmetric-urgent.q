/* EXPECT:F */
A<> u == 1
