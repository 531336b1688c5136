/* EXPECT:F */
A[] not deadlock
/* EXPECT:T */
A[] (deadlock imply I.End)
/* EXPECT:T */
E<> deadlock and x > 100
/* EXPECT:F */
E<> deadlock and I.Begin
