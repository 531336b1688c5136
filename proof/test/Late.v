(* A test of RunSpec.v, which says what a run is: waiting past the last chance and being stuck then is one.

   The model is late.tck: time may pass in l0 up to 5, and l1 can be entered up to 3. So a run that waits until 4
   never comes to l1, though a transition was possible when it began to wait. *)
From Coq Require Import List ZArith QArith Lqa.
From Tarn Require Import Spec RunSpec.
Import ListNotations.

Definition below (c : Z) : atom := AClock (Clock 1) (Clock 0) Le (EConst c).
Definition late : net :=
  Net [[Location true false false [] [below 5] [] [Edge 0 0 1 [below 3] 0 SNop]; Location false false false [] [] [] []]] [] [] false [] [] [] [] [].
Definition claim : asks := avoids (FAtom (AInt (EAt 0 1))).
Definition l0 : state := State [0%nat] [].
Definition v0 : valuation := fun _ => 0%Q.

Lemma meets v c : (-2147483648 <= c <= 2147483647)%Z -> is late true l0 v (below c) <-> (v 0%nat <= inject_Z c)%Q.
Proof.
  intros [A B]. unfold is, ask, below; cbn [clock_of eval]. unfold fit.
  apply Z.leb_le in A. apply Z.leb_le in B. rewrite A, B. cbn. split; intro; lra.
Qed.
Lemma inside v : holds late l0 v (invariant late l0) <-> (v 0%nat <= 5)%Q.
Proof.
  change (invariant late l0) with [below 5]. split.
  - intro H. apply (meets v 5); [now split|]. apply H. left. trivial.
  - intros H a [<-|[]]. apply meets; [now split|exact H].
Qed.
Lemma time_passes v d : (0 <= d)%Q -> passes late l0 v d -> waits late claim (may_be late) l0 v d.
Proof. intros D P. split; [exact P|]. intros e _ _. cbn. discriminate. Qed.
Lemma can_wait v d : (0 <= d)%Q -> (v 0%nat + d <= 5)%Q -> waits late claim (may_be late) l0 v d.
Proof.
  intros D B. apply time_passes; [exact D|]. split; [exact D|]. split.
  - right. split; [|intros [_ [(r & I & _)|(x & I & _)]]; cbn in I; destruct I].
    split; [intros p l [<-|[]] L; injection L as <-; now split|]. intros (ps & es & [] & _).
  - intros e P Q. apply inside. unfold after; cbn; lra.
Qed.
Lemma too_late v : (3 < v 0%nat)%Q -> ~ alive late l0 v.
Proof.
  intros L (d & s & w & (D & _) & es & us & [[(ps & [] & _)|(p & e & -> & [<-|[]] & (l & At & I) & _)] _] & G & _).
  injection At as <-. destruct I as [<-|[]].
  assert (H : is late true l0 (after [] d v) (below 3)) by (apply G; left; trivial).
  apply meets in H; [|now split]. unfold after, inject_Z in H; cbn in H; lra.
Qed.
Theorem waits_too_long : run_exists late claim (may_be late).
Proof.
  right. exists l0, v0. split; [discriminate|]. split.
  - split; [|split].
    + split; [reflexivity|]. repeat constructor. eexists. split; reflexivity.
    + intro k. reflexivity.
    + apply inside. unfold v0. lra.
  - apply ends_stuck with 4%Q.
    + apply can_wait; unfold v0; lra.
    + apply too_late. unfold after, v0; cbn; lra.
    + intros e P. apply time_passes; [apply P|exact P].
Qed.
