// Each train can cross. EXPECT:T
E<> T3.cross
// While one crosses, others can wait. EXPECT:T
E<> T1.cross && T2.stopped && T3.stopped
// No two are on the bridge. EXPECT:T
A[] T1.cross + T2.cross + T3.cross <= 1
// A stopped train is in the queue. EXPECT:T
A[] T2.stopped imply queue[0] == 2 || queue[1] == 2 || queue[2] == 2
// Trains are always stopped in order of their numbers. No. EXPECT:F
A[] !(T1.stopped && queue[0] == 2)
