E<> both and P.E
A[] not (P.D and n == 0)
A[] sum (i : int[0,2]) v[i] >= 3
A[] n <= 9 and (P.C imply v[1] - 4 <= 36) and y - x < 60
E<> P.A and 3 < x <= 5 and n == 4
A[] not deadlock or n == 9 or P.B or Q.c
