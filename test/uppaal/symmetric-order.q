/* EXPECT:E */
A[] u <= 2
