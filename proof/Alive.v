(* Deadlock freedom: every reachable state is alive.

   In a discrete state each joint transition can be taken, after a delay if there may be one, where some
   tests of the clocks hold. A deadlocked state violates one test for each transition. These choices are
   the goal that the checker of certificates excludes: most of them contradict themselves or the
   invariant, the others must miss the zones, whose bounds must see them. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Replay.
Import ListNotations.
Open Scope Z_scope.

(* ---- Tests and delay ---- *)

(* What others contradict, which do not contradict themselves. *)
Definition denied (acc : list test) (t : test) : bool := clash1 t || existsb (clash2 t) acc.
Lemma denied_sound acc t v : nonneg v -> all_hold acc v -> denied acc t = true -> ~ meets t v.
Proof.
  intros N A D M. unfold denied in D. assert (C : clash (t :: acc) = true).
  { unfold clash. cbn [existsb]. apply orb_true_iff. left. apply orb_prop in D. destruct D as [-> | ->]; [trivial|]. rewrite !orb_true_r. trivial. }
  apply (clash_sound _ v N C). intros u [<-|U]; [exact M|auto].
Qed.
(* What is left where none of these conjunctions holds, as a disjunction; None: too much. What contradicts a conjunction already
   stays as it is. *)
Definition most_left : N := 20000.
Fixpoint stuck (left : list (list test)) (ps : list (list test)) : option (list (list test)) :=
  match ps with
  | [] => Some left
  | p :: ps =>
    let next := flat_map (fun acc => if existsb (denied acc) p || clash p then [acc] else map (fun t => t :: acc) (filter (fun t => negb (denied acc t)) (map negated p))) left in
    if (N.of_nat (length next) <? most_left)%N then stuck next ps else None
  end.
Lemma all_or_not ts v : all_hold ts v \/ exists t, In t ts /\ ~ meets t v.
Proof.
  induction ts as [|t ts [IH|(u & I & H)]]; [left; intros u []| |right; exists u; split; [right|]; trivial].
  destruct (sat_dec (t_bound t) (diff v (t_i t) (t_j t))) as [H|H]; [left|right; exists t; split; [left; trivial|exact H]].
  intros u [<-|I]; [exact H|auto].
Qed.
Lemma stuck_sound ps v : nonneg v -> forall left cs, stuck left ps = Some cs -> (exists c, In c left /\ all_hold c v) ->
  (exists p, In p ps /\ all_hold p v) \/ exists c, In c cs /\ all_hold c v.
Proof.
  intro N. induction ps as [|p ps IH]; intros left cs S (c & I & A); cbn [stuck] in S; [injection S as <-; eauto|].
  destruct (_ <? _)%N; [|discriminate].
  destruct (all_or_not p v) as [H|(t & It & H)]; [left; exists p; split; [left|]; trivial|].
  destruct (IH _ _ S) as [(x & X & Y)|R]; [|left; exists x; split; [right|]; trivial|right; trivial].
  destruct (existsb (denied c) p || clash p) eqn:Cp; [exists c; split; [|trivial]; apply in_flat_map; exists c; rewrite Cp; split; [|left]; trivial|].
  exists (negated t :: c). assert (Ac : all_hold (negated t :: c) v).
  { intros u [<-|U]; [apply negated_meets; trivial|auto]. }
  split; [|trivial]. apply in_flat_map. exists c. rewrite Cp. split; [trivial|]. apply (in_map (fun t => t :: c)), filter_In. split; [apply in_map; trivial|].
  destruct (denied c (negated t)) eqn:D; [exfalso; exact (denied_sound _ _ v N A D (negated_meets _ _ H))|trivial].
Qed.

(* A conjunction that holds wherever other tests do, which do not contradict themselves. *)
Definition forced (acc p : list test) : bool := forallb (fun t => denied acc (negated t)) p.
Lemma forced_sound acc p v : nonneg v -> all_hold acc v -> forced acc p = true -> all_hold p v.
Proof.
  intros N A M t I. destruct (sat_dec (t_bound t) (diff v (t_i t) (t_j t))) as [H|H]; [exact H|exfalso].
  unfold forced in M. rewrite forallb_forall in M. apply (denied_sound _ _ v N A (M t I)). apply negated_meets. exact H.
Qed.
(* Upper bounds of clocks: one of them is reached first. Then often a single transition is possible at that moment. *)
Definition slack (v : valuation) (u : test) : Q := (inject_Z (Z.div2 (t_bound u)) - val v (t_i u))%Q.
Definition sooner (a u : test) : test := Test (t_i u) (t_i a) (2 * (Z.div2 (t_bound u) - Z.div2 (t_bound a)) + 1).
Definition firsts (us ts : list test) : list (list test) :=
  match us with [] => [ts] | _ => map (fun a => map (sooner a) us ++ ts) us end.
Lemma least_slack v us : us = [] \/ exists a, In a us /\ forall u, In u us -> (slack v a <= slack v u)%Q.
Proof.
  induction us as [|u us [->|(a & I & L)]]; [auto| |]; right.
  - exists u. split; [left; trivial|]. intros w [<-|[]]. lra.
  - destruct (Qlt_le_dec (slack v u) (slack v a)) as [H|H].
    + exists u. split; [left; trivial|]. intros w [<-|W]; [lra|]. specialize (L w W). lra.
    + exists a. split; [right; trivial|]. intros w [<-|W]; auto.
Qed.
Lemma sooner_meets v a u : (slack v a <= slack v u)%Q -> meets (sooner a u) v.
Proof.
  intro L. unfold meets, sooner, diff. cbn [t_i t_j t_bound]. right. unfold half. pose proof (div2_eq (2 * (Z.div2 (t_bound u) - Z.div2 (t_bound a)) + 1)) as E.
  assert (O : Z.odd (2 * (Z.div2 (t_bound u) - Z.div2 (t_bound a)) + 1) = true) by (rewrite Z.add_comm, Z.odd_add_mul_2; reflexivity).
  rewrite O in E. rewrite O. replace (Z.div2 (2 * (Z.div2 (t_bound u) - Z.div2 (t_bound a)) + 1)) with (Z.div2 (t_bound u) - Z.div2 (t_bound a)) by lia.
  unfold slack in L. rewrite inject_sub. lra.
Qed.
Lemma firsts_sound us ts v : all_hold ts v -> exists c, In c (firsts us ts) /\ all_hold c v.
Proof.
  intro A. unfold firsts. destruct us as [|u0 us']; [exists ts; split; [left|]; trivial|]. set (us := u0 :: us') in *.
  destruct (least_slack v us) as [E|(a & I & L)]; [discriminate|].
  exists (map (sooner a) us ++ ts). split; [apply (in_map (fun a => map (sooner a) us ++ ts)); trivial|].
  apply all_hold_app; [|trivial]. intros t T. apply in_map_iff in T. destruct T as (u & <- & U). apply sooner_meets, L. trivial.
Qed.
(* What does not follow from others. *)
Definition left_of (ts p : list test) : list test := filter (fun t => negb (denied ts (negated t))) p.
Lemma left_of_sound ts p v : nonneg v -> all_hold ts v -> all_hold (left_of ts p) v -> all_hold p v.
Proof.
  intros N A L t I. destruct (denied ts (negated t)) eqn:D; [|apply L, filter_In; rewrite D; auto].
  destruct (sat_dec (t_bound t) (diff v (t_i t) (t_j t))) as [H|H]; [exact H|exfalso].
  exact (denied_sound _ _ v N A D (negated_meets _ _ H)).
Qed.
Definition ways_out (us ts : list test) (ps : list (list test)) : option (list (list test)) :=
  let qs := map (left_of ts) ps in
  match stuck (filter (fun acc => negb (existsb (forced acc) qs)) (firsts us ts)) ps with Some cs => Some cs | None => stuck [ts] ps end.
Lemma ways_out_sound us ts ps v cs : nonneg v -> all_hold ts v -> ways_out us ts ps = Some cs ->
  (exists p, In p ps /\ all_hold p v) \/ exists c, In c cs /\ all_hold c v.
Proof.
  intros N A W. unfold ways_out in W. cbv zeta in W. destruct (stuck (filter _ _) ps) as [cs'|] eqn:S.
  - injection W as ->. destruct (firsts_sound us ts v A) as (c & I & C). destruct (existsb (forced c) (map (left_of ts) ps)) eqn:M.
    + left. apply existsb_exists in M. destruct M as (q & Q & M). apply in_map_iff in Q. destruct Q as (p & <- & P). exists p. split; [trivial|].
      exact (left_of_sound ts p v N A (forced_sound c _ v N C M)).
    + apply (stuck_sound ps v N _ _ S). exists c. split; [|trivial]. apply filter_In. rewrite M. auto.
  - apply (stuck_sound ps v N _ _ W). exists ts. split; [left|]; trivial.
Qed.

(* From below, from above, and neither: what delay makes true, what it makes false, and the rest. *)
Definition is_lower (t : test) : bool := (t_i t =? 0)%nat && negb (t_j t =? 0)%nat.
Definition is_upper (t : test) : bool := negb (t_i t =? 0)%nat && (t_j t =? 0)%nat.
(* There is a delay after which all tests hold. *)
Definition past (ts : list test) : list test :=
  let ls := filter is_lower ts in
  filter (fun t => negb (is_lower t)) ts ++
  flat_map (fun u => map (fun l => Test (t_i u) (t_j l) (sum (t_bound u) (t_bound l))) ls) (filter is_upper ts).

Definition low_ok (v : valuation) (t : test) (d : Q) : Prop := sat (t_bound t) (- (val v (t_j t) + d))%Q.
Definition high_ok (v : valuation) (t : test) (d : Q) : Prop := sat (t_bound t) (val v (t_i t) + d)%Q.

(* What follows is in Set, not in Prop: delays are computed, so that an infinite run can be made of them (Rounds.v). *)
Lemma low_total v s t : {forall d, low_ok v s d -> low_ok v t d} + {forall d, low_ok v t d -> low_ok v s d}.
Proof.
  unfold low_ok, sat. destruct (Z_le_gt_dec INF (t_bound t)); [left; auto|]. destruct (Z_le_gt_dec INF (t_bound s)); [right; auto|].
  destruct (Qlt_le_dec (- half (t_bound s) - val v (t_j s)) (- half (t_bound t) - val v (t_j t))) as [L|L].
  - right. intros d [H|H]; [lia|right]. destruct (Z.odd (t_bound s)), (Z.odd (t_bound t)); lra.
  - destruct (Qlt_le_dec (- half (t_bound t) - val v (t_j t)) (- half (t_bound s) - val v (t_j s))) as [M|M].
    + left. intros d [H|H]; [lia|right]. destruct (Z.odd (t_bound s)), (Z.odd (t_bound t)); lra.
    + destruct (Z.odd (t_bound s)) eqn:Es.
      * right. intros d [H|H]; [lia|right]. destruct (Z.odd (t_bound t)); lra.
      * left. intros d [H|H]; [lia|right]. destruct (Z.odd (t_bound t)); lra.
Qed.
Lemma high_total v s t : {forall d, high_ok v s d -> high_ok v t d} + {forall d, high_ok v t d -> high_ok v s d}.
Proof.
  unfold high_ok, sat. destruct (Z_le_gt_dec INF (t_bound t)); [left; auto|]. destruct (Z_le_gt_dec INF (t_bound s)); [right; auto|].
  destruct (Qlt_le_dec (half (t_bound s) - val v (t_i s)) (half (t_bound t) - val v (t_i t))) as [L|L].
  - left. intros d [H|H]; [lia|right]. destruct (Z.odd (t_bound s)), (Z.odd (t_bound t)); lra.
  - destruct (Qlt_le_dec (half (t_bound t) - val v (t_i t)) (half (t_bound s) - val v (t_i s))) as [M|M].
    + right. intros d [H|H]; [lia|right]. destruct (Z.odd (t_bound s)), (Z.odd (t_bound t)); lra.
    + destruct (Z.odd (t_bound s)) eqn:Es.
      * right. intros d [H|H]; [lia|right]. destruct (Z.odd (t_bound t)); lra.
      * left. intros d [H|H]; [lia|right]. destruct (Z.odd (t_bound t)); lra.
Qed.
Lemma strongest (ok : test -> Q -> Prop) : (forall s t, {forall d, ok s d -> ok t d} + {forall d, ok t d -> ok s d}) ->
  forall ts, {s | In s ts /\ forall d, ok s d -> forall t, In t ts -> ok t d} + {ts = []}.
Proof.
  intros T ts. induction ts as [|t ts [(s & I & S)| ->]]; [auto| |]; left.
  - destruct (T s t) as [H|H]; [exists s; split; [right; trivial|]|exists t; split; [left; trivial|]];
      intros d D u [<-|U]; auto.
  - exists t. split; [left; trivial|]. intros d D u [<-|[]]. trivial.
Qed.

Lemma low_some v l : {d | (0 <= d)%Q /\ low_ok v l d}.
Proof.
  destruct (Qlt_le_dec (- half (t_bound l) - val v (t_j l) + 1) 0) as [L|L].
  - exists 0%Q. split; [lra|]. right. destruct (Z.odd (t_bound l)); lra.
  - exists (- half (t_bound l) - val v (t_j l) + 1)%Q. split; [trivial|]. right. destruct (Z.odd (t_bound l)); lra.
Qed.
(* Bounds that are far from infinity, so that sums are. *)
Definition modest (t : test) : bool := (-1099511627776 <? t_bound t) && (t_bound t <? 1099511627776).
Lemma sum_finite a b : -1099511627776 < a < 1099511627776 -> -1099511627776 < b < 1099511627776 ->
  sum a b = (if Z.odd a || Z.odd b then a + b - 1 else a + b) /\ ~ INF <= sum a b /\ ~ INF <= a /\ ~ INF <= b.
Proof.
  intros A B. unfold sum, INF. destruct (Z.leb_spec (2 ^ 60) a); [lia|]. destruct (Z.leb_spec (2 ^ 60) b); [lia|].
  split; [trivial|]. destruct (Z.odd a || Z.odd b); lia.
Qed.
Lemma between (a b : Q) (x y : bool) : (if x && y then a <= b else a < b)%Q -> (if y then 0 < a else 0 <= a)%Q ->
  {d | (0 <= d)%Q /\ (if y then a <= d else a < d)%Q /\ (if x then d <= b else d < b)%Q}.
Proof.
  intros H P. destruct (Qlt_le_dec a b) as [L|L].
  - exists ((a + b) * (1 # 2))%Q. destruct x, y; simpl in *; repeat split; lra.
  - exists a. destruct x, y; simpl in *; repeat split; lra.
Qed.
Lemma low_between v l u : modest l = true -> modest u = true ->
  sat (sum (t_bound u) (t_bound l)) (val v (t_i u) - val v (t_j l)) -> ~ low_ok v l 0 ->
  {d | (0 <= d)%Q /\ low_ok v l d /\ high_ok v u d}.
Proof.
  intros Ml Mu S N. unfold modest in Ml, Mu. split_and.
  destruct (sum_finite (t_bound u) (t_bound l)) as (E & F & Fu & Fl); try lia.
  assert (S1 : (if Z.odd (sum (t_bound u) (t_bound l)) then val v (t_i u) - val v (t_j l) <= half (sum (t_bound u) (t_bound l))
               else val v (t_i u) - val v (t_j l) < half (sum (t_bound u) (t_bound l)))%Q) by (destruct S; tauto).
  clear S. rename S1 into S. rewrite E in S. clear E F.
  destruct (between (- half (t_bound l) - val v (t_j l)) (half (t_bound u) - val v (t_i u)) (Z.odd (t_bound u)) (Z.odd (t_bound l)))
    as (d & P & A & B).
  - pose proof (div2_eq (t_bound u)) as Eu. pose proof (div2_eq (t_bound l)) as El. unfold half in *.
    destruct (Z.odd (t_bound u)), (Z.odd (t_bound l)); cbn [orb andb] in *;
      match type of S with context [Z.odd ?r] => pose proof (div2_eq r) as Er; destruct (Z.odd r); try lia;
        assert (Q1 : Z.div2 r = Z.div2 (t_bound u) + Z.div2 (t_bound l)) by lia; rewrite Q1, inject_Z_plus in S; lra end.
  - unfold low_ok, sat in N. destruct (Z.odd (t_bound l)).
    + destruct (Qlt_le_dec 0 (- half (t_bound l) - val v (t_j l))) as [L|L]; [trivial|exfalso; apply N; right; lra].
    + destruct (Qlt_le_dec (- half (t_bound l) - val v (t_j l)) 0) as [L|L]; [exfalso; apply N; right; lra|trivial].
  - exists d. split; [trivial|]. unfold low_ok, high_ok, sat. destruct (Z.odd (t_bound u)), (Z.odd (t_bound l)); split; right; lra.
Qed.

Lemma val_delayed d v x : x <> 0%nat -> (val (delayed d v) x == val v x + d)%Q.
Proof. destruct x; [congruence|]. intros _. reflexivity. Qed.

Lemma lower_meets v t d : is_lower t = true -> meets t (delayed d v) <-> low_ok v t d.
Proof.
  unfold is_lower, meets, low_ok, diff. intro H. split_and. apply negb_true_iff, Nat.eqb_neq in H0. rewrite H.
  split; intro S; eapply sat_eq; try exact S; rewrite (val_delayed d v _ H0); simpl; lra.
Qed.
Lemma upper_meets v t d : is_upper t = true -> meets t (delayed d v) <-> high_ok v t d.
Proof.
  unfold is_upper, meets, high_ok, diff. intro H. split_and. apply negb_true_iff, Nat.eqb_neq in H. rewrite H0.
  split; intro S; eapply sat_eq; try exact S; rewrite (val_delayed d v _ H); simpl; lra.
Qed.
Lemma other_meets v t d : is_lower t = false -> is_upper t = false -> meets t (delayed d v) <-> meets t v.
Proof.
  unfold is_lower, is_upper, meets, diff. intros L U. destruct (t_i t) as [|i], (t_j t) as [|j]; try discriminate; [tauto|].
  split; intro S; eapply sat_eq; try exact S; simpl; unfold delayed; lra.
Qed.

Lemma past_sound ts v : forallb modest ts = true -> all_hold (past ts) v -> {d | (0 <= d)%Q /\ all_hold ts (delayed d v)}.
Proof.
  intros M H. rewrite forallb_forall in M.
  assert (U0 : forall t, In t ts -> is_lower t = false -> meets t v).
  { intros t I L. apply H. apply in_or_app. left. apply filter_In. rewrite L. auto. }
  assert (Z0 : forall t, meets t (delayed 0 v) <-> meets t v).
  { intro t. unfold meets, diff. assert (E : forall x, (val (delayed 0 v) x == val v x)%Q) by (intros [|x]; simpl; unfold delayed; lra).
    split; intro S; eapply sat_eq; try exact S; rewrite !E; reflexivity. }
  assert (P : forall u l, In u ts -> In l ts -> is_upper u = true -> is_lower l = true ->
              sat (sum (t_bound u) (t_bound l)) (val v (t_i u) - val v (t_j l))).
  { intros u l Iu Il Uu Ll. apply (H (Test (t_i u) (t_j l) (sum (t_bound u) (t_bound l)))).
    apply in_or_app. right. apply in_flat_map. exists u. split; [apply filter_In; auto|].
    apply (in_map (fun l => Test (t_i u) (t_j l) (sum (t_bound u) (t_bound l)))). apply filter_In. auto. }
  assert (K : forall d, (0 <= d)%Q -> (forall t, In t (filter is_lower ts) -> low_ok v t d) ->
              (forall t, In t (filter is_upper ts) -> high_ok v t d) -> {d | (0 <= d)%Q /\ all_hold ts (delayed d v)}).
  { intros d D A B. exists d. split; [trivial|]. intros t I. destruct (is_lower t) eqn:L.
    - apply lower_meets; trivial. apply A, filter_In. auto.
    - destruct (is_upper t) eqn:U; [apply upper_meets; trivial; apply B, filter_In; auto|]. apply other_meets; auto. }
  assert (Zu : forall t, In t (filter is_upper ts) -> high_ok v t 0).
  { intros t I. apply filter_In in I. destruct I as [I U]. apply upper_meets; trivial. apply Z0, U0; trivial.
    unfold is_upper, is_lower in *. destruct (t_i t); [discriminate|reflexivity]. }
  destruct (strongest (low_ok v) (low_total v) (filter is_lower ts)) as [(l & Il & Sl)|E].
  2: { apply (K 0%Q); [lra| |exact Zu]. rewrite E. intros t []. }
  destruct (sat_decides (t_bound l) (- (val v (t_j l) + 0))) as [Y|N].
  { apply (K 0%Q); [lra|apply Sl; exact Y|exact Zu]. }
  apply filter_In in Il. destruct Il as [Il Ll].
  destruct (strongest (high_ok v) (high_total v) (filter is_upper ts)) as [(u & Iu & Su)|E].
  2: { destruct (low_some v l) as (d & D & O). apply (K d); [trivial|apply Sl; trivial|]. rewrite E. intros t []. }
  apply filter_In in Iu. destruct Iu as [Iu Uu].
  destruct (low_between v l u (M _ Il) (M _ Iu) (P _ _ Iu Il Uu Ll) N) as (d & D & A & B).
  apply (K d); [trivial|apply Sl; trivial|apply Su; trivial].
Qed.

(* What holds at the beginning and at the end of a delay holds on the way. *)
Lemma on_the_way ts v d e : (0 <= e)%Q -> (e <= d)%Q -> all_hold ts v -> all_hold ts (delayed d v) -> all_hold ts (delayed e v).
Proof.
  intros P L A B t I. specialize (A t I). specialize (B t I). unfold meets, diff in *.
  destruct (t_i t) as [|i], (t_j t) as [|j]; simpl in *; unfold delayed in *.
  - exact A.
  - eapply sat_down; [|exact A]. lra.
  - eapply sat_down; [|exact B]. lra.
  - eapply sat_eq; [|exact A]. lra.
Qed.

(* ---- Networks ---- *)

Definition never_met : formula := FAtom (AInt (EConst 0)).
Section Alive.
Variable n : net.
Hypothesis all_run : unrated n = true.
Lemma none_stopped s : stopped n s = [].
Proof. apply unrated_stopped, all_run. Qed.

Lemma judge_all_exact s v gs : forallb (forallb (exact n s)) gs = true -> forall ts, judge_all n s gs = Some (false, ts) -> all_hold ts v ->
  forall g, In g gs -> holds n s v g.
Proof.
  induction gs as [|g gs IH]; intros E ts J A x I; [destruct I|]. cbn [forallb] in E. apply andb_prop in E. destruct E as [Eg Es].
  cbn [judge_all] in J. destruct (judge n s g) as [[[|] t1]|] eqn:Q; try discriminate.
  destruct (judge_all n s gs) as [[w t2]|] eqn:R; try discriminate. injection J as -> <-.
  destruct I as [<-|I].
  - eapply judge_exact; eauto. intros t T. apply A, in_or_app. auto.
  - eapply IH; eauto. intros t T. apply A, in_or_app. auto.
Qed.
Lemma invariants_exact s v ts : forallb (forallb (exact n s)) (invariants n s) = true -> judge_all n s (invariants n s) = Some (false, ts) ->
  all_hold ts v -> holds n s v (invariant n s).
Proof.
  intros E J A a I. unfold invariant in I. apply in_flat_map in I. destruct I as (p & P & I).
  apply (judge_all_exact s v _ E _ J A (invariant_of n s p)); [|trivial]. rewrite invariants_flat. apply in_flat_map. exists p. split; [trivial|].
  unfold invariant_of in *. destruct (location_of n s p); [left; trivial|destruct I].
Qed.

(* When edges can be taken together, after a delay if there may be one; ts is the invariant. None: it is
   not known. *)
Definition chance (t : list (list (list edge))) (s : state) (ts : list test) (o : offer) : option (list test) :=
  let es := o_edges o in
  match judge n s (guard es), fire n s es with
  | Some (false, ts1), Ok (s', us) =>
    match judge_all n s' (invariants n s') with
    | Some (false, ts2) =>
      let all := (ts1 ++ o_tests o) ++ map (back (origins_of us)) ts2 in
      if forallb (sure_out n s (ts1 ++ o_tests o)) (o_out o) && negb (is_nil es) && not_outranked n t s all es &&
         forallb (exact n s) (guard es) && forallb (forallb (exact n s')) (invariants n s') && forallb (fun u => 0 <=? u_c u) us &&
         forallb modest (all ++ ts)
      then Some (if net_can_delay n s then past (all ++ ts) else all) else None
    | _ => None
    end
  | _, _ => None
  end.
Definition chances (t : list (list (list edge))) (s : state) (ts : list test) : list (list test) :=
  flat_map (fun o => match chance t s ts o with None => [] | Some p => [p] end) (joints n t s).
(* Where a state may be deadlocked; None: not known. *)
Definition dead (t : list (list (list edge))) (s : state) : option (list (list test)) :=
  match judge_all n s (invariants n s) with
  | Some (false, ts) => if forallb (forallb (exact n s)) (invariants n s) then ways_out (filter is_upper ts) ts (chances t s ts) else None
  | None => Some []
  | _ => None
  end.

Lemma back_complete o v w t : comes o v w -> meets (back o t) v -> modest (back o t) = true -> meets t w.
Proof.
  intros C M B. unfold meets, back, diff, modest in *. pose proof (C (t_i t)) as X; pose proof (C (t_j t)) as Y.
  destruct (origin o (t_i t)) as [i c], (origin o (t_j t)) as [j d]; cbn [fst snd t_i t_j t_bound] in *.
  unfold shift in *. destruct (Z.leb_spec INF (t_bound t)); [left; trivial|].
  apply (sat_shift _ (c - d)) in M. unfold shift in M. split_and.
  destruct (Z.leb_spec INF (t_bound t + 2 * (d - c))); [unfold INF in *; lia|].
  replace (t_bound t + 2 * (d - c) + 2 * (c - d)) with (t_bound t) in M by lia.
  eapply sat_eq; [|exact M]. rewrite X, Y, inject_sub. lra.
Qed.
Lemma positive_updates us : forallb (fun u => 0 <=? u_c u) us = true -> forall v, nonneg v -> ~ negative us v.
Proof.
  induction us as [|u us IH]; intros P v N; simpl; [tauto|]. simpl in P. apply andb_prop in P. destruct P as [Pu P].
  apply Z.leb_le in Pu. apply inj_le in Pu. change (inject_Z 0) with 0%Q in Pu. pose proof (nonneg_val v (u_y u) N) as V.
  intros [X|X]; [lra|]. revert X. apply IH; trivial. intro k. unfold set1. destruct (u_x u) as [|m]; [apply N|].
  destruct (k =? m)%nat; [lra|apply N].
Qed.

Lemma chance_sound s v ts o p : nonneg v -> judge_all n s (invariants n s) = Some (false, ts) ->
  forallb (forallb (exact n s)) (invariants n s) = true -> all_hold ts v ->
  In o (joints n (table n) s) -> chance (table n) s ts o = Some p -> all_hold p v -> alive n s v.
Proof.
  intros N J0 E0 A0 J C H. apply joints_offer in J. destruct J as (o' & J & Ee & Eo). unfold chance in C. cbv zeta in C.
  rewrite <- Ee, <- Eo in C. set (es := o_edges o') in *.
  destruct (judge n s (guard es)) as [[[|] ts1]|] eqn:J1; try discriminate.
  destruct (fire n s es) as [| |[s' us]] eqn:F; try discriminate.
  destruct (judge_all n s' (invariants n s')) as [[[|] ts2]|] eqn:J2; try discriminate.
  destruct (_ && _) eqn:E; [|discriminate]. injection C as <-.
  apply andb_prop in E. destruct E as [E M]. apply andb_prop in E. destruct E as [E Po]. apply andb_prop in E. destruct E as [E E2].
  apply andb_prop in E. destruct E as [E E1]. apply andb_prop in E. destruct E as [E Ro]. apply andb_prop in E. destruct E as [Out Ne].
  assert (Ne' : es <> []) by (destruct es; discriminate).
  set (all := (ts1 ++ o_tests o) ++ map (back (origins_of us)) ts2) in *.
  assert (Go : forall w, nonneg w -> all_hold all w -> takes n s w s' (set_all us w)).
  { intros w Nw A.
    assert (G : holds n s w (guard es)) by (eapply judge_exact; eauto; intros t T; apply A, in_or_app; left; apply in_or_app; auto).
    exists es, us. split; [|split; [trivial|split]].
    - apply offer_joint; trivial. intros e Ie. rewrite forallb_forall in Out. eapply sure_out_sound; [exact Nw| |apply Out; exact Ie].
      intros t T. apply A, in_or_app. auto.
    - eapply not_outranked_sound; eauto.
    - split; [trivial|]. split; [apply positive_updates; trivial|]. split; [apply same_refl|]. eapply invariants_exact; eauto. intros t T.
    assert (I : In (back (origins_of us) t) all) by (apply in_or_app; right; apply in_map; trivial).
    eapply back_complete; [apply comes_all|apply A; trivial|]. rewrite forallb_forall in M. apply M, in_or_app. auto. }
  destruct (net_can_delay n s) eqn:D.
  2: { assert (Z : forall d, (d == 0)%Q -> same v (delayed d v)) by (intros d Z k; unfold delayed; rewrite Z; lra).
       exists 0%Q, s', (set_all us (delayed 0 v)). unfold passes. rewrite none_stopped. change (after []) with delayed. split.
       - split; [lra|]. split; [left; reflexivity|]. intros e P L. apply holds_same with v; [apply Z; lra|].
         eapply invariants_exact; eauto.
       - apply Go; [intro k; unfold delayed; specialize (N k); lra|]. eapply all_hold_same; [apply Z; reflexivity|exact H]. }
  destruct (past_sound _ _ M H) as (d & P & A). exists d, s', (set_all us (delayed d v)). unfold passes. rewrite none_stopped. change (after []) with delayed. split; [split; [trivial|split; [right; apply can_delay_sound; [trivial|apply unrated_fails, all_run]|]]|].
  - intros e Pe Le. eapply invariants_exact; eauto. apply (on_the_way ts v d e Pe Le A0). intros t T. apply A, in_or_app. auto.
  - apply Go; [intro k; unfold delayed; specialize (N k); lra|]. intros t T. apply A, in_or_app. auto.
Qed.
Lemma dead_sound s v : ~ meets_goal state (dead (table n)) s v -> nonneg v -> holds n s v (invariant n s) -> alive n s v.
Proof.
  intros G N H. destruct (invariants_hold n s v H) as (ts & J & A). unfold meets_goal, dead in G. rewrite J in G.
  destruct (forallb (forallb (exact n s)) (invariants n s)) eqn:E; [|tauto].
  destruct (ways_out (filter is_upper ts) ts (chances (table n) s ts)) as [cs|] eqn:S; [|tauto].
  destruct (ways_out_sound _ _ _ v _ N A S) as [(p & I & P)|R]; [|tauto].
  unfold chances in I. apply in_flat_map in I. destruct I as (o & Io & I). destruct (chance (table n) s ts o) as [p'|] eqn:C; [|destruct I].
  destruct I as [->|[]]. eapply chance_sound; eauto.
Qed.

End Alive.

(* ---- Certificates of deadlock freedom ---- *)

Section Certificates.
Variable n : net.

(* No state may make f true, nor g and be deadlocked. Both, and what is alive, must be the same under the names by which nodes
   cover, there and back. *)
Definition accepts_alive_whole (f g : formula) (c : certificate) : bool :=
  let t := table n in
  forms_well n && begins n && unrated n && forallb (fun r => symmetry n r g && symmetry n (undone r) g) (c_renamings c) &&
  net_check_for n (fun s => either (clauses n true s f) (both (clauses n true s g) (dead n t s))) (Some 6%nat) f c.

Theorem accepts_alive_whole_correct f g c : accepts_alive_whole f g c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  forall s v, reachable n s v -> decided n false s v f /\ (decided n false s v g \/ alive n s v) /\ ~ step_fails n s v.
Proof.
  intro H. unfold accepts_alive_whole in H. cbv zeta in H. apply andb_prop in H. destruct H as [H A]. apply andb_prop in H. destruct H as [H E].
  apply andb_prop in H. destruct H as [H U]. apply andb_prop in H. destruct H as [W B]. destruct (net_check_means n _ _ _ c A) as [S R].
  split; [apply forms_well_sound, W|]. split; [apply begins_sound, B|]. split; [trivial|].
  intros s v Re. destruct (R _ _ Re) as ((s' & v' & C & I & G) & F).
  rewrite forallb_forall in E. destruct (parts n _ _ f c A) as (_ & Sf & _).
  assert (Sg : forall r, In r (c_renamings c) -> symmetry n r g = true) by (intros r Ir; specialize (E r Ir); apply andb_prop in E; tauto).
  assert (Su : forall r, In r (c_renamings c) -> symmetry n (undone r) g = true) by (intros r Ir; specialize (E r Ir); apply andb_prop in E; tauto).
  assert (G' : ~ met (either (clauses n true s' f) (both (clauses n true s' g) (dead n (table n) s'))) v') by exact G.
  split; [|split; [|trivial]].
  - apply (chain_query n f _ Sf _ _ _ _ C). destruct (clauses_sound n s' v' f true) as [M|M]; [exfalso; apply G', met_either; auto|exact M].
  - destruct (clauses_sound n s' v' g true) as [M|M]; [right|left; exact (chain_query n g _ Sg _ _ _ _ C M)].
    apply (chain_alive n g _ Sg g _ _ _ _ Su C), (dead_sound n U); [|apply I|eapply chain_invariant; eauto; eapply reachable_holds; eauto].
    intro X. apply G', met_either. right. apply met_both; [exact M|exact X].
Qed.
End Certificates.
