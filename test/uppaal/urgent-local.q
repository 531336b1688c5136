// EXPECT:T the door is shut all the time
E<> P.Gone and Q.There
// EXPECT:F
E<> P.Gone and R.Open and Q.There
// EXPECT:F
E<> P.Gone and R.Again and Q.There and R.z < 5
// EXPECT:F
E<> P.Done and Q.There
// EXPECT:T
E<> P.Done and Q.Served and R.Again and R.z <= 3
// EXPECT:T
E<> P.Ready and Q.There and R.Again and x > 4
// EXPECT:F
E<> P.Ready and Q.There and R.Open and y > 1
// EXPECT:F
E<> P.Ready and Q.Served
