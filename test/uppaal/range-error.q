/* EXPECT:E */
A[] true
/* found before the error: EXPECT:T */
E<> taken
