/* EXPECT:T */
E<> P(2).B
/* EXPECT:F */
E<> turn > 2
/* EXPECT:T */
A[] turn >= 0
