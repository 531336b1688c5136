// All can be across after an hour. EXPECT:T
E<> P1.safe && P2.safe && P3.safe && P4.safe && time <= 60
// Not sooner: sending the fastest one back each time takes 65. EXPECT:F
E<> P1.safe && P2.safe && P3.safe && P4.safe && time < 60
// The torch never leaves a person behind on the bridge. EXPECT:T
A[] Torch.free imply on == 0
