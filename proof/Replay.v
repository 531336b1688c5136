(* The replayer of runs: if it accepts one, the formula holds in a reachable state. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Reduced Partial Forget.
Import ListNotations.
Open Scope Z_scope.

Section Replay.
Variable n : net.
Variable D : positive.               (* times are fractions with this denominator *)

(* Clocks that are not in the list are never set: they show the time. *)
Record moment := Moment { r_state : state; r_clocks : list Z; r_time : Z }.
Definition ticks (r : moment) (x : nat) : Z := match x with O => 0 | S k => nth k (r_clocks r) (r_time r) end.
Definition rval (r : moment) : valuation := fun k => (nth k (r_clocks r) (r_time r) # D)%Q.

Lemma rval_ticks r x : (val (rval r) x == (ticks r x # D))%Q.
Proof. destruct x; simpl; [unfold Qeq; simpl; lia|reflexivity]. Qed.

Lemma and_iff_compat A B C E : (A <-> B) -> (C <-> E) -> (A /\ C <-> B /\ E).
Proof. tauto. Qed.
Definition is_b (b : bool) (r : moment) (a : atom) : bool :=
  match ask n (r_state r) a with
  | Plain t => Bool.eqb t b
  | Asks i j o c => Bool.eqb (compare o (ticks r i - ticks r j) (c * Zpos D)) b
  | Wrong => false
  end.
Fixpoint decided_b (b : bool) (r : moment) (f : formula) : bool :=
  match f with
  | FAtom a => is_b b r a
  | FNot f => decided_b (negb b) r f
  | FAnd f g => if b then decided_b b r f && decided_b b r g else decided_b b r f || decided_b b r g
  | FOr f g => if b then decided_b b r f || decided_b b r g else decided_b b r f && decided_b b r g
  end.
Definition holds_b (r : moment) (g : list atom) : bool := forallb (is_b true r) g.

Lemma frac_lt a b : ((a # D) < (b # D))%Q <-> a < b.
Proof. unfold Qlt; simpl. split; intro H; nia. Qed.
Lemma frac_le a b : ((a # D) <= (b # D))%Q <-> a <= b.
Proof. unfold Qle; simpl. split; intro H; nia. Qed.
Lemma frac_sub a b : ((a # D) - (b # D) == (a - b # D))%Q.
Proof. unfold Qeq, Qminus, Qplus, Qopp; simpl. rewrite Pos2Z.inj_mul. ring. Qed.
Lemma frac_add a b : ((a # D) + (b # D) == (a + b # D))%Q.
Proof. unfold Qeq, Qplus; simpl. rewrite Pos2Z.inj_mul. ring. Qed.
Lemma frac_whole c : (inject_Z c == (c * Zpos D # D))%Q.
Proof. unfold Qeq; simpl. ring. Qed.

Lemma compare_frac o a b : if compare o a b then clock_compare o (a # D) (b # D) else ~ clock_compare o (a # D) (b # D).
Proof.
  pose proof (frac_lt a b); pose proof (frac_lt b a); pose proof (frac_le a b); pose proof (frac_le b a).
  assert (E : ((a # D) == (b # D))%Q <-> a = b).
  { split; intro X; [apply Z.le_antisymm; [apply frac_le|apply frac_le]; rewrite X; apply Qle_refl|subst; reflexivity]. }
  destruct o; simpl; unfold Qeq in *; simpl in *.
  - destruct (Z.eqb_spec a b); tauto.
  - destruct (Z.eqb_spec a b); simpl; tauto.
  - destruct (Z.ltb_spec a b); [tauto|]. intro X. apply H in X. lia.
  - destruct (Z.leb_spec a b); [tauto|]. intro X. apply H1 in X. lia.
  - destruct (Z.ltb_spec b a); [tauto|]. intro X. apply H0 in X. lia.
  - destruct (Z.leb_spec b a); [tauto|]. intro X. apply H2 in X. lia.
Qed.

Lemma clock_compare_eq o d d' c c' : (d == d')%Q -> (c == c')%Q -> clock_compare o d c -> clock_compare o d' c'.
Proof. intros A B. destruct o; simpl; intro H; rewrite <- ?A, <- ?B; try exact H. Qed.

Lemma is_b_sound b r a : is_b b r a = true -> is n b (r_state r) (rval r) a.
Proof.
  unfold is_b, is. destruct (ask n (r_state r) a) as [t|i j o c|]; [| |discriminate].
  - intro H. apply eqb_prop in H. exact H.
  - intro H. apply eqb_prop in H. pose proof (compare_frac o (ticks r i - ticks r j) (c * Zpos D)) as C.
    assert (E : (val (rval r) i - val (rval r) j == (ticks r i - ticks r j # D))%Q)
      by (rewrite !rval_ticks; apply frac_sub).
    pose proof (frac_whole c) as F. rewrite H in C. destruct b.
    + eapply clock_compare_eq; [symmetry; exact E|symmetry; exact F|exact C].
    + intro X. apply C. eapply clock_compare_eq; [exact E|exact F|exact X].
Qed.
Lemma holds_b_sound r g : holds_b r g = true -> holds n (r_state r) (rval r) g.
Proof. intros H a I. unfold holds_b in H. rewrite forallb_forall in H. apply is_b_sound; auto. Qed.
Lemma decided_b_sound r f : forall b, decided_b b r f = true -> decided n b (r_state r) (rval r) f.
Proof.
  induction f as [a|f IH|f IHf g IHg|f IHf g IHg]; intros b H; simpl in *.
  - apply is_b_sound; trivial.
  - apply IH; trivial.
  - destruct b; [apply andb_prop in H; destruct H|apply orb_prop in H; destruct H]; auto.
  - destruct b; [apply orb_prop in H; destruct H|apply andb_prop in H; destruct H]; auto.
Qed.

(* ---- Delay ---- *)

Definition wait (d : Z) (r : moment) : moment := Moment (r_state r) (map (fun z => z + d) (r_clocks r)) (r_time r + d).
(* Some clocks stand still; k is the name of the first. *)
Fixpoint moved_on (l : list nat) (d : Z) (k : nat) (zs : list Z) : list Z :=
  match zs with [] => [] | z :: zs => (if existsb (Nat.eqb k) l then z else z + d) :: moved_on l d (S k) zs end.
Definition onward (d : Z) (r : moment) : moment :=
  Moment (r_state r) (match stopped n (r_state r) with [] => map (fun z => z + d) (r_clocks r) | l => moved_on l d 1 (r_clocks r) end) (r_time r + d).
Lemma onward_wait d r : stopped n (r_state r) = [] -> onward d r = wait d r.
Proof. intro H. unfold onward. rewrite H. trivial. Qed.
Definition is_convex (s : state) (a : atom) : bool := match ask n s a with Asks _ _ Ne _ => false | _ => true end.
Definition check_wait (d : Z) (r : moment) : bool :=
  (d =? 0) ||
  (negb (rates_fail_b n (r_state r)) && (0 <=? d) && net_can_delay n (r_state r) && forallb (is_convex (r_state r)) (invariant n (r_state r)) &&
   forallb (fun x => (0 <? x)%nat && (x <=? length (r_clocks r))%nat) (stopped n (r_state r)) &&
   holds_b r (invariant n (r_state r)) && holds_b (onward d r) (invariant n (r_state r))).

Lemma rval_wait d r : same (rval (wait d r)) (delayed (d # D) (rval r)).
Proof.
  intro k. unfold rval, wait, delayed; simpl.
  change (r_time r + d) with ((fun z => z + d) (r_time r)). rewrite map_nth. symmetry. apply frac_add.
Qed.

Lemma moved_on_nth l d zs : forall k i t, nth i (moved_on l d k zs) (t + d) =
  if (i <? length zs)%nat && existsb (Nat.eqb (i + k)%nat) l then nth i zs t else nth i zs t + d.
Proof.
  induction zs as [|z zs IH]; intros k i t; [destruct i; reflexivity|]. destruct i as [|i]; cbn [moved_on nth length].
  - simpl. destruct (existsb _ l); trivial.
  - rewrite IH. rewrite Nat.add_succ_r. reflexivity.
Qed.
Lemma rval_onward d r : forallb (fun x => (0 <? x)%nat && (x <=? length (r_clocks r))%nat) (stopped n (r_state r)) = true ->
  same (rval (onward d r)) (after (stopped n (r_state r)) (d # D) (rval r)).
Proof.
  unfold onward. intros H k. destruct (stopped n (r_state r)) as [|x0 l0]; [apply (rval_wait d r k)|]. set (l := x0 :: l0) in *.
  unfold rval, after. cbn [r_clocks r_time]. rewrite moved_on_nth, Nat.add_1_r. destruct (existsb (Nat.eqb (S k)) l) eqn:E; [|rewrite andb_false_r; symmetry; apply frac_add].
  apply existsb_exists in E. destruct E as (x & I & E). apply Nat.eqb_eq in E. subst x. rewrite forallb_forall in H. specialize (H _ I).
  apply andb_prop in H. destruct H as [_ H]. apply Nat.leb_le in H. assert (L : (k <? length (r_clocks r))%nat = true) by (apply Nat.ltb_lt; lia).
  rewrite L. reflexivity.
Qed.

Lemma between l s v d e a : is_convex s a = true -> is n true s v a -> is n true s (after l d v) a ->
  (0 <= e)%Q -> (e <= d)%Q -> is n true s (after l e v) a.
Proof.
  unfold is_convex, is. destruct (ask n s a) as [t|i j o c|]; trivial. intros C A B P Q.
  destruct i as [|i], j as [|j], o; try discriminate C; simpl in *; unfold after in *;
    repeat match goal with |- context [existsb (Nat.eqb (S ?k)) l] => destruct (existsb (Nat.eqb (S k)) l) end; lra.
Qed.

Lemma can_delay_sound s : net_can_delay n s = true -> ~ rates_fail n s -> may_wait n s.
Proof.
  unfold net_can_delay. intros H F. split; [|exact F]. clear F. apply andb_prop in H. destruct H as [H U]. split; [|rewrite <- urged_iff; intro X; rewrite X in U; discriminate].
  clear U. intros p l P E.
  destruct (l_urgent l || l_committed l) eqn:U; [exfalso|apply orb_false_elim; trivial].
  assert (I : In tt (located n (fun l => if l_urgent l || l_committed l then [tt] else []) s)).
  { apply located_in. exists p, l. rewrite U. split; [trivial|split; [trivial|left; trivial]]. }
  destruct (located _ _ s); [destruct I|discriminate].
Qed.

Lemma holds_eq s v w g : same v w -> holds n s v g -> holds n s w g.
Proof. apply holds_same. Qed.

(* Reachable states do not depend on how a valuation is written. *)
Lemma negative_same us : forall v w, same v w -> negative us w -> negative us v.
Proof.
  induction us as [|u us IH]; intros v w S N; simpl in *; [trivial|].
  destruct N as [N|N]; [left; rewrite (same_val _ _ S (u_y u)); trivial|right].
  apply (IH _ (set1 u w)); trivial. intro k. unfold set1. destruct (u_x u) as [|m]; [apply S|].
  destruct (k =? m)%nat; [rewrite (same_val _ _ S (u_y u)); reflexivity|apply S].
Qed.
Lemma reachable_same s v w : same v w -> reachable n s v -> reachable n s w.
Proof.
  intros S R. destruct R as [s v A Z H|s v d v' R P E|s v s' v' R (es & us & J & G & O & F & N & E & H)].
  - apply reach_start; trivial; [intro k; rewrite <- (S k); apply Z|eapply holds_eq; eauto].
  - eapply reach_wait; eauto. intro k. rewrite <- (S k). apply E.
  - eapply reach_step; [exact R|]. exists es, us. repeat (split; trivial); [intro k; rewrite <- (S k); apply E|eapply holds_eq; eauto].
Qed.

Lemma rval_passed d r : check_wait d r = true -> same (rval (onward d r)) (after (stopped n (r_state r)) (d # D) (rval r)).
Proof.
  intro C. apply orb_prop in C. destruct C as [C|C].
  - apply Z.eqb_eq in C. subst d. assert (M : forall l zs k, moved_on l 0 k zs = zs).
    { intros l zs. induction zs as [|z zs IH]; intro k; cbn [moved_on]; [trivial|]. rewrite IH. destruct (existsb _ l); f_equal. lia. }
    assert (W : onward 0 r = wait 0 r \/ onward 0 r = Moment (r_state r) (r_clocks r) (r_time r + 0)).
    { unfold onward. destruct (stopped n (r_state r)); [auto|right]. rewrite M. trivial. }
    assert (E : same (rval (onward 0 r)) (rval r)).
    { destruct W as [-> | ->]; intro k.
      - rewrite (rval_wait 0 r k). unfold delayed. assert (Z0 : (0 # D == 0)%Q) by reflexivity. rewrite Z0. lra.
      - unfold rval. cbn [r_clocks r_time]. rewrite Z.add_0_r. reflexivity. }
    intro k. rewrite (E k). unfold after. assert (Z0 : (0 # D == 0)%Q) by reflexivity. destruct (existsb _ _); [reflexivity|rewrite Z0; lra].
  - apply rval_onward. do 2 (apply andb_prop in C; destruct C as [C _]). apply andb_prop in C. tauto.
Qed.
Lemma wait_passes d r : check_wait d r = true -> holds n (r_state r) (rval r) (invariant n (r_state r)) ->
  passes n (r_state r) (rval r) (d # D)%Q.
Proof.
  intros C H. pose proof (rval_passed d r C) as Rp. apply orb_prop in C. destruct C as [C|C].
  - apply Z.eqb_eq in C. subst d. assert (E0 : (0 # D == 0)%Q) by reflexivity.
    split; [rewrite E0; lra|]. split; [left; exact E0|]. intros e P Q. apply holds_eq with (rval r); [|exact H].
    intro k. unfold after. destruct (existsb _ _); [reflexivity|]. rewrite E0 in Q. lra.
  - apply andb_prop in C. destruct C as [C C5]. apply andb_prop in C. destruct C as [C C4]. apply andb_prop in C. destruct C as [C _].
    apply andb_prop in C. destruct C as [C C3]. apply andb_prop in C. destruct C as [C C2]. apply andb_prop in C. destruct C as [C0 C1].
    apply Z.leb_le in C1. rewrite forallb_forall in C3. split; [|split].
    + unfold Qle; simpl. lia.
    + right. apply can_delay_sound; [trivial|]. intro X. apply rates_fail_sound in X. rewrite X in C0. discriminate.
    + apply holds_b_sound in C4. apply holds_b_sound in C5. apply (holds_eq _ _ _ _ Rp) in C5.
      intros e P Q a I. eapply between; [apply C3; trivial|apply C4; trivial|apply C5; trivial|trivial|trivial].
Qed.
Lemma reachable_holds s v : reachable n s v -> holds n s v (invariant n s).
Proof.
  induction 1 as [s v S Z H|s v d v' R IH (P & W & H) S|s v s' v' R IH (es & us & J & G & Ro & F & Nn & S & H)]; trivial.
  apply holds_same with (after (stopped n s) d v); [intro k; symmetry; apply S|]. apply H; lra.
Qed.
Lemma wait_sound d r : check_wait d r = true -> reachable n (r_state r) (rval r) ->
  reachable n (r_state r) (rval (onward d r)).
Proof.
  intros C R. apply reach_wait with (rval r) (d # D)%Q; [trivial| |apply rval_passed; trivial].
  apply wait_passes; [trivial|apply reachable_holds; trivial].
Qed.

(* ---- Steps ---- *)

Fixpoint set_nth {A} (l : list A) (k : nat) (z : A) : list A :=
  match l, k with [], _ => [] | _ :: l, O => z :: l | a :: l, S k => a :: set_nth l k z end.
Lemma nth_set {A} (l : list A) : forall k z i d, (k < length l)%nat -> nth i (set_nth l k z) d = if (i =? k)%nat then z else nth i l d.
Proof.
  induction l as [|a l IH]; intros k z i d L; simpl in L; [lia|].
  destruct k as [|k], i as [|i]; simpl; trivial. apply IH; lia.
Qed.

Definition set_clock (u : upd) (r : moment) : option moment :=
  let z := ticks r (u_y u) + u_c u * Zpos D in
  match u_x u with
  | O => None
  | S k => if (0 <=? z) && (k <? length (r_clocks r))%nat
           then Some (Moment (r_state r) (set_nth (r_clocks r) k z) (r_time r)) else None
  end.
Fixpoint set_clocks (us : list upd) (r : moment) : option moment :=
  match us with
  | [] => Some r
  | u :: us => match set_clock u r with None => None | Some r' => set_clocks us r' end
  end.

Lemma set_clock_value u r : (val (rval r) (u_y u) + inject_Z (u_c u) == (ticks r (u_y u) + u_c u * Zpos D # D))%Q.
Proof. rewrite rval_ticks, frac_whole. apply frac_add. Qed.
Lemma set_clocks_sound us : forall r r', set_clocks us r = Some r' ->
  ~ negative us (rval r) /\ same (rval r') (set_all us (rval r)).
Proof.
  induction us as [|u us IH]; intros r r' E; simpl in E.
  - injection E as <-. split; [intros []|intro k; reflexivity].
  - destruct (set_clock u r) as [r1|] eqn:E1; [|discriminate]. destruct (IH _ _ E) as [N S].
    pose proof (set_clock_value u r) as V. unfold set_clock in E1.
    destruct (u_x u) as [|k] eqn:X; [discriminate|].
    destruct ((0 <=? _) && _) eqn:C; [|discriminate]. injection E1 as <-.
    apply andb_prop in C. destruct C as [C1 C2]. apply Z.leb_le in C1. apply Nat.ltb_lt in C2.
    set (z := ticks r (u_y u) + u_c u * Zpos D) in *.
    assert (S1 : same (rval (Moment (r_state r) (set_nth (r_clocks r) k z) (r_time r))) (set1 u (rval r))).
    { intro i. unfold rval, set1. rewrite X. cbn [r_clocks r_time]. rewrite nth_set by trivial.
      destruct (i =? k)%nat; [|reflexivity]. symmetry. exact V. }
    split.
    + simpl. intros [L|L].
      * rewrite V in L. change 0%Q with (0 # 1)%Q in L. unfold Qlt in L; simpl in L. lia.
      * apply N. eapply negative_same; [|exact L]. intro i. apply S1.
    + intro i. rewrite (S i). unfold set_all. simpl. fold (set_all us).
      assert (G : forall us v w, same v w -> same (set_all us v) (set_all us w)).
      { clear. induction us as [|u us IH]; intros v w S; [exact S|]. simpl. apply IH.
        intro k. unfold set1. destruct (u_x u) as [|m]; [apply S|]. destruct (k =? m)%nat; [|apply S].
        rewrite (same_val _ _ S (u_y u)). reflexivity. }
      apply (G us _ _ S1).
Qed.

(* ---- Joint transitions: those of the list are some ---- *)

Lemma is_b_complete b r a : is n b (r_state r) (rval r) a -> is_b b r a = true.
Proof.
  unfold is_b, is. destruct (ask n (r_state r) a) as [t|i j o c|]; [| |tauto].
  - intros <-. apply Bool.eqb_reflx.
  - pose proof (compare_frac o (ticks r i - ticks r j) (c * Zpos D)) as C.
    assert (E : (val (rval r) i - val (rval r) j == (ticks r i - ticks r j # D))%Q)
      by (rewrite !rval_ticks; apply frac_sub).
    pose proof (frac_whole c) as F. destruct (compare o (ticks r i - ticks r j) (c * Zpos D)), b; trivial; intro X; exfalso.
    + apply X. eapply clock_compare_eq; [symmetry; exact E|symmetry; exact F|exact C].
    + apply C. eapply clock_compare_eq; [exact E|exact F|exact X].
Qed.
Lemma is_b_iff b r a : is_b b r a = true <-> is n b (r_state r) (rval r) a.
Proof. split; [apply is_b_sound|apply is_b_complete]. Qed.
Fixpoint wrong_first (r : moment) (g : list atom) : bool :=
  match g with
  | [] => false
  | a :: g => match ask n (r_state r) a with Wrong => true | _ => negb (is_b false r a) && wrong_first r g end
  end.
Definition errs_b (r : moment) (g : list atom) : bool := forallb (fun a => negb (simple a && is_b false r a)) g && wrong_first r g.
Lemma errs_b_iff r g : errs_b r g = true <-> errs n (r_state r) (is n false (r_state r) (rval r)) g.
Proof.
  unfold errs_b, errs. rewrite andb_true_iff. apply and_iff_compat.
  - rewrite forallb_forall. split; intros H a I.
    + intros S F. apply is_b_iff in F. specialize (H a I). rewrite S, F in H. discriminate.
    + apply negb_true_iff, not_true_iff_false. intro X. apply andb_prop in X. destruct X as [S F]. apply is_b_iff in F. exact (H a I S F).
  - induction g as [|a g IH]; simpl; [split; [discriminate|intros (before & a & after & E & _); destruct before; discriminate]|].
    assert (W : ask n (r_state r) a = Wrong \/ ask n (r_state r) a <> Wrong) by (destruct (ask n (r_state r) a); [right|right|left]; congruence).
    destruct W as [W|W].
    + rewrite W. split; [intros _; exists [], a, g; split; [trivial|split; [trivial|intros b []]]|trivial].
    + assert (Q : match ask n (r_state r) a with Wrong => true | _ => negb (is_b false r a) && wrong_first r g end = negb (is_b false r a) && wrong_first r g)
        by (destruct (ask n (r_state r) a); congruence). rewrite Q, andb_true_iff, IH, negb_true_iff, <- not_true_iff_false, is_b_iff. split.
      * intros [F (before & x & after & E & Wx & N)]. exists (a :: before), x, after. subst g. split; [trivial|split; [trivial|]]. intros b [<-|I]; auto.
      * intros ([|b before] & x & after & E & Wx & N); simpl in E; injection E as -> ->; [congruence|]. split; [apply N; left; trivial|].
        exists before, x, after. split; [trivial|split; [trivial|]]. intros; apply N; right; trivial.
Qed.
Definition refuses_b (r : moment) (e : edge) : bool := existsb (is_b false r) (e_guard e) && negb (errs_b r (e_guard e)).
Lemma refuses_b_iff r e : refuses_b r e = true <-> refuses n (r_state r) (rval r) e.
Proof.
  unfold refuses_b, refuses. rewrite andb_true_iff, existsb_exists, negb_true_iff, <- not_true_iff_false, errs_b_iff.
  apply and_iff_compat; [|reflexivity]. split; intros (a & I & H); exists a; (split; [trivial|]); apply is_b_iff; trivial.
Qed.
Definition outranked_b (t : list (list (list edge))) (r : moment) (es : list edge) : bool :=
  has_ranks n &&
  existsb (fun o => higher n (o_edges o) es && (holds_b r (guard (o_edges o)) || errs_b r (guard (o_edges o))) && forallb (refuses_b r) (o_out o))
          (offers n t (r_state r)).
Lemma nonneg_b r : forallb (fun z => 0 <=? z) (r_clocks r) && (0 <=? r_time r) = true -> nonneg (rval r).
Proof.
  intro H. apply andb_prop in H. destruct H as [H T]. rewrite forallb_forall in H. intro k. unfold rval. apply Z.leb_le in T.
  destruct (nth_in_or_default k (r_clocks r) (r_time r)) as [I|I]; [specialize (H _ I); apply Z.leb_le in H|rewrite I];
    unfold Qle; simpl; lia.
Qed.
Lemma outranked_b_sound r es : nonneg (rval r) -> es <> [] -> outranked_b (table n) r es = false -> ~ outranked n (r_state r) (rval r) es.
Proof.
  intros Nn N H (es' & J & G & Hi). unfold outranked_b in H. destruct (has_ranks n) eqn:R; [|rewrite (no_ranks n es es' R N) in Hi; discriminate].
  cbn [andb] in H.
  assert (Si : forall a, In a (guard es') -> simple a = true -> ~ is n false (r_state r) (rval r) a) by (destruct G as [G|[G _]]; [exact (not_false_holds n _ _ _ G)|exact G]).
  destruct (joint_offer n (r_state r) (rval r) es' Nn J Si) as (o & I & E & _ & O).
  assert (X : existsb (fun o => higher n (o_edges o) es && (holds_b r (guard (o_edges o)) || errs_b r (guard (o_edges o))) && forallb (refuses_b r) (o_out o))
                      (offers n (table n) (r_state r)) = true).
  { apply existsb_exists. exists o. split; [trivial|]. rewrite E, Hi. cbn [andb]. apply andb_true_intro. split.
    - apply orb_true_iff. destruct G as [G|G]; [left|right; apply errs_b_iff; exact G].
      unfold holds_b. apply forallb_forall. intros a A. apply is_b_complete. auto.
    - apply forallb_forall. intros e Ie. apply refuses_b_iff. auto. }
  congruence.
Qed.

Definition step (t : list (list (list edge))) (d : Z) (k : nat) (r : moment) : option moment :=
  if check_wait d r then
    let r1 := onward d r in
    match nth_error (joints n t (r_state r1)) k with
    | None => None
    | Some o =>
      let es := o_edges o in
      if holds_b r1 (guard es) && forallb (refuses_b r1) (o_out o) && negb (is_nil es) && negb (outranked_b t r1 es) &&
         (forallb (fun z => 0 <=? z) (r_clocks r1) && (0 <=? r_time r1)) then
        match fire n (r_state r1) es with
        | Ok (s', us) =>
          match set_clocks us r1 with
          | None => None
          | Some r2 =>
            let r3 := Moment s' (r_clocks r2) (r_time r2) in
            if holds_b r3 (invariant n s') then Some r3 else None
          end
        | _ => None
        end
      else None
    end
  else None.

Lemma step_takes d k r r' : step (table n) d k r = Some r' ->
  check_wait d r = true /\ takes n (r_state r) (rval (onward d r)) (r_state r') (rval r').
Proof.
  unfold step. intros E. destruct (check_wait d r) eqn:W; [|discriminate]. split; [trivial|].
  set (r1 := onward d r) in *. destruct (nth_error (joints n (table n) (r_state r1)) k) as [o|] eqn:J; [|discriminate].
  apply nth_error_In in J. apply joints_offer in J. destruct J as (o' & J & Ee & Eo). cbv zeta in E.
  destruct (_ && _) eqn:G in E; [|discriminate]. apply andb_prop in G. destruct G as [G Nn]. apply nonneg_b in Nn.
  apply andb_prop in G. destruct G as [G Ro]. apply negb_true_iff in Ro. apply andb_prop in G. destruct G as [G Ne].
  apply andb_prop in G. destruct G as [G Out]. apply holds_b_sound in G. rewrite <- Ee in *. rewrite <- Eo in Out.
  apply outranked_b_sound in Ro; [|trivial|destruct (o_edges o'); [discriminate|discriminate]].
  apply (offer_joint n _ (rval r1)) in J; [|trivial|intros e Ie; apply refuses_b_iff; rewrite forallb_forall in Out; auto].
  set (es := o_edges o') in *.
  destruct (fire n (r_state r1) es) as [| |[s' us]] eqn:F; try discriminate.
  destruct (set_clocks us r1) as [r2|] eqn:S; [|discriminate]. destruct (set_clocks_sound _ _ _ S) as [N Sa].
  destruct (holds_b _ _) eqn:H; [|discriminate]. injection E as <-. apply holds_b_sound in H. cbn [r_state] in *.
  exists es, us. auto 12.
Qed.
Lemma step_sound d k r r' : step (table n) d k r = Some r' -> reachable n (r_state r) (rval r) ->
  reachable n (r_state r') (rval r').
Proof. intros E R. destruct (step_takes _ _ _ _ E) as [W T]. eapply reach_step; [exact (wait_sound _ _ W R)|exact T]. Qed.

(* Delays and joint transitions; the last delay leads to the goal. *)
Fixpoint steps (t : list (list (list edge))) (l : list (Z * nat)) (r : moment) : option moment :=
  match l with
  | [] => Some r
  | (d, k) :: l => match step t d k r with None => None | Some r' => steps t l r' end
  end.
Definition start (clocks : nat) (k : nat) : option moment :=
  match nth_error (net_initial n) k with
  | None => None
  | Some s =>
    let r := Moment s (repeat 0 clocks) 0 in if holds_b r (invariant n s) then Some r else None
  end.
Definition replay (q : formula) (clocks k : nat) (l : list (Z * nat)) (last : Z) : bool :=
  match start clocks k with
  | None => false
  | Some r =>
    match steps (table n) l r with
    | None => false
    | Some r' => check_wait last r' && decided_b true (onward last r') q
    end
  end.

Lemma initial_starts s : In s (net_initial n) -> starts n s.
Proof.
  unfold net_initial. intro I. apply in_map_iff in I. destruct I as (l & <- & I). split; [reflexivity|]. simpl.
  revert l I. generalize (n_processes n) as pss. induction pss as [|ls pss IH]; intros l I; simpl in I.
  - destruct I as [<-|[]]. constructor.
  - apply in_flat_map in I. destruct I as (x & X & I). apply in_map_iff in I. destruct I as (l' & <- & I).
    apply filter_In in X. destruct X as [_ X]. constructor; [|apply IH; trivial].
    destruct (nth_error ls x) as [y|]; [eauto|discriminate].
Qed.

Lemma start_sound clocks k r : start clocks k = Some r -> reachable n (r_state r) (rval r).
Proof.
  unfold start. destruct (nth_error (net_initial n) k) as [s|] eqn:E; [|discriminate].
  destruct (holds_b _ _) eqn:H; [|discriminate]. intro S. injection S as <-. apply reach_start.
  - apply initial_starts. eapply nth_error_In; eauto.
  - intro i. unfold rval; simpl. assert (Z : nth i (repeat 0 clocks) 0 = 0) by apply nth_repeat. rewrite Z. reflexivity.
  - apply holds_b_sound in H. exact H.
Qed.

Theorem replay_correct q clocks k l last : replay q clocks k l last = true ->
  exists s v, reachable n s v /\ decided n true s v q.
Proof.
  unfold replay. destruct (start clocks k) as [r|] eqn:S; [|discriminate].
  assert (R : reachable n (r_state r) (rval r)) by (eapply start_sound; eauto).
  clear S. revert r R. induction l as [|[d j] l IH]; intros r R; simpl.
  - intro H. apply andb_prop in H. destruct H as [W Q]. exists (r_state r), (rval (onward last r)).
    split; [apply wait_sound; trivial|]. apply (decided_b_sound (onward last r)). exact Q.
  - destruct (step (table n) d j r) as [r'|] eqn:E; [|discriminate]. apply IH. eapply step_sound; eauto.
Qed.
End Replay.

(* What holds of all states holds of none, too. So certificates are only accepted of networks that
   have a state: some initial one meets its invariant with all clocks at 0. *)
Definition begins (n : net) : bool :=
  existsb (fun k => match start n 1 0 k with None => false | Some _ => true end) (seq 0 (length (net_initial n))).
Lemma begins_sound n : begins n = true -> exists s v, reachable n s v.
Proof.
  intro H. apply existsb_exists in H. destruct H as (k & _ & H).
  destruct (start n 1 0 k) as [r|] eqn:S; [|discriminate]. do 2 eexists. eapply start_sound; eauto.
Qed.

(* The numbers in the network are right. *)
Definition forms_well (n : net) : bool :=
  forallb (fun p => let ls := nth p (n_processes n) [] in
    forallb (fun l => forallb (fun e => (e_process e =? p)%nat && (e_target e <? length ls)%nat) (l_out l)) ls) (processes n) &&
  forallb (fun ps => forallb (fun a => (p_process a <? length (n_processes n))%nat) ps && distinct (map p_process ps)) (n_syncs n) &&
  forallb (fun v => (v_low v <=? v_init v) && (v_init v <=? v_high v)) (n_variables n) &&
  forallb (forallb (fun l => forallb (fun e => negb (existsb (Nat.eqb (e_event e)) (n_urgent n)) ||
    forallb (fun a => match a with AInt _ => true | _ => false end) (e_guard e)) (l_out l))) (n_processes n).
Lemma forms_well_sound n : forms_well n = true -> well_formed n.
Proof.
  unfold forms_well. intro H. apply andb_prop in H. destruct H as [H Ur]. apply andb_prop in H. destruct H as [H V]. apply andb_prop in H. destruct H as [E S].
  rewrite forallb_forall in E, S, V. constructor.
  - intros p ls l e P L I. specialize (E p). unfold processes in E. rewrite in_seq in E.
    assert (B : (p < length (n_processes n))%nat) by (apply nth_error_Some; congruence). specialize (E ltac:(lia)).
    cbv zeta in E. rewrite (nth_error_nth _ _ _ P) in E. rewrite forallb_forall in E. specialize (E _ L).
    rewrite forallb_forall in E. specialize (E _ I). apply andb_prop in E. destruct E as [A C].
    apply Nat.eqb_eq in A. apply Nat.ltb_lt in C. auto.
  - intros ps a P A. specialize (S _ P). apply andb_prop in S. destruct S as [S _]. rewrite forallb_forall in S.
    apply Nat.ltb_lt. auto.
  - intros ps P. specialize (S _ P). apply andb_prop in S. destruct S as [_ S]. apply distinct_nodup. trivial.
  - intros v I. specialize (V _ I). apply andb_prop in V. destruct V as [A B]. apply Z.leb_le in A, B. auto.
  - intros p ls l e a P L I U A. rewrite forallb_forall in Ur. specialize (Ur _ (nth_error_In _ _ P)). rewrite forallb_forall in Ur. specialize (Ur _ L).
    rewrite forallb_forall in Ur. specialize (Ur _ I). apply orb_prop in Ur. destruct Ur as [X|X].
    + apply negb_true_iff in X. assert (Y : existsb (Nat.eqb (e_event e)) (n_urgent n) = true) by (apply existsb_exists; exists (e_event e); split; [trivial|apply Nat.eqb_refl]). congruence.
    + rewrite forallb_forall in X. specialize (X _ A). destruct a; try discriminate. eauto.
Qed.

Definition accepts (n : net) (q : formula) (c : certificate) : bool :=
  forms_well n && begins n &&
  match c_sets c, c_dead c with
  | None, None => net_check n q c
  | Some sets, None => reduced_check n sets q c
  | None, Some dead => forget_check n dead q c
  | Some sets, Some dead => forget_sets n dead sets q c
  end.
Theorem accepts_correct n q c : accepts n q c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  forall s v, reachable n s v -> decided n false s v q /\ ~ step_fails n s v.
Proof.
  intro H. apply andb_prop in H. destruct H as [H C]. apply andb_prop in H. destruct H as [W B].
  split; [apply forms_well_sound, W|]. split; [apply begins_sound, B|]. destruct (c_sets c) as [sets|], (c_dead c) as [dead|].
  - exact (forget_sets_correct n dead sets q c (forms_well_sound n W) C).
  - exact (reduced_correct n (forms_well_sound n W) sets q c C).
  - exact (forget_correct n dead q c (forms_well_sound n W) C).
  - exact (net_check_correct n q c C).
Qed.

Definition accepts_run (n : net) (denominator : positive) (q : formula)
    (clocks first : nat) (steps : list (Z * nat)) (last : Z) : bool :=
  forms_well n && replay n denominator q clocks first steps last.
Theorem accepts_run_correct n denominator q clocks first steps last :
  accepts_run n denominator q clocks first steps last = true ->
  well_formed n /\ exists s v, reachable n s v /\ decided n true s v q.
Proof.
  intro H. apply andb_prop in H. destruct H as [W R]. split; [apply forms_well_sound, W|].
  exact (replay_correct n denominator q clocks first steps last R).
Qed.
