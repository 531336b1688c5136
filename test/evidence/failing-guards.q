E<> P.d
A[] not P.e
E<> deadlock
A<> P.e
E[] not P.e
