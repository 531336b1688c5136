// A message and its acknowledgement can come through. EXPECT:T
E<> Sender.ready && bit == 1
// Nothing is accepted twice, nothing is lost for good: at most one message is ahead. EXPECT:T
A[] ahead == 0 || ahead == 1
// When the sender goes on, its message has been accepted. EXPECT:T
A[] Sender.ready imply ahead == 0
// The sender never has to repeat itself. It does, if something is lost. EXPECT:F
A[] Sender.waiting imply s < 5
