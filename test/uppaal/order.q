/* EXPECT:T */
A[] Sender.B imply seen[2] == 1 and seen[0] == 2 and x == 3
/* EXPECT:F */
E<> Sender.B and seen[0] == 1
/* EXPECT:F */
E<> step == 100
/* EXPECT:T */
E<> Sender.B
