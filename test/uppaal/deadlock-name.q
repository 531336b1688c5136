// EXPECT: F
A[] not deadlock
// EXPECT: T
A[] P.a or deadlock
// EXPECT: T
A[] not Q.deadlock
