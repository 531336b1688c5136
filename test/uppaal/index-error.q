/* EXPECT:E */
A[] true
