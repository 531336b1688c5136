# A random network in TChecker's language whose processes have little to do with each other, with queries in comments:
# awk -v seed=SEED -f sets.awk
function below(n) { return int(rand() * n) }
function often(percent) { return below(100) < percent }
BEGIN {
  srand(seed)
  count = 3 + below(2)
  print "# tck"
  for (q = 0; q < 3; q++) {
    p = below(count)
    r = (p + 1 + below(count - 1)) % count
    print "# query E<> P" p ".l" below(3) " and P" r ".l" below(3) (often(40) ? " and v" p "==" below(3) : "") (often(20) ? " and w==" below(3) : "")
  }
  print "# query A[] not deadlock"
  print "# query E<> deadlock and P" below(count) ".l" below(3)
  print "system:sets" seed "\nevent:tau\nevent:a\nevent:b\nint:1:0:2:0:w"
  for (p = 0; p < count; p++)
    print "clock:1:x" p "\nint:1:0:2:0:v" p
  end = 2 + below(2)
  for (p = 0; p < count; p++) {
    print "process:P" p
    for (l = 0; l < 3; l++) {
      kind = below(100)
      what = l == 0 ? "initial:" : ""
      if (kind < 20) what = what (what == "" ? "" : " : ") "urgent:"
      else if (kind < 27 && l > 0) what = what (what == "" ? "" : " : ") "committed:"
      else if (kind < 85) what = what (what == "" ? "" : " : ") "invariant: x" (often(96) ? p : below(count)) "<=" (often(70) ? end : 1 + below(3))
      print "location:P" p ":l" l "{" what "}"
    }
    edges = 3 + below(3)
    for (e = 0; e < edges; e++) {
      from = e < 3 ? e : below(3)
      guard = often(60) ? "x" (often(95) ? p : below(count)) (often(85) ? ">=" : "<=") (often(70) ? end : below(3)) : ""
      if (often(20)) guard = guard (guard == "" ? "" : " && ") (often(70) ? "v" p : "w") (often(60) ? "==" : "!=") below(3)
      update = often(55) ? "x" (often(97) ? p : below(count)) "=0" : ""
      if (often(40)) update = update (update == "" ? "" : ";") (often(75) ? "v" p : "w") "=" below(3)
      what = guard == "" ? "" : "provided: " guard
      if (update != "") what = what (what == "" ? "" : " : ") "do: " update
      print "edge:P" p ":l" from ":l" below(3) ":" (often(20) ? (often(50) ? "a" : "b") : "tau") "{" what "}"
    }
  }
  if (often(80)) print "sync:P0@a:P1@a"
  if (often(60)) print "sync:P1@b:P2@b" (often(30) ? ":P0@a" : "")
}
