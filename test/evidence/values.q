sup: x
sup{Q.a || Q.b}: x
sup{Q.b}: x, n
inf{Q.b}: x, m
bounds{Q.c}: y, n, m
bounds{Q.b}: x
inf{Q.c}: x
sup{n > 8}: y
sup: n, m
inf: n, m
bounds: n
