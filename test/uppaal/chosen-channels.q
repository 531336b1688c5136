/* EXPECT:T */
E<> Friend.Yes and Asker(1).Done

/* EXPECT:T */
E<> Friend.No and Asker(0).Done

/* The condition is true in the state that the edge leaves. EXPECT:T */
A[] Friend.No imply answer == 0

/* EXPECT:T */
E<> Witness.Right

/* Only one of them is answered. EXPECT:F */
E<> Witness.Left
