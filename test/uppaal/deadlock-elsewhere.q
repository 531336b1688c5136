/* EXPECT:E */
E[] deadlock
/* EXPECT:E */
A<> not deadlock
/* EXPECT:E */
P.A --> P.B and deadlock
/* EXPECT:E */
deadlock --> P.A
/* EXPECT:E */
inf{deadlock}: x
/* EXPECT:T */
E<> deadlock and P.B and x == 2
/* EXPECT:T */
A[] deadlock imply P.B
