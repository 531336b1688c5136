E<> !deadlock
