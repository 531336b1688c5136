Pr[<=60](<> T <= 17)

E[<=60; 500](min: T)

simulate [<=60; 3] { T, Heater.On }
