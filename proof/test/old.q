E<> S.b && v == 2
A[] v <= 2 && w[1] <= 2
A[] not deadlock
