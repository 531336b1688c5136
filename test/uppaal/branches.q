/* The synchronisation of the branch takes place. EXPECT:T */
E<> Sender.B and Receiver.B

/* It is not left out. EXPECT:T */
A[] Sender.B imply Receiver.B

/* Both updates happen, that of the branch last. EXPECT:T */
A[] Sender.B imply n == 2

/* The guard of a branch is asked in the state that the edge leaves. EXPECT:F */
E<> Sender.C

/* A branch with a selection meets only who is there. EXPECT:T */
A[] Sender.D imply got == 2 and Friend.B

/* EXPECT:T */
E<> Sender.D
