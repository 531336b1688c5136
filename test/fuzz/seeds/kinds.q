//NO_QUERY
/*
a comment over lines
*/
E<> P.A and x > 2 && i == N
A[] forall (k : id_t) (Q(k).B imply a[k] <= f(2) or y[0] - x < 3)
E[] not g(1)
A<> exists (k : int[0,1]) s.q[k] and sum (j : id_t) a[j] == 4
P.C --> Q(0).B \
  || P.l > 3
A[] not deadlock
sup: x, P.l
sup{P.A and z < 1}: y[1]
inf{i > 0}: x
bounds: i
Pr[<=100](<> P.B) >= 0.9
simulate [<=10; 3] { x, P.l }
control: A[] P.A
E[<=10; 100] (max: x)
strategy S = control: A<> P.B
EXPECT: T
