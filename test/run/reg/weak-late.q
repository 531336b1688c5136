E<> P.p1 && Q.q1
