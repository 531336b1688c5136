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
Pr[#<=10; 5](!b U w > 1.5) <= 0.25
Pr[y[1]<=N](<> h(x) * v[0] >= fint(w)) >= Pr[<=20]([] P.A)
Pr ((P.A U[0,3] (X P.B)) || !(<>[1,2] ([][0,1] b)) && (b R[0,N] g(1)))
E[#<=10;5](min: x * w - sqrt(i))
simulate 10 [<=10]{s, a, y, random(w)} : 2 : P.C
