// EXPECT:T
E<> Plain.B
// EXPECT:F
E<> Plain.C
// EXPECT:T
A[] Plain.B imply Committed.B
