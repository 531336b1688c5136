Q2.one && Q0.l0 --> Q0.l1
