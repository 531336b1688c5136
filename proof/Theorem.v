(* The theorem. Spec.v says what its words mean; Network.v defines net_check, which is what the
   program tarn-proved runs. *)
From Tarn Require Import Spec Network.

(* If the checker accepts a certificate for the formula q, then q is false in every reachable
   state; no reachable step fails at run time, and neither does the start. *)
Theorem accepted_means_unreachable (n : net) (q : formula) (c : certificate) :
  net_check n q c = true ->
  ~ start_fails n /\
  forall s v, reachable n s v -> decided n false s v q /\ ~ step_fails n s v.
Proof. exact (net_check_correct n q c). Qed.

Print Assumptions accepted_means_unreachable.
