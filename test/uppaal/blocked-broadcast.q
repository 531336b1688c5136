// EXPECT:F
E<> Sender.B
// EXPECT:T
E<> Sender.C and Late.B
// EXPECT:T
E<> Sender.C and Late.A and x > 3
// EXPECT:F
E<> Sender.C and Late.A and x < 3
