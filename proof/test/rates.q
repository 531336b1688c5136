E<> Q.b && n == 1
A[] x <= 5 || Q.b
A[] not deadlock
