/* EXPECT:T */
E<> deadlock

/* EXPECT:T */
A[] deadlock imply broken

/* EXPECT:T */
A[] broken imply deadlock

/* EXPECT:F */
E<> deadlock and t[0] > 10

/* EXPECT:T */
E<> deadlock and t[0] < 1

/* EXPECT:T */
E[] not broken
