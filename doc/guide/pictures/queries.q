// A question about a process with a number.
EF P.work
A[] P(0).wrok imply busy
E<> count = 3
P(0).work -> busy
A[] not deadlok
always P(7).idle
sup x
E<> P(0).work AND busy
E<> P(0)
E<> z > 3
E<> forall (i : id_t) P(j).work
E<> 2 < (count + 1
E<> P[0].work
E<> table(0) == 1
E<> P(0).work implies busy
A<> (P(0).work --> busy)
