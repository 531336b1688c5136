/* EXPECT:F */
E<> Sender.A
/* EXPECT:T */
E<> Sender.B
/* at 2 the listener stays out, later it takes part: EXPECT:T */
E<> Sender.B and Listener.S
/* EXPECT:F */
E<> Sender.B and Listener.S and x < 2
/* EXPECT:T */
E<> Sender.B and Listener.Got
