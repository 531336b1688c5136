/* EXPECT:T */
E<> P.Fine && small == 3
/* EXPECT:T */
E<> P.Fine && small == 1
/* EXPECT:F */
E<> P.Fine && small == 2
