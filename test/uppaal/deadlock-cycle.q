/* EXPECT:T */
A[] not deadlock
/* EXPECT:F */
E<> deadlock
/* EXPECT:T */
E<> H.Heard
