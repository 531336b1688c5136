(* The theorems. Spec.v and RunSpec.v say what their words mean. accepts and accepts_run (Replay.v), accepts_alive (AliveSets.v),
   accepts_endless and accepts_diverging (Timed.v), accepts_lasso, accepts_timely and accepts_stuck (Lasso.v), accepts_values and
   accepts_growth (Values.v) and accepts_points (Points.v) are what the program tarn-proved runs. *)
From Coq Require Import List ZArith.
From Tarn Require Import Spec Network Replay AliveSets RunSpec Timed Lasso Values Points.

(* If the checker accepts a certificate for the formula q, then the network is well formed, some state
   is reachable, and q is false in every reachable state; no reachable step fails at run time, and neither does the start. *)
Theorem accepted_means_unreachable (n : net) (q : formula) (c : certificate) :
  accepts n q c = true ->
  well_formed n /\
  (exists s v, reachable n s v) /\
  ~ start_fails n /\
  forall s v, reachable n s v -> decided n false s v q /\ ~ step_fails n s v.
Proof. exact (accepts_correct n q c). Qed.

Print Assumptions accepted_means_unreachable.

(* If the replayer accepts a run for the formula q, then q is true in a reachable state. *)
Theorem replayed_means_reachable (n : net) (denominator : positive) (q : formula)
    (clocks first : nat) (steps : list (Z * nat)) (last : Z) :
  accepts_run n denominator q clocks first steps last = true ->
  well_formed n /\ exists s v, reachable n s v /\ decided n true s v q.
Proof. exact (accepts_run_correct n denominator q clocks first steps last). Qed.

Print Assumptions replayed_means_reachable.

(* If the checker accepts a certificate about deadlocks, no reachable state makes f true, and from each one that may make g true
   a joint transition can be taken, now or after a delay. *)
Theorem accepted_means_alive (n : net) (f g : formula) (c : certificate) :
  accepts_alive n f g c = true ->
  well_formed n /\
  (exists s v, reachable n s v) /\
  ~ start_fails n /\
  forall s v, reachable n s v -> decided n false s v f /\ (decided n false s v g \/ alive n s v) /\ ~ step_fails n s v.
Proof. exact (accepts_alive_correct n f g c). Qed.

Print Assumptions accepted_means_alive.

(* If the checker accepts a certificate about infinite runs, then no run is as asked: neither with
   infinitely many transitions, nor one that ends where time passes for ever or nothing can happen any more.
   No step fails at run time where such runs would come by, and neither does the start. *)
Theorem accepted_means_no_run (n : net) (claim : asks) (c : numbers) :
  accepts_endless n claim c = true ->
  well_formed n /\
  (exists s v, reachable n s v) /\
  ~ start_fails n /\
  (forall s v, visited n claim (may_be n) s v -> ~ step_fails n s v) /\
  ~ run_exists n claim (may_be n).
Proof. exact (accepts_endless_correct n claim c). Qed.

Print Assumptions accepted_means_no_run.

(* The same of runs in which time diverges (`--non-zeno`): infinitely many transitions whose delays exceed each bound together,
   or finitely many and then time that passes for ever. *)
Theorem accepted_means_no_diverging_run (n : net) (claim : asks) (tick : nat) (period : Z) (c : timed) :
  accepts_diverging n claim tick period c = true ->
  well_formed n /\
  (exists s v, reachable n s v) /\
  ~ start_fails n /\
  (forall s v, visited n claim (may_be n) s v -> ~ step_fails n s v) /\
  ~ diverging_run_exists n claim (may_be n).
Proof. exact (accepts_diverging_correct n claim tick period c). Qed.

Print Assumptions accepted_means_no_diverging_run.

(* The first theorem, for certificates that list whole values of the clocks in place of zones. *)
Theorem accepted_points_mean_unreachable (n : net) (q : formula) (c : grid) :
  accepts_points n q c = true ->
  well_formed n /\
  (exists s v, reachable n s v) /\
  ~ start_fails n /\
  forall s v, reachable n s v -> decided n false s v q /\ ~ step_fails n s v.
Proof. exact (accepts_points_correct n q c). Qed.

Print Assumptions accepted_points_mean_unreachable.

(* If the replayer accepts an infinite run, there is a run as asked. *)
Theorem replayed_means_run (n : net) (denominator : positive) (claim : asks) (l : lasso) :
  accepts_lasso n denominator claim l = true ->
  well_formed n /\ run_exists n claim (must_be n).
Proof. exact (accepts_lasso_correct n denominator claim l). Qed.

Print Assumptions replayed_means_run.

(* The same of a run in which time diverges. *)
Theorem replayed_means_diverging_run (n : net) (denominator : positive) (claim : asks) (l : lasso) :
  accepts_timely n denominator claim l = true ->
  well_formed n /\ diverging_run_exists n claim (must_be n).
Proof. exact (accepts_timely_correct n denominator claim l). Qed.

Print Assumptions replayed_means_diverging_run.

(* If the replayer accepts a run to a deadlock, some reachable state makes q true and is not alive. *)
Theorem replayed_means_deadlock (n : net) (denominator : positive) (q : formula) (clocks first : nat) (steps : list (Z * nat)) (last : Z) :
  accepts_stuck n denominator q clocks first steps last = true ->
  well_formed n /\ exists s v, reachable n s v /\ decided n true s v q /\ ~ alive n s v.
Proof. exact (accepts_stuck_correct n denominator q clocks first steps last). Qed.

Print Assumptions replayed_means_deadlock.

(* If the checker accepts what is claimed of values, with a certificate and runs, it is so: nothing lies beyond them in any
   reachable state, and a run comes to each of them, or within 1 of it. *)
Theorem accepted_means_values (n : net) (p : formula) (claims : list (claim * witness)) (c : certificate) :
  accepts_values n p claims c = true ->
  well_formed n /\
  (exists s v, reachable n s v) /\
  ~ start_fails n /\
  (forall s v, reachable n s v -> ~ step_fails n s v) /\
  forall a, In a claims -> holds_of n p (fst a).
Proof. exact (accepts_values_correct n p claims c). Qed.

Print Assumptions accepted_means_values.

(* If the replayer accepts a run after which a clock grows, it has no upper bound in the reachable states in which p is true. *)
Theorem replayed_means_unbounded (n : net) (p : formula) (x : nat) (w : witness) :
  accepts_growth n p x w = true -> well_formed n /\ unbounded n p x.
Proof. exact (accepts_growth_correct n p x w). Qed.

Print Assumptions replayed_means_unbounded.
