/* EXPECT:F */
A[] not deadlock
/* EXPECT:T */
A[] deadlock
/* EXPECT:F */
E<> x > 4
