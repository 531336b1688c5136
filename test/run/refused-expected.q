/* EXPECT:T */
E<> P.B
/* EXPECT:F */
A[] P.A
/* EXPECT:E */
A[] P.C
