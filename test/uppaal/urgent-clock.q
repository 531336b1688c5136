/* EXPECT:T */
E<> Sender.T and Jump.S and x == 3
/* EXPECT:F */
E<> Sender.S and Jump.S and x > 3
/* EXPECT:T */
E<> Jump.Late and y > 50
/* EXPECT:F */
E<> Jump.Late and Sender.T
/* EXPECT:F */
E<> Jump.In and Sender.S and y > 0
/* EXPECT:T */
E<> Jump.In and Sender.T and y > 0
