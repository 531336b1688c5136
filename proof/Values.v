(* Extreme values: a certificate that nothing lies beyond, and runs that come to the values. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Replay Alive RunSpec Lasso.
Import ListNotations.
Open Scope Z_scope.

Inductive claim := NoState | Greatest (q : quantity) (c : Z) | Below (q : quantity) (c : Z) | Least (q : quantity) (c : Z)
  | Above (q : quantity) (c : Z) | Unbounded (x : nat).
Definition holds_of (n : net) (p : formula) (a : claim) : Prop :=
  match a with
  | NoState => never_true n p
  | Greatest q c => greatest n p q c | Below q c => below n p q c
  | Least q c => least n p q c | Above q c => above n p q c
  | Unbounded x => unbounded n p x
  end.

(* What no state meets, and what a run comes to. *)
Definition excluded (p : formula) (a : claim) : list formula :=
  match a with
  | NoState => [p]
  | Greatest q c => [FAnd p (compared q Gt c)] | Below q c => [FAnd p (compared q Ge c)]
  | Least q c => [FAnd p (compared q Lt c)] | Above q c => [FAnd p (compared q Le c)]
  | Unbounded _ => []
  end.
Definition shown (p : formula) (a : claim) : formula :=
  match a with
  | NoState | Unbounded _ => p
  | Greatest q c => FAnd p (compared q Ge c) | Below q c => FAnd p (compared q Gt (c - 1))
  | Least q c => FAnd p (compared q Le c) | Above q c => FAnd p (compared q Lt (c + 1))
  end.
Definition any (fs : list formula) : formula := fold_right FOr never_met fs.
Lemma any_false n s v fs : decided n false s v (any fs) -> forall f, In f fs -> decided n false s v f.
Proof. induction fs as [|g fs IH]; simpl; intros H f I; [destruct I|]. destruct H as [A B], I as [->|I]; auto. Qed.

(* A run, and how the clock grows after it: by waiting, or in a part that repeats. *)
Record witness := Witness { w_denominator : positive; w_clocks : nat; w_first : nat; w_steps : list (Z * nat); w_last : Z; w_round : list (Z * nat) }.

Section Grows.
Variable n : net.
Variable D : positive.
Variable p : formula.
Hypothesis all_run : unrated n = true.
Let free := buchi [].

Lemma path_reachable ps : forall l m k, path n D free (table n) ps l = Some m -> 0 <= k ->
  reachable n (li_state l) (rval D (along k l)) -> reachable n (li_state m) (rval D (along k m)).
Proof.
  induction ps as [|[d j] ps IH]; intros l m k E K R; cbn [path] in E; [injection E as <-; trivial|].
  destruct (waits_b n D free d l); [|discriminate]. destruct (step_line n D (table n) d j l) as [l1|] eqn:S; [|discriminate].
  apply (IH _ _ k E K). apply (step_along n D all_run _ _ _ _ _ k) in S; [|trivial]. exact (step_sound n D _ _ _ _ S R).
Qed.

Definition is_positive (q : Z * Z) : bool := (0 <=? fst q) && (0 <? snd q).
Definition grows_b (w : witness) (x : nat) : bool :=
  let t := table n in
  match start n D (w_clocks w) (w_first w) with
  | None => false
  | Some r0 =>
    match steps n D t (w_steps w) r0 with
    | None => false
    | Some r =>
      match w_round w with
      | [] => check_wait n D (w_last w) r &&
              let r := wait (w_last w) r in
              net_can_delay n (r_state r) && forallb (is_convex n (r_state r)) (invariant n (r_state r)) &&
              holds_all n D (far D r) (invariant n (r_state r)) && decided_all n D true (far D r) p && is_positive (track (far D r) x)
      | ps =>
        match steps n D t ps r with
        | None => false
        | Some r' =>
          let l := slopes r r' in
          moment_eqb (along 0 l) r && decided_all n D true l p && is_positive (track l x) &&
          match path n D free t ps l with None => false | Some m => returns l m end
        end
      end
    end
  end.

Lemma far_enough q c : is_positive q = true -> exists k, 0 <= k /\ c * Zpos D < value k q.
Proof.
  unfold is_positive, value. intro H. apply andb_prop in H. destruct H as [A B]. apply Z.leb_le in A. apply Z.ltb_lt in B.
  assert (P : 0 <= Z.abs c * Zpos D) by nia. assert (Q : c * Zpos D <= Z.abs c * Zpos D) by nia. set (m := Z.abs c * Zpos D) in *.
  exists (m + 1). split; [lia|]. nia.
Qed.
Lemma above_value k l x c : c * Zpos D < value k (track l x) -> (inject_Z c < val (rval D (along k l)) x)%Q.
Proof.
  intro L. pose proof (rval_ticks D (along k l) x) as T. rewrite ticks_along in T. apply (frac_lt D) in L.
  pose proof (frac_whole D c) as W. lra.
Qed.
Lemma grows_sound w x : grows_b w x = true -> unbounded n p x.
Proof.
  unfold grows_b. cbv zeta. destruct (start n D (w_clocks w) (w_first w)) as [r0|] eqn:S; [|discriminate].
  destruct (steps n D (table n) (w_steps w) r0) as [r|] eqn:T; [|discriminate].
  pose proof (steps_reachable n D _ _ _ T (start_sound n D _ _ _ S)) as R. intros H c. destruct (w_round w) as [|a ps].
  - apply andb_prop in H. destruct H as [W H]. set (r1 := wait (w_last w) r) in *.
    pose proof (wait_sound n D _ _ W R) as R1. rewrite onward_wait in R1 by apply (none n all_run). fold r1 in R1.
    apply andb_prop in H. destruct H as [H G]. apply andb_prop in H. destruct H as [H P]. apply andb_prop in H. destruct H as [H I].
    apply andb_prop in H. destruct H as [C X]. destruct (far_enough _ c G) as (k & K & L).
    exists (r_state r1), (rval D (along k (far D r1))). split; [|split].
    + apply (reach_wait n _ (rval D r1) (inject_Z k)); [exact R1| |rewrite (none n all_run); apply rval_far].
      apply (idles_sound n D (buchi []) all_run r1); [|change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; trivial].
      unfold idles, stays_on, stays_while. rewrite C, X, I. trivial.
    + apply (decided_all_sound n D _ k) in P; [|trivial]. apply decided_b_sound in P. exact P.
    + apply above_value. exact L.
  - destruct (steps n D (table n) (a :: ps) r) as [r'|]; [|discriminate]. set (l := slopes r r') in *.
    apply andb_prop in H. destruct H as [H Q]. apply andb_prop in H. destruct H as [H G]. apply andb_prop in H. destruct H as [E P].
    apply moment_eqb_eq in E. destruct (path n D free (table n) (a :: ps) l) as [m|] eqn:Pa; [|discriminate].
    assert (All : forall k, 0 <= k -> reachable n (li_state l) (rval D (along k l))).
    { apply natlike_ind; [rewrite E; exact R|]. intros k K IH. pose proof (path_reachable _ _ _ k Pa K IH) as M.
      pose proof (returns_along l m k Q) as Al. unfold Z.succ. rewrite <- Al.
      assert (St : li_state m = li_state l) by (apply (f_equal r_state) in Al; exact Al). rewrite <- St. exact M. }
    destruct (far_enough _ c G) as (k & K & L). exists (li_state l), (rval D (along k l)). split; [auto|]. split.
    + apply (decided_all_sound n D _ k) in P; [|trivial]. apply decided_b_sound in P. exact P.
    + apply above_value. exact L.
Qed.
End Grows.

Definition is_shown (n : net) (p : formula) (a : claim * witness) : bool :=
  let w := snd a in
  match fst a with
  | NoState => true
  | Unbounded x => unrated n && grows_b n (w_denominator w) p w x
  | c => replay n (w_denominator w) (shown p c) (w_clocks w) (w_first w) (w_steps w) (w_last w)
  end.
Definition accepts_values (n : net) (p : formula) (claims : list (claim * witness)) (c : certificate) : bool :=
  accepts n (any (flat_map (fun a => excluded p (fst a)) claims)) c && forallb (is_shown n p) claims.

Theorem accepts_values_correct n p claims c : accepts_values n p claims c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\ (forall s v, reachable n s v -> ~ step_fails n s v) /\
  forall a, In a claims -> holds_of n p (fst a).
Proof.
  intro H. apply andb_prop in H. destruct H as [A S]. destruct (accepts_correct _ _ _ A) as (W & B & F & R).
  repeat (split; trivial); [intros s v X; apply (R s v X)|]. intros [a w] I. rewrite forallb_forall in S. specialize (S _ I). cbn [fst].
  assert (N : forall f, In f (excluded p a) -> never_true n f).
  { intros f If s v X. eapply any_false; [apply (R s v X)|]. apply in_flat_map. exists (a, w). auto. }
  assert (O : forall f, replay n (w_denominator w) f (w_clocks w) (w_first w) (w_steps w) (w_last w) = true -> once_true n f).
  { intros f E. exact (replay_correct n (w_denominator w) f _ _ _ _ E). }
  unfold is_shown in S. cbn [fst snd] in S. destruct a; cbn [holds_of excluded shown] in *; try (split; [apply N; left; trivial|apply O; exact S]).
  - apply N. left. trivial.
  - apply andb_prop in S. destruct S as [U S]. exact (grows_sound n (w_denominator w) p U w x S).
Qed.

(* That a clock grows without end, alone. *)
Definition accepts_growth (n : net) (p : formula) (x : nat) (w : witness) : bool := forms_well n && unrated n && grows_b n (w_denominator w) p w x.
Theorem accepts_growth_correct n p x w : accepts_growth n p x w = true -> well_formed n /\ unbounded n p x.
Proof.
  intro H. apply andb_prop in H. destruct H as [H G]. apply andb_prop in H. destruct H as [W U].
  split; [apply forms_well_sound, W|exact (grows_sound n _ p U w x G)].
Qed.
