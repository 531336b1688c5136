/* EXPECT:F */
E<> P(0).bad
/* EXPECT:T */
A[] not P(0).bad
/* EXPECT:T */
E<> P(1).bad
