E<> P.c
A[] P.b imply rows[0].key == 3 && rows[1].key == 4 && rows[2].key == 5
A[] P.b imply rows[0].more[0] == -1 || turns > 0
A[] P.c imply grid[0][2][1] == 3 && grid[1][2][1] == 4
A[] P.c imply grid[0][1][0] == 7
A[] grid[0][0][0] == 0
E<> rows[0].more[0] == 1
A[] not deadlock
