(* A test of RunSpec.v, which says when time diverges. A process may take its only edge for ever. Without an invariant there is a
   run in which it does so once in each unit of time. With the invariant x<=1, and x is never set, there are infinite runs only
   in which less and less time passes. *)
From Coq Require Import List ZArith QArith Lqa Lia.
From Tarn Require Import Spec RunSpec.
Import ListNotations.

Definition below : atom := AClock (Clock 1) (Clock 0) Le (EConst 1).
Definition loop : edge := Edge 0 0 0 [] 0 SNop.
Definition made (inv : list atom) : net := Net [[Location true false false [] inv [] [loop]]] [] [] false [] [] [] [] [].
Definition free : net := made [].
Definition tight : net := made [below].
Definition claim : asks := always (FAtom (AInt (EConst 1))).
Definition l0 : state := State [0%nat] [].
Definition v0 : valuation := fun _ => 0%Q.

Lemma stays_always inv v d : passes (made inv) l0 v d -> waits (made inv) claim (must_be (made inv)) l0 v d.
Proof. intro P. split; [exact P|]. intros e _ _. reflexivity. Qed.
Lemma may_wait_here inv : may_wait (made inv) l0.
Proof.
  split; [|intros [_ [(r & I & _)|(x & I & _)]]; cbn in I; destruct I].
  split; [intros p l [<-|[]] L; injection L as <-; now split|]. intros (ps & es & [] & _).
Qed.
Lemma loops inv v w : same w v -> holds (made inv) l0 w inv -> takes (made inv) l0 v l0 w.
Proof.
  intros S H. exists [loop], []. split; [|split; [|split; [|split; [reflexivity|split; [intros []|split; [exact S|]]]]]].
  - split; [right; exists 0%nat, loop|intros (p & [<-|[]] & l & E & C); injection E as <-; discriminate C].
    split; [reflexivity|]. split; [left; reflexivity|]. split; [eexists; split; [reflexivity|left; reflexivity]|]. intros (ps & q & [] & _).
  - intros a [].
  - intros (es & [[(ps & [] & _)|(p & e & -> & [<-|[]] & (l & At & I) & _)] _] & _ & Hi). injection At as <-. destruct I as [<-|[]]. discriminate Hi.
  - intros a I. apply H. apply in_app_or in I. destruct I as [I|[]]. exact I.
Qed.
Lemma only_loops inv v s w : takes (made inv) l0 v s w -> s = l0 /\ same w v /\ holds (made inv) l0 w inv.
Proof.
  intros (es & us & [[(ps & [] & _)|(p & e & -> & [<-|[]] & (l & At & I) & _)] _] & _ & _ & F & _ & S & H).
  injection At as <-. destruct I as [<-|[]]. injection F as <- <-. split; [reflexivity|]. split; [exact S|].
  intros a I. apply H. apply in_or_app. left. exact I.
Qed.

Theorem once_a_unit : diverging_run_exists free claim (must_be free).
Proof.
  left. exists (fun _ => l0), (fun i _ => inject_Z (Z.of_nat i)), (fun _ => 1%Q). split; [|split; [split|]].
  - split; [split; [reflexivity|repeat constructor; eexists; split; reflexivity]|]. split; [intro k; reflexivity|intros a []].
  - intro i. split.
    + apply stays_always. split; [lra|]. split; [right; apply may_wait_here|intros e _ _ a []].
    + apply (loops []); [|intros a []]. intro k. cbn. rewrite Zpos_P_of_succ_nat, <- Z.add_1_r, inject_Z_plus. reflexivity.
  - intros f [].
  - intro b. exists (Z.to_nat (Z.max 0 (Qnum b))). assert (E : forall k, (elapsed (fun _ => 1) k == inject_Z (Z.of_nat k))%Q).
    { induction k as [|k IH]; [reflexivity|]. cbn [elapsed]. rewrite IH, Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. reflexivity. }
    rewrite E. destruct b as [a p]. unfold Qle. cbn [Qnum Qden inject_Z]. rewrite Z2Nat.id by lia. pose proof (Pos2Z.is_pos p). nia.
Qed.

Lemma meets v : holds tight l0 v [below] <-> (v 0%nat <= 1)%Q.
Proof.
  split.
  - intro H. specialize (H below (or_introl eq_refl)). change (v 0%nat - 0 <= 1)%Q in H. lra.
  - intros H a [<-|[]]. change (v 0%nat - 0 <= 1)%Q. lra.
Qed.
Theorem endless : run_exists tight claim (must_be tight).
Proof.
  left. exists (fun _ => l0), (fun _ => v0), (fun _ => 0%Q). assert (I : holds tight l0 v0 [below]) by (apply meets; unfold v0; lra).
  split; [|split; [|intros f []]].
  - split; [split; [reflexivity|repeat constructor; eexists; split; reflexivity]|]. split; [intro k; reflexivity|exact I].
  - intro i. split; [apply stays_always; split; [lra|]; split; [left; reflexivity|]|].
    + intros e P Q a A. change (invariant tight l0) with [below] in A. refine (proj2 (meets _) _ a A). unfold after, v0; cbn; lra.
    + apply (loops [below]); [|exact I]. intro k. cbn. unfold v0. lra.
Qed.
Lemma bounded v d : waits tight claim (may_be tight) l0 v d -> (v 0%nat + d <= 1)%Q.
Proof. intros [(P & _ & H) _]. specialize (H d P ltac:(lra)). apply meets in H. exact H. Qed.
Theorem but_time_stops : ~ diverging_run_exists tight claim (may_be tight).
Proof.
  intros [(s & v & d & ((St & F) & Z & _) & (G & _) & D)|(s & v & _ & ((St & F) & Z & _) & R)].
  - assert (S0 : s 0%nat = l0).
    { destruct (s 0%nat) as [ls vs]. cbn in *. subst vs. inversion F as [|? l ? ls' (x & E & _) F']; subst. inversion F'; subst. destruct l as [|[|l]]; [reflexivity|discriminate E..]. }
    assert (X : forall i, s i = l0 /\ (v i 0%nat == elapsed d i)%Q).
    { induction i as [|i [Si Vi]]; [split; [exact S0|apply Z]|]. destruct (G i) as [W T]. rewrite Si in T. destruct (only_loops _ _ _ _ T) as (-> & Sa & _).
      split; [reflexivity|]. rewrite (Sa 0%nat). cbn. rewrite Vi. reflexivity. }
    destruct (D 2%Q) as ([|k] & K); [cbn in K; lra|]. destruct (X k) as [Sk Vk]. destruct (G k) as [W _]. rewrite Sk in W. apply bounded in W. cbn [elapsed] in K. lra.
  - assert (S0 : s = l0).
    { destruct s as [ls vs]. cbn in *. subst vs. inversion F as [|? l ? ls' (x & E & _) F']; subst. inversion F'; subst. destruct l as [|[|l]]; [reflexivity|discriminate E..]. }
    assert (V : (0 <= v 0%nat)%Q) by (rewrite (Z 0%nat); lra). clear Z F St. revert S0 V. induction R as [s v W|s v d s' v' W T R IH]; intros S0 V; subst s.
    + specialize (W 2%Q ltac:(lra)). apply bounded in W. lra.
    + destruct (only_loops _ _ _ _ T) as (-> & Sa & _). apply IH; [reflexivity|]. rewrite (Sa 0%nat). cbn. destruct W as [(P & _) _]. lra.
Qed.
