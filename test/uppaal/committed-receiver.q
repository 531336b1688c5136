/* EXPECT:T */
E<> Sender.A
/* EXPECT:F */
E<> Waiter.Hot and Sender.B
/* EXPECT:T */
E<> Sender.C
/* EXPECT:F */
E<> Sender.C and Waiter.Hot
