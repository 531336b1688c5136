// EXPECT: T
E<> P.d
