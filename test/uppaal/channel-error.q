/* EXPECT:T */
E<> P.B and i == 2
/* EXPECT:E */
A[] i < 9
