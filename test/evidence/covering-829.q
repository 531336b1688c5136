Q0.l0 --> Q0.l1
A<> Q0.l1
