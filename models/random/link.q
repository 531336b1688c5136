Pr[<=20](<> Sender.GivenUp)

Pr[<=20](<> Sender.Done) >= 0.99

E[<=20; 2000](max: tries)
