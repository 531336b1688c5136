A[] not P.Bad
