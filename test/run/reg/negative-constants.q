E<> Q.q2
