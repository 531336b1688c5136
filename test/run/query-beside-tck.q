E<> P.B # EXPECT: F
A[] P.Gone && P.A
E<> P.A
