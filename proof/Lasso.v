(* Infinite runs: if the replayer accepts one, there is one as asked (RunSpec.v).

   A run comes by joint transitions to where it ends, or to a part that repeats. There it ends for ever: time passes, or
   nothing can happen any more. Clocks that the repeating part does not set grow by the same amount in each round. So what is
   replayed are lines: the value of a clock is a + k b in round k. A test has to be true for all k. Or the part repeats at other
   times in each round (Rounds.v). *)
From Coq Require Import List ZArith NArith QArith Qround Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Replay Alive RunSpec Rounds.
Import ListNotations.
Open Scope Z_scope.

(* ---- Numbers on a line: b + k s o c for all k that are not negative ---- *)

Definition compare_all (o : cmp) (b s c : Z) : bool :=
  if s =? 0 then compare o b c
  else match o with
       | Gt | Ge => (0 <? s) && compare o b c
       | Lt | Le => (s <? 0) && compare o b c
       | Ne => if 0 <? s then c <? b else b <? c
       | Eq => false
       end.
Lemma compare_all_sound o b s c k : compare_all o b s c = true -> 0 <= k -> compare o (b + k * s) c = true.
Proof.
  unfold compare_all. intros H K. destruct (Z.eqb_spec s 0) as [->|N]; [rewrite Z.mul_0_r, Z.add_0_r; exact H|].
  destruct o; simpl in *; try discriminate.
  - apply negb_true_iff, Z.eqb_neq. destruct (Z.ltb_spec 0 s); apply Z.ltb_lt in H; nia.
  - apply andb_prop in H. destruct H as [A B]. apply Z.ltb_lt in A, B. apply Z.ltb_lt. nia.
  - apply andb_prop in H. destruct H as [A B]. apply Z.ltb_lt in A. apply Z.leb_le in B. apply Z.leb_le. nia.
  - apply andb_prop in H. destruct H as [A B]. apply Z.ltb_lt in A, B. apply Z.ltb_lt. nia.
  - apply andb_prop in H. destruct H as [A B]. apply Z.ltb_lt in A. apply Z.leb_le in B. apply Z.leb_le. nia.
Qed.
Lemma compare_opposite o a c : compare (opposite o) a c = negb (compare o a c).
Proof.
  destruct o; simpl; rewrite ?negb_involutive; trivial;
    [destruct (Z.leb_spec c a), (Z.ltb_spec a c)|destruct (Z.ltb_spec c a), (Z.leb_spec a c)|
     destruct (Z.leb_spec a c), (Z.ltb_spec c a)|destruct (Z.ltb_spec a c), (Z.leb_spec c a)]; trivial; lia.
Qed.

(* ---- Valuations that are equal ---- *)

Section Same.
Variable n : net.
Lemma is_same b s v w a : same v w -> is n b s v a -> is n b s w a.
Proof.
  intros S H. unfold is in *. destruct (ask n s a) as [t|i j o c|]; trivial.
  assert (E : (val v i - val v j == val w i - val w j)%Q) by (rewrite (same_val _ _ S i), (same_val _ _ S j); reflexivity).
  destruct b; [|intro X; apply H]; (eapply clock_compare_eq; [|reflexivity|eassumption]); [exact E|symmetry; exact E].
Qed.
Lemma same_back v w : same v w -> same w v.
Proof. intros S k. symmetry. apply S. Qed.
Lemma decided_same f : forall b s v w, same v w -> decided n b s v f -> decided n b s w f.
Proof.
  induction f as [a|f IH|f IHf g IHg|f IHf g IHg]; intros b s v w S H; simpl in *.
  - eapply is_same; eauto.
  - eapply IH; eauto.
  - destruct b; [destruct H; split|destruct H; [left|right]]; eauto.
  - destruct b; [destruct H; [left|right]|destruct H; split]; eauto.
Qed.
Lemma errs_same s v w g : same v w -> errs n s (is n false s w) g -> errs n s (is n false s v) g.
Proof.
  intros S [A (before & x & after & Eq & Wx & N)]. split.
  - intros b Ib Sb F. apply (A b Ib Sb). eapply is_same; eauto.
  - exists before, x, after. split; [trivial|split; [trivial|]]. intros b Ib F. apply (N b Ib). eapply is_same; eauto.
Qed.
Lemma refuses_same s v w e : same v w -> refuses n s v e -> refuses n s w e.
Proof.
  intros S [(a & I & H) E]. split; [exists a; split; [trivial|eapply is_same; eauto]|].
  intro X. apply E. eapply errs_same; eauto.
Qed.
Lemma joins_same s v w ps es : same v w -> joins n s v ps es -> joins n s w ps es.
Proof.
  intros S J. induction J as [|p ps e es H E R J IH|p ps es K H J IH]; [constructor| |].
  - apply joins_take; trivial. intros Q X. apply (R Q). eapply refuses_same; [apply same_back; exact S|exact X].
  - apply joins_skip; trivial. intros e I Q. destruct (H e I Q) as [A B]. split; [trivial|eapply refuses_same; eauto].
Qed.
Lemma joint_same s v w es : same v w -> joint n s v es -> joint n s w es.
Proof.
  intros S [[(ps & I & J & N)|X] C]; (split; [|exact C]); [left|right; exact X].
  exists ps. split; [trivial|split; [eapply joins_same; eauto|trivial]].
Qed.
Lemma set_all_same us : forall v w, same v w -> same (set_all us v) (set_all us w).
Proof.
  induction us as [|u us IH]; intros v w S; [exact S|]. simpl. apply IH.
  intro k. unfold set1. destruct (u_x u) as [|m]; [apply S|]. destruct (k =? m)%nat; [|apply S].
  rewrite (same_val _ _ S (u_y u)). reflexivity.
Qed.
Lemma takes_same s v w s' v' : same v w -> takes n s v s' v' -> takes n s w s' v'.
Proof.
  intros S (es & us & J & G & O & F & N & E & H). exists es, us.
  split; [eapply joint_same; eauto|]. split; [eapply holds_same; eauto|]. split.
  { intros (es' & J' & G' & Hi). apply O. exists es'. apply same_back in S.
    split; [eapply joint_same; eauto|split; [|trivial]].
    destruct G' as [G'|G']; [left; eapply holds_same; eauto|right; eapply errs_same; [apply same_back; exact S|exact G']]. }
  split; [trivial|]. split; [intro X; apply N; eapply negative_same; [|exact X]; apply S|]. split; [|trivial].
  intro k. rewrite (E k). apply (set_all_same us v w S k).
Qed.
Lemma delayed_same d e v w : (d == e)%Q -> same v w -> same (delayed d v) (delayed e w).
Proof. intros E S k. unfold delayed. rewrite (S k), E. reflexivity. Qed.
Lemma after_same l d v w : same v w -> same (after l d v) (after l d w).
Proof. intros S k. unfold after. destruct (existsb _ l); rewrite (S k); reflexivity. Qed.
Lemma passes_same s v w d : same v w -> passes n s v d -> passes n s w d.
Proof.
  intros S (P & W & H). split; [trivial|split; [trivial|]]. intros e A B. eapply holds_same; [|apply (H e A B)].
  apply after_same. trivial.
Qed.
Lemma alive_same s v w : same v w -> alive n s v -> alive n s w.
Proof.
  intros S (d & s' & v' & P & T). exists d, s', v'. split; [eapply passes_same; eauto|].
  eapply takes_same; [|exact T]. apply after_same. trivial.
Qed.
End Same.

Section Lasso.
Variable n : net.
Variable D : positive.
Variable claim : asks.
Hypothesis all_run : unrated n = true.
Lemma none s : stopped n s = [].
Proof. apply unrated_stopped, all_run. Qed.
Ltac all_clocks_run := rewrite ?none in *; change (after []) with delayed in *.
Let step := step n D.
Let rval := rval D.

(* ---- Lines ---- *)

Record line := Line { li_state : state; li_clocks : list (Z * Z); li_time : Z * Z }.
Definition value (k : Z) (p : Z * Z) : Z := fst p + k * snd p.
Definition along (k : Z) (l : line) : moment := Moment (li_state l) (map (value k) (li_clocks l)) (value k (li_time l)).
Definition track (l : line) (x : nat) : Z * Z := match x with O => (0, 0) | S k => nth k (li_clocks l) (li_time l) end.
Lemma ticks_along k l x : ticks (along k l) x = value k (track l x).
Proof. destruct x; simpl; [unfold value; simpl; lia|apply (map_nth (value k))]. Qed.

Definition always_b (b : bool) (l : line) (a : atom) : bool :=
  match ask n (li_state l) a with
  | Plain t => Bool.eqb t b
  | Asks i j o c =>
    let p := track l i in let q := track l j in
    compare_all (if b then o else opposite o) (fst p - fst q) (snd p - snd q) (c * Zpos D)
  | Wrong => false
  end.
Lemma always_b_sound b l a k : always_b b l a = true -> 0 <= k -> is_b n D b (along k l) a = true.
Proof.
  unfold always_b, is_b. cbn [along r_state]. destruct (ask n (li_state l) a) as [t|i j o c|]; trivial. cbv zeta. intros H K.
  apply (compare_all_sound _ _ _ _ k) in H; [|trivial]. fold (along k l). rewrite !ticks_along. unfold value.
  replace (fst (track l i) + k * snd (track l i) - (fst (track l j) + k * snd (track l j)))
    with (fst (track l i) - fst (track l j) + k * (snd (track l i) - snd (track l j))) by ring.
  destruct b; [rewrite H; trivial|]. rewrite compare_opposite in H. apply negb_true_iff in H. rewrite H. trivial.
Qed.

Definition holds_all (l : line) (g : list atom) : bool := forallb (always_b true l) g.
Lemma holds_all_sound l g k : holds_all l g = true -> 0 <= k -> holds_b n D (along k l) g = true.
Proof.
  unfold holds_all, holds_b. rewrite !forallb_forall. intros H K a I. apply always_b_sound; auto.
Qed.
Definition is_right (s : state) (a : atom) : bool := match ask n s a with Wrong => false | _ => true end.
Definition refuses_all (l : line) (e : edge) : bool := existsb (always_b false l) (e_guard e) && forallb (is_right (li_state l)) (e_guard e).
Lemma right_no_errs r g : forallb (is_right (r_state r)) g = true -> errs_b n D r g = false.
Proof.
  intro H. apply not_true_iff_false. intro E. apply errs_b_iff in E. destruct E as [_ (before & x & after & -> & W & _)].
  rewrite forallb_forall in H. specialize (H x ltac:(apply in_or_app; right; left; trivial)). unfold is_right in H. rewrite W in H. discriminate.
Qed.
Lemma refuses_all_sound l e k : refuses_all l e = true -> 0 <= k -> refuses_b n D (along k l) e = true.
Proof.
  unfold refuses_all, refuses_b. intros H K. apply andb_prop in H. destruct H as [H W]. rewrite (right_no_errs (along k l)) by exact W. rewrite andb_true_r.
  apply existsb_exists in H. destruct H as (a & I & H). apply existsb_exists. exists a. split; [trivial|apply always_b_sound; trivial].
Qed.
Fixpoint decided_all (b : bool) (l : line) (f : formula) : bool :=
  match f with
  | FAtom a => always_b b l a
  | FNot f => decided_all (negb b) l f
  | FAnd f g => if b then decided_all b l f && decided_all b l g else decided_all b l f || decided_all b l g
  | FOr f g => if b then decided_all b l f || decided_all b l g else decided_all b l f && decided_all b l g
  end.
Lemma decided_all_sound l k f : 0 <= k -> forall b, decided_all b l f = true -> decided_b n D b (along k l) f = true.
Proof.
  intro K. induction f as [a|f IH|f IHf g IHg|f IHf g IHg]; intros b H; simpl in *.
  - apply always_b_sound; trivial.
  - apply IH; trivial.
  - destruct b; [apply andb_prop in H; destruct H; apply andb_true_intro; auto|apply orb_prop in H; apply orb_true_iff; destruct H; auto].
  - destruct b; [apply orb_prop in H; apply orb_true_iff; destruct H; auto|apply andb_prop in H; destruct H; apply andb_true_intro; auto].
Qed.

(* ---- Delay ---- *)

Definition later (d : Z) (p : Z * Z) : Z * Z := (fst p + d, snd p).
Definition wait_line (d : Z) (l : line) : line := Line (li_state l) (map (later d) (li_clocks l)) (later d (li_time l)).
Lemma along_wait k d l : along k (wait_line d l) = wait d (along k l).
Proof.
  unfold along, wait, wait_line; cbn [li_state li_clocks li_time r_state r_clocks r_time]. rewrite !map_map. f_equal.
  - apply map_ext. intros [a b]. unfold value, later; simpl. ring.
  - destruct (li_time l). unfold value, later; simpl. ring.
Qed.
Definition check_wait_all (d : Z) (l : line) : bool :=
  (d =? 0) ||
  ((0 <=? d) && net_can_delay n (li_state l) && forallb (is_convex n (li_state l)) (invariant n (li_state l)) &&
   holds_all l (invariant n (li_state l)) && holds_all (wait_line d l) (invariant n (li_state l))).
Lemma unrated_rates_fail s : rates_fail_b n s = false.
Proof. unfold rates_fail_b. rewrite rates_at_rated, unrated_rated by exact all_run. reflexivity. Qed.
Lemma check_wait_all_sound d l k : check_wait_all d l = true -> 0 <= k -> check_wait n D d (along k l) = true.
Proof.
  unfold check_wait_all, check_wait. intros H K. apply orb_prop in H. apply orb_true_iff. destruct H as [H|H]; [auto|right].
  apply andb_prop in H. destruct H as [H B]. apply andb_prop in H. destruct H as [H A]. cbn [along r_state]. rewrite unrated_rates_fail. cbn [negb andb]. rewrite H. rewrite onward_wait by apply none. rewrite none. cbn [andb forallb].
  apply (holds_all_sound _ _ k) in A; trivial. apply (holds_all_sound _ _ k) in B; trivial. rewrite along_wait in B.
  apply andb_true_intro; auto.
Qed.

(* What is true at the beginning and at the end of a delay, and on the way; still: it is no delay. *)
Definition is_even (still b : bool) (s : state) (a : atom) : bool :=
  still || match ask n s a with Asks _ _ o _ => match b, o with true, Ne | false, Eq => false | _, _ => true end | _ => true end.
Definition stays_so (still b : bool) (l m : line) (a : atom) : bool := is_even still b (li_state l) a && always_b b l a && always_b b m a.
(* What is no equality stays so below, or above. *)
Definition sides (b : bool) (a : atom) : list atom :=
  match a with
  | AClock x y o c => match b, o with true, Ne | false, Eq => [AClock x y Lt c; AClock x y Gt c] | _, _ => [] end
  | _ => []
  end.
Lemma sides_sound b s v a a' : In a' (sides b a) -> is n true s v a' -> is n b s v a.
Proof.
  destruct a as [e|x y o c|e a]; try (intros []). unfold is. destruct b, o; intros I; try destruct I as [<-|[<-|[]]]; try destruct I; simpl;
    destruct (clock_of n s [] x), (clock_of n s [] y), (eval n s [] c); trivial; simpl; lra.
Qed.
Fixpoint throughout (still b : bool) (l m : line) (f : formula) : bool :=
  match f with
  | FAtom a => stays_so still b l m a || existsb (stays_so still true l m) (sides b a)
  | FNot f => throughout still (negb b) l m f
  | FAnd f g => if b then throughout still b l m f && throughout still b l m g else throughout still b l m f || throughout still b l m g
  | FOr f g => if b then throughout still b l m f || throughout still b l m g else throughout still b l m f && throughout still b l m g
  end.

Lemma between_both b s v d e a : is_even false b s a = true -> is n b s v a -> is n b s (delayed d v) a ->
  (0 <= e)%Q -> (e <= d)%Q -> is n b s (delayed e v) a.
Proof.
  unfold is_even, is. cbn [orb]. destruct (ask n s a) as [t|i j o c|]; trivial. intros C A B P Q.
  destruct i as [|i], j as [|j], b, o; try discriminate C; simpl in *; unfold delayed in *; lra.
Qed.
Lemma stays_so_sound still b k d l m a : 0 <= k -> li_state m = li_state l -> same (rval (along k m)) (delayed d (rval (along k l))) ->
  (still = true -> d == 0)%Q -> stays_so still b l m a = true ->
  forall e, (0 <= e)%Q -> (e <= d)%Q -> is n b (li_state l) (delayed e (rval (along k l))) a.
Proof.
  intros K Ls S Z H e P Q. unfold stays_so in H. apply andb_prop in H. destruct H as [H B]. apply andb_prop in H. destruct H as [C A].
  apply (always_b_sound _ _ _ k) in A; trivial. apply (always_b_sound _ _ _ k) in B; trivial.
  apply is_b_sound in A. apply is_b_sound in B. cbn [along r_state] in A, B. rewrite Ls in B.
  apply (is_same n b _ _ _ _ S) in B. fold (along k l) in A. destruct still.
  + eapply is_same; [|exact A]. intro x. unfold delayed. rewrite (Z eq_refl) in Q. unfold rval, along; simpl. lra.
  + eapply between_both; eauto.
Qed.
Lemma throughout_sound still k d l m f : 0 <= k -> li_state m = li_state l -> same (rval (along k m)) (delayed d (rval (along k l))) ->
  (still = true -> d == 0)%Q -> forall b, throughout still b l m f = true ->
  forall e, (0 <= e)%Q -> (e <= d)%Q -> decided n b (li_state l) (delayed e (rval (along k l))) f.
Proof.
  intros K Ls S Z. induction f as [a|f IH|f IHf g IHg|f IHf g IHg]; intros b H e P Q; simpl in *.
  - apply orb_prop in H. destruct H as [H|H]; [eapply stays_so_sound; eauto|].
    apply existsb_exists in H. destruct H as (a' & I & H). eapply sides_sound; [exact I|]. eapply stays_so_sound; eauto.
  - apply IH; trivial.
  - destruct b; [apply andb_prop in H; destruct H; split|apply orb_prop in H; destruct H; [left|right]]; auto.
  - destruct b; [apply orb_prop in H; destruct H; [left|right]|apply andb_prop in H; destruct H; split]; auto.
Qed.

Definition stays_while (still : bool) (l m : line) : bool :=
  match a_stay claim with None => true | Some f => throughout still true l m f end.
Lemma stays_while_sound still k d l m : 0 <= k -> li_state m = li_state l -> same (rval (along k m)) (delayed d (rval (along k l))) ->
  (still = true -> d == 0)%Q -> stays_while still l m = true ->
  forall e, (0 <= e)%Q -> (e <= d)%Q -> stays claim (must_be n) (li_state l) (delayed e (rval (along k l))).
Proof.
  unfold stays_while, stays, must_be. intros K Ls S Z H e P Q. destruct (a_stay claim) as [f|]; [|trivial].
  eapply throughout_sound; eauto.
Qed.

Notation waits := (waits n claim (must_be n)).
Notation goes_on := (goes_on n claim (must_be n)).
Notation ends := (ends n claim (must_be n)).
Notation rests := (rests n claim (must_be n)).

Definition waits_b (d : Z) (l : line) : bool := check_wait_all d l && stays_while (d =? 0) l (wait_line d l).
Lemma waits_sound d l k : waits_b d l = true -> 0 <= k -> holds n (li_state l) (rval (along k l)) (invariant n (li_state l)) ->
  waits (li_state l) (rval (along k l)) (d # D)%Q.
Proof.
  intros H K I. apply andb_prop in H. destruct H as [C S]. split.
  - apply (wait_passes n D d (along k l)); [apply check_wait_all_sound; trivial|exact I].
  - intros e P Q. all_clocks_run. eapply stays_while_sound; try exact S; trivial; [| |exact Q].
    + rewrite along_wait. apply rval_wait.
    + intro E. apply Z.eqb_eq in E. subst d. reflexivity.
Qed.

(* ---- Steps ---- *)

Definition set_clock_line (u : upd) (l : line) : option line :=
  let p := track l (u_y u) in let z := (fst p + u_c u * Zpos D, snd p) in
  match u_x u with
  | O => None
  | S k => if (0 <=? fst z) && (0 <=? snd z) && (k <? length (li_clocks l))%nat
           then Some (Line (li_state l) (set_nth (li_clocks l) k z) (li_time l)) else None
  end.
Fixpoint set_clocks_line (us : list upd) (l : line) : option line :=
  match us with
  | [] => Some l
  | u :: us => match set_clock_line u l with None => None | Some l' => set_clocks_line us l' end
  end.
Lemma map_set {A B} (f : A -> B) l : forall k z, map f (set_nth l k z) = set_nth (map f l) k (f z).
Proof. induction l as [|a l IH]; intros [|k] z; simpl; trivial. rewrite IH. trivial. Qed.
Lemma set_clocks_along us k : 0 <= k -> forall l l', set_clocks_line us l = Some l' -> set_clocks D us (along k l) = Some (along k l').
Proof.
  intro K. induction us as [|u us IH]; intros l l' E; simpl in *; [injection E as <-; trivial|].
  destruct (set_clock_line u l) as [l1|] eqn:E1; [|discriminate]. unfold set_clock_line in E1. cbv zeta in E1.
  unfold set_clock. rewrite ticks_along. destruct (u_x u) as [|x]; [discriminate|]. cbn [fst snd] in E1.
  destruct (_ && _) eqn:C; [|discriminate]. injection E1 as <-.
  apply andb_prop in C. destruct C as [C L]. apply andb_prop in C. destruct C as [A B]. apply Z.leb_le in A, B.
  cbn [along r_clocks]. rewrite map_length, L, andb_true_r.
  assert (V : value k (track l (u_y u)) + u_c u * Zpos D = value k (fst (track l (u_y u)) + u_c u * Zpos D, snd (track l (u_y u))))
    by (unfold value; simpl; ring).
  rewrite V. assert (P : 0 <=? value k (fst (track l (u_y u)) + u_c u * Zpos D, snd (track l (u_y u))) = true)
    by (apply Z.leb_le; unfold value; simpl; nia). rewrite P.
  apply IH in E. rewrite <- E. f_equal. unfold along; cbn [li_state li_clocks li_time r_state r_time]. rewrite map_set. trivial.
Qed.

Definition outranked_all (t : list (list (list edge))) (l : line) (es : list edge) : bool :=
  has_ranks n &&
  existsb (fun o => higher n (o_edges o) es && negb (existsb (always_b false l) (guard (o_edges o)) && forallb (is_right (li_state l)) (guard (o_edges o)))
                    && negb (existsb (fun e => holds_all l (e_guard e)) (o_out o))) (offers n t (li_state l)).
Lemma outranked_all_sound t l es k : outranked_all t l es = false -> 0 <= k -> outranked_b n D t (along k l) es = false.
Proof.
  unfold outranked_all, outranked_b. intros H K. destruct (has_ranks n); [|trivial]. cbn [andb] in *.
  apply not_true_iff_false. intro X. apply not_true_iff_false in H. apply H. apply existsb_exists in X. destruct X as (o & I & X).
  apply existsb_exists. exists o. split; [exact I|]. apply andb_prop in X. destruct X as [X R]. apply andb_prop in X. destruct X as [Hi G].
  rewrite Hi. cbn [andb]. rewrite forallb_forall in R. apply andb_true_intro. split; apply negb_true_iff, not_true_iff_false.
  - intro Y. apply andb_prop in Y. destruct Y as [Y W]. apply (right_no_errs (along k l)) in W. rewrite W, orb_false_r in G.
    unfold holds_b in G. rewrite forallb_forall in G. apply existsb_exists in Y. destruct Y as (a & Ia & Y). specialize (G a Ia).
    apply (always_b_sound _ _ _ k) in Y; trivial. apply is_b_sound in G. apply is_b_sound in Y. revert G Y. unfold is.
    destruct (ask n _ a); [intros -> Q; discriminate|tauto|tauto].
  - intro Y. apply existsb_exists in Y. destruct Y as (e & Ie & Y). specialize (R e Ie). apply refuses_b_iff in R.
    destruct R as [(a & Ia & R) _]. apply (holds_all_sound _ _ k) in Y; trivial. apply holds_b_sound in Y. specialize (Y a Ia).
    revert R Y. unfold is. destruct (ask n _ a); [intros -> Q; discriminate|tauto|tauto].
Qed.

Definition grows (p : Z * Z) : bool := (0 <=? fst p) && (0 <=? snd p).
Definition step_line (t : list (list (list edge))) (d : Z) (k : nat) (l : line) : option line :=
  if check_wait_all d l then
    let l1 := wait_line d l in
    match nth_error (joints n t (li_state l1)) k with
    | None => None
    | Some o =>
      let es := o_edges o in
      if holds_all l1 (guard es) && forallb (refuses_all l1) (o_out o) && negb (is_nil es) && negb (outranked_all t l1 es) &&
         (forallb grows (li_clocks l1) && grows (li_time l1)) then
        match fire n (li_state l1) es with
        | Ok (s', us) =>
          match set_clocks_line us l1 with
          | None => None
          | Some l2 =>
            let l3 := Line s' (li_clocks l2) (li_time l2) in
            if holds_all l3 (invariant n s') then Some l3 else None
          end
        | _ => None
        end
      else None
    end
  else None.
Lemma grows_sound k p : grows p = true -> 0 <= k -> 0 <=? value k p = true.
Proof. unfold grows, value. intros H K. apply andb_prop in H. destruct H as [A B]. apply Z.leb_le in A, B. apply Z.leb_le. nia. Qed.
Lemma step_along t d j l l' k : step_line t d j l = Some l' -> 0 <= k -> step t d j (along k l) = Some (along k l').
Proof.
  unfold step_line, step, Replay.step. intros E K. destruct (check_wait_all d l) eqn:W; [|discriminate]. cbv zeta in *.
  rewrite (check_wait_all_sound _ _ _ W K). rewrite onward_wait by apply none. rewrite <- along_wait. set (l1 := wait_line d l) in *. cbn [along r_state].
  destruct (nth_error (joints n t (li_state l1)) j) as [o|]; [|discriminate].
  destruct (_ && _) eqn:G in E; [|discriminate]. apply andb_prop in G. destruct G as [G Gr]. apply andb_prop in Gr. destruct Gr as [Gc Gt].
  apply andb_prop in G. destruct G as [G Ro]. apply negb_true_iff in Ro. apply andb_prop in G. destruct G as [G Ne].
  apply andb_prop in G. destruct G as [G Out]. fold (along k l1).
  rewrite (holds_all_sound _ _ _ G K), Ne, (outranked_all_sound _ _ _ _ Ro K).
  assert (O : forallb (refuses_b n D (along k l1)) (o_out o) = true).
  { apply forallb_forall. rewrite forallb_forall in Out. intros e I. apply refuses_all_sound; auto. }
  rewrite O. cbn [andb negb].
  assert (Nc : forallb (fun z => 0 <=? z) (map (value k) (li_clocks l1)) = true).
  { apply forallb_forall. intros z I. apply in_map_iff in I. destruct I as (p & <- & I). rewrite forallb_forall in Gc. apply grows_sound; auto. }
  cbn [along r_clocks r_time]. rewrite Nc, (grows_sound _ _ Gt K). cbn [andb].
  destruct (fire n (li_state l1) (o_edges o)) as [| |[s' us]]; try discriminate.
  destruct (set_clocks_line us l1) as [l2|] eqn:S; [|discriminate]. fold (along k l1). rewrite (set_clocks_along us k K _ _ S).
  cbv zeta in E. match type of E with (if ?b then _ else _) = _ => destruct b eqn:H; [|discriminate] end. injection E as <-. apply (holds_all_sound _ _ k) in H; [|trivial].
  cbn [along r_clocks r_time] in *. cbn [li_state li_clocks li_time] in H. unfold along in H. cbn [li_state li_clocks li_time] in H. rewrite H. trivial.
Qed.
Lemma step_holds t d j r r' : step t d j r = Some r' -> holds n (r_state r') (rval r') (invariant n (r_state r')).
Proof.
  unfold step, Replay.step. intro E. destruct (check_wait n D d r); [|discriminate]. destruct (nth_error _ j) as [o|]; [|discriminate]. cbv zeta in E.
  destruct (_ && _) in E; [|discriminate]. destruct (fire n _ _) as [| |[s' us]]; try discriminate. destruct (set_clocks D us _) as [r2|]; [|discriminate].
  destruct (holds_b _ _ _ _) eqn:H; [|discriminate]. injection E as <-. apply holds_b_sound in H. exact H.
Qed.

(* Delays and joint transitions, with what is asked all the while. *)
Fixpoint path (t : list (list (list edge))) (ps : list (Z * nat)) (l : line) : option line :=
  match ps with
  | [] => Some l
  | (d, j) :: ps => if waits_b d l then match step_line t d j l with None => None | Some l' => path t ps l' end else None
  end.
Definition good (k : Z) (l : line) : Prop := holds n (li_state l) (rval (along k l)) (invariant n (li_state l)).
Lemma path_step d j l l' k : waits_b d l = true -> step_line (table n) d j l = Some l' -> 0 <= k -> good k l ->
  waits (li_state l) (rval (along k l)) (d # D)%Q /\ takes n (li_state l) (delayed (d # D) (rval (along k l))) (li_state l') (rval (along k l')) /\ good k l'.
Proof.
  intros W S K G. split; [apply waits_sound; trivial|]. apply (step_along _ _ _ _ _ k) in S; trivial. split.
  - destruct (step_takes n D d j _ _ S) as [_ T]. rewrite onward_wait in T by apply none. eapply takes_same; [|exact T]. apply rval_wait.
  - exact (step_holds _ _ _ _ _ S).
Qed.

(* What is true of a run that begins after a path is true of one that begins before it. *)
Lemma path_before (P : state -> valuation -> Prop) :
  (forall s v d s' v', waits s v d -> takes n s (delayed d v) s' v' -> P s' v' -> P s v) ->
  forall ps l l' k, path (table n) ps l = Some l' -> 0 <= k -> good k l ->
  good k l' /\ (P (li_state l') (rval (along k l')) -> P (li_state l) (rval (along k l))).
Proof.
  intros B ps. induction ps as [|[d j] ps IH]; intros l l' k E K G; cbn [path] in E; [injection E as <-; auto|].
  destruct (waits_b d l) eqn:W; [|discriminate]. destruct (step_line (table n) d j l) as [l1|] eqn:S; [|discriminate].
  destruct (path_step d j l l1 k W S K G) as (Wa & Ta & G1). destruct (IH _ _ _ E K G1) as [G' I]. split; [trivial|].
  intro H. eapply B; eauto.
Qed.

(* ---- A part that repeats ---- *)

Definition pair_eqb (p q : Z * Z) : bool := (fst p =? fst q) && (snd p =? snd q).
Definition next_round (p : Z * Z) : Z * Z := (fst p + snd p, snd p).
Definition returns (l m : line) : bool :=
  state_eqb (li_state m) (li_state l) && list_eqb pair_eqb (li_clocks m) (map next_round (li_clocks l)) && pair_eqb (li_time m) (next_round (li_time l)).
Lemma pair_eqb_eq p q : pair_eqb p q = true -> p = q.
Proof. destruct p, q. unfold pair_eqb; simpl. intro H. apply andb_prop in H. destruct H as [A B]. apply Z.eqb_eq in A, B. subst. trivial. Qed.
Lemma returns_along l m k : returns l m = true -> along k m = along (k + 1) l.
Proof.
  unfold returns. intro H. apply andb_prop in H. destruct H as [H T]. apply andb_prop in H. destruct H as [S C].
  apply state_eqb_eq in S. apply list_eqb_eq in C; [|exact pair_eqb_eq]. apply pair_eqb_eq in T. unfold along. rewrite S, C, T, map_map.
  f_equal; [apply map_ext; intros [a b]|destruct (li_time l)]; unfold value, next_round; simpl; ring.
Qed.
(* Each of these conditions holds somewhere on the way. *)
Fixpoint comes_by (t : list (list (list edge))) (ps : list (Z * nat)) (l : line) (f : formula) : bool :=
  match ps with
  | [] => false
  | (d, j) :: ps => decided_all true l f || decided_all true (wait_line d l) f ||
                    match step_line t d j l with None => false | Some l' => comes_by t ps l' f end
  end.
Lemma path_lines t ps : forall l m, path t ps l = Some m -> exists f : nat -> line, f O = l /\ f (length ps) = m /\
  (forall i, (i < length ps)%nat -> waits_b (fst (nth i ps (0, O))) (f i) = true /\
     step_line t (fst (nth i ps (0, O))) (snd (nth i ps (0, O))) (f i) = Some (f (S i))) /\
  forall g, comes_by t ps l g = true -> exists i, (i < length ps)%nat /\
     (decided_all true (f i) g = true \/ decided_all true (wait_line (fst (nth i ps (0, O))) (f i)) g = true).
Proof.
  induction ps as [|[d j] ps IH]; intros l m E; cbn [path] in E.
  - injection E as <-. exists (fun _ => l). repeat (split; trivial); [simpl in *; lia|simpl in *; lia|discriminate].
  - destruct (waits_b d l) eqn:W; [|discriminate]. destruct (step_line t d j l) as [l1|] eqn:S; [|discriminate].
    destruct (IH _ _ E) as (f & F0 & Fm & Fi & Fg). exists (fun i => match i with O => l | S i => f i end).
    split; [trivial|]. split; [exact Fm|]. split.
    + intros [|i] I; simpl in *; [rewrite F0; auto|apply Fi; lia].
    + intros g C. cbn [comes_by] in C. rewrite S in C. apply orb_prop in C. destruct C as [C|C].
      * exists O. split; [simpl; lia|]. simpl. apply orb_prop in C. exact C.
      * destruct (Fg g C) as (i & I & H). exists (Datatypes.S i). split; [simpl; lia|exact H].
Qed.

Definition repeats (t : list (list (list edge))) (ps : list (Z * nat)) (l : line) : bool :=
  match ps with [] => false | _ => true end && forallb (comes_by t ps l) (a_again claim) &&
  match path t ps l with None => false | Some m => returns l m end.
Lemma repeats_sound ps l : repeats (table n) ps l = true -> good 0 l ->
  exists s v d, s O = li_state l /\ v O = rval (along 0 l) /\ goes_on s v d /\ (existsb (fun p => 0 <? fst p) ps = true -> diverges d).
Proof.
  intros H G. apply andb_prop in H. destruct H as [H R]. apply andb_prop in H. destruct H as [Ne A].
  destruct (path (table n) ps l) as [m|] eqn:P; [|discriminate].
  destruct (path_lines _ _ _ _ P) as (f & F0 & Fm & Fi & Fg).
  assert (Le : (0 < length ps)%nat) by (destruct ps; [discriminate|simpl; lia]).
  set (len := length ps) in *. assert (Nz : len <> O) by lia.
  set (at_ i := along (Z.of_nat (i / len)) (f (i mod len)%nat)).
  assert (Round : forall i, at_ i = along (Z.of_nat (i / len)) (f (i mod len)%nat) /\ (i mod len < len)%nat) by (intro i; split; [trivial|apply Nat.mod_upper_bound; trivial]).
  assert (Next : forall i, at_ (S i) = along (Z.of_nat (i / len)) (f (S (i mod len)))).
  { intro i. unfold at_. pose proof (Nat.div_mod i len Nz) as E. pose proof (Nat.mod_upper_bound i len Nz) as U.
    destruct (Nat.eq_dec (S (i mod len)) len) as [L|L].
    - assert (Q : (S i / len = S (i / len))%nat) by (symmetry; apply (Nat.div_unique (S i) len _ 0%nat); lia).
      assert (M : (S i mod len = 0)%nat) by (symmetry; apply (Nat.mod_unique (S i) len (S (i / len))); lia).
      rewrite Q, M, F0. replace (S (i mod len)) with len by lia. rewrite Fm, (returns_along l m _ R). f_equal. lia.
    - assert (Q : (S i / len = i / len)%nat) by (symmetry; apply (Nat.div_unique (S i) len _ (S (i mod len))); lia).
      assert (M : (S i mod len = S (i mod len))%nat) by (symmetry; apply (Nat.mod_unique (S i) len (i / len)); lia).
      rewrite Q, M. trivial. }
  assert (Zero : at_ O = along 0 l) by (unfold at_; rewrite Nat.div_0_l, Nat.mod_0_l, F0 by trivial; trivial).
  assert (Holds : forall i, holds n (r_state (at_ i)) (rval (at_ i)) (invariant n (r_state (at_ i)))).
  { induction i as [|i IH]; [rewrite Zero; exact G|]. destruct (Fi (i mod len)%nat) as [W S]; [apply Nat.mod_upper_bound; trivial|].
    rewrite Next. apply (step_along _ _ _ _ _ (Z.of_nat (i / len))) in S; [|lia]. eapply step_holds; exact S. }
  exists (fun i => r_state (at_ i)), (fun i => rval (at_ i)), (fun i => (fst (nth (i mod len) ps (0%Z, O)) # D)%Q).
  assert (Pos : forall i, (i < len)%nat -> (0 <= fst (nth i ps (0%Z, O)) # D)%Q).
  { intros j J. destruct (Fi j J) as [W _]. unfold waits_b in W. apply andb_prop in W. destruct W as [W _]. unfold check_wait_all in W. apply orb_prop in W. destruct W as [W|W].
    - apply Z.eqb_eq in W. rewrite W. unfold Qle; simpl; lia.
    - apply andb_prop in W. destruct W as [W _]. apply andb_prop in W. destruct W as [W _]. apply andb_prop in W. destruct W as [W _].
      apply andb_prop in W. destruct W as [W _]. apply Z.leb_le in W. unfold Qle; simpl; lia. }
  split; [rewrite Zero; trivial|]. split; [rewrite Zero; trivial|]. split; [split|].
  3: { intro X. apply existsb_exists in X. destruct X as (p & Ip & X). apply Z.ltb_lt in X. destruct (In_nth _ _ (0%Z, O) Ip) as (j & J & E).
       apply (diverges_again _ (fun i => Pos _ (Nat.mod_upper_bound i len Nz)) (fst p # D)); [unfold Qlt; simpl; lia|].
       intro k. exists (k * len + j)%nat, (S (k * len + j)). split; [nia|].
       assert (M : ((k * len + j) mod len = j)%nat) by (symmetry; apply (Nat.mod_unique (k * len + j) len k j); unfold len; lia).
       cbn [elapsed]. rewrite M, E. lra. }
  - intro i. cbv beta. destruct (Fi (i mod len)%nat) as [W S]; [apply Nat.mod_upper_bound; trivial|]. rewrite Next.
    destruct (path_step _ _ _ _ (Z.of_nat (i / len)) W S ltac:(lia) (Holds i)) as (Wa & Ta & _). rewrite none. split; [exact Wa|exact Ta].
  - intros g Ig k. rewrite forallb_forall in A. destruct (Fg g (A g Ig)) as (j & J & C).
    exists (k * len + j)%nat.
    assert (Q : ((k * len + j) / len = k)%nat) by (symmetry; apply (Nat.div_unique _ len _ j); lia).
    assert (M : ((k * len + j) mod len = j)%nat) by (symmetry; apply (Nat.mod_unique _ len k); lia).
    cbv beta. unfold at_. rewrite Q, M. pose proof (Pos j J) as Pd.
    destruct C as [C|C]; apply (decided_all_sound _ (Z.of_nat k)) in C; try lia; apply decided_b_sound in C.
    + exists 0%Q. split; [nia|]. split; [lra|]. split; [exact Pd|]. unfold must_be. eapply decided_same; [|exact C].
      intro x. rewrite none. change (after []) with delayed. unfold delayed. fold rval. cbn [along r_state]. lra.
    + exists (fst (nth j ps (0%Z, O)) # D)%Q. split; [nia|]. split; [exact Pd|]. split; [lra|]. unfold must_be.
      rewrite none. rewrite along_wait in C. eapply decided_same; [apply rval_wait|exact C].
Qed.

(* ---- Where a run ends ---- *)

Definition plain (r : moment) : line := Line (r_state r) (map (fun z => (z, 0)) (r_clocks r)) (r_time r, 0).
Lemma along_plain k r : along k (plain r) = r.
Proof.
  destruct r as [s c t]. unfold along, plain; simpl. rewrite map_map. f_equal; [|unfold value; simpl; ring].
  rewrite <- (map_id c) at 2. apply map_ext. intro z. unfold value; simpl. ring.
Qed.
(* The moment k units later. *)
Definition far (r : moment) : line := Line (r_state r) (map (fun z => (z, Zpos D)) (r_clocks r)) (r_time r, Zpos D).
Lemma along_far k r : along k (far r) = wait (k * Zpos D) r.
Proof. destruct r as [s c t]. unfold along, far, wait; simpl. rewrite map_map. f_equal. Qed.
Lemma rval_far k r : same (rval (along k (far r))) (delayed (inject_Z k) (rval r)).
Proof.
  rewrite along_far. intro x. unfold rval. rewrite (rval_wait D (k * Zpos D) r x). unfold delayed. rewrite frac_whole. reflexivity.
Qed.
Lemma some_later d : (0 <= d)%Q -> exists k, 0 <= k /\ (d <= inject_Z k)%Q.
Proof. intro P. exists (Qceiling d). split; [|apply Qle_ceiling]. apply Qle_ceiling in P || idtac. pose proof (Qle_ceiling d) as C. rewrite Zle_Qle. change (inject_Z 0) with 0%Q. lra. Qed.

(* What is asked holds, however long one waits. *)
Definition stays_on (r : moment) : bool := stays_while false (plain r) (far r).
Lemma stays_on_sound r e : stays_on r = true -> (0 <= e)%Q -> stays claim (must_be n) (r_state r) (delayed e (rval r)).
Proof.
  intros H P. destruct (some_later e P) as (k & K & L).
  pose proof (stays_while_sound false k (inject_Z k) (plain r) (far r) K eq_refl) as S. rewrite along_plain in S. cbn [plain li_state] in S.
  apply S; trivial; [apply rval_far|discriminate].
Qed.
Definition idles (r : moment) : bool :=
  net_can_delay n (r_state r) && forallb (is_convex n (r_state r)) (invariant n (r_state r)) && holds_all (far r) (invariant n (r_state r)) && stays_on r.
Lemma idles_sound r : idles r = true -> forall d, (0 <= d)%Q -> waits (r_state r) (rval r) d.
Proof.
  intros H d P. apply andb_prop in H. destruct H as [H S]. apply andb_prop in H. destruct H as [H I]. apply andb_prop in H. destruct H as [C X].
  split; [|intros e A B; rewrite none; apply stays_on_sound; trivial]. split; [trivial|]. split; [right; apply can_delay_sound; [trivial|apply unrated_fails, all_run]|].
  intros e A B a Ia. rewrite none. destruct (some_later e A) as (k & K & L).
  pose proof (holds_all_sound _ _ 0 I ltac:(lia)) as H0. pose proof (holds_all_sound _ _ k I K) as Hk.
  apply holds_b_sound in H0. apply holds_b_sound in Hk. cbn [along far li_state r_state] in H0, Hk.
  specialize (H0 a Ia). specialize (Hk a Ia). fold (far r) in H0, Hk.
  rewrite forallb_forall in X. apply (Replay.between n [] _ _ (inject_Z k)); trivial; [apply X; trivial| |].
  - eapply is_same; [|exact H0]. intro x. pose proof (rval_far 0 r x) as E. unfold rval, along, far in *. cbn [li_state li_clocks li_time] in *.
    rewrite E. unfold delayed. change (inject_Z 0) with 0%Q. lra.
  - eapply is_same; [|exact Hk]. apply (rval_far k r).
Qed.

(* A test that fails here; tests of which one fails, whatever the delay is. *)
Definition misses (b z : Z) : bool := (b <? INF) && (if Z.odd b then Z.div2 b * Zpos D <? z else Z.div2 b * Zpos D <=? z).
Lemma misses_sound b z : misses b z = true -> ~ sat b (z # D).
Proof.
  unfold misses. intros H [L|S]; apply andb_prop in H; destruct H as [I H]; apply Z.ltb_lt in I; [lia|]. unfold half in S.
  pose proof (frac_whole D (Z.div2 b)) as E. destruct (Z.odd b).
  - apply Z.ltb_lt in H. apply (frac_lt D) in H. lra.
  - apply Z.leb_le in H. apply (frac_le D) in H. lra.
Qed.
Definition fails_now (r : moment) (t : test) : bool := misses (t_bound t) (ticks r (t_i t) - ticks r (t_j t)).
Definition fails_ever (r : moment) (ts : list test) : bool :=
  existsb (fun t => negb (is_lower t) && fails_now r t ||
                    is_lower t && existsb (fun u => is_upper u && misses (sum (t_bound u) (t_bound t)) (ticks r (t_i u) - ticks r (t_j t))) ts) ts.
Lemma rdiff r i j : (diff (rval r) i j == (ticks r i - ticks r j # D))%Q.
Proof. unfold diff, rval. rewrite !rval_ticks. apply frac_sub. Qed.
Lemma fails_now_sound r t : fails_now r t = true -> ~ meets t (rval r).
Proof. intros H M. apply (misses_sound _ _ H). eapply sat_eq; [apply rdiff|exact M]. Qed.
Lemma fails_ever_sound r ts e : fails_ever r ts = true -> (0 <= e)%Q -> ~ all_hold ts (delayed e (rval r)).
Proof.
  intros H P A. apply existsb_exists in H. destruct H as (t & I & H). pose proof (A t I) as M. apply orb_prop in H. destruct H as [H|H].
  - apply andb_prop in H. destruct H as [L F]. apply negb_true_iff in L. apply (fails_now_sound _ _ F). unfold meets, diff in *.
    unfold is_lower in L. destruct (t_i t) as [|i], (t_j t) as [|j]; try discriminate L; simpl in *; unfold delayed in M.
    + exact M.
    + eapply sat_down; [|exact M]. lra.
    + eapply sat_eq; [|exact M]. lra.
  - apply andb_prop in H. destruct H as [L H]. apply existsb_exists in H. destruct H as (u & Iu & H). apply andb_prop in H. destruct H as [U F].
    pose proof (A u Iu) as Mu. apply (proj1 (lower_meets _ _ e L)) in M. apply (proj1 (upper_meets _ _ e U)) in Mu. unfold low_ok, high_ok in *.
    apply (misses_sound _ _ F). eapply sat_eq; [|apply sat_sum; [exact Mu|exact M]].
    rewrite <- (rdiff r (t_i u) (t_j t)). unfold diff. lra.
Qed.

(* Nothing can happen any more. *)
Definition no_way (r : moment) (ts : list test) : bool := if net_can_delay n (r_state r) then fails_ever r ts else existsb (fails_now r) ts.
Definition is_dead (t : list (list (list edge))) (r : moment) : bool :=
  (forallb (fun z => 0 <=? z) (r_clocks r) && (0 <=? r_time r)) &&
  match net_inv n (r_state r) with
  | None => true
  | Some ts => forallb (fun m => match m_out _ (snd m) with
                                 | Some (_, Some (ts', _)) => no_way r (ts ++ m_tests _ (snd m) ++ ts')
                                 | _ => true
                                 end) (net_moves n t (r_state r))
  end.
Lemma is_dead_sound r : is_dead (table n) r = true -> ~ alive n (r_state r) (rval r).
Proof.
  intros H (e & s' & v' & (P & W & In) & es & us & J & G & Ro & F & Nn & S & H'). all_clocks_run.
  apply andb_prop in H. destruct H as [N H]. apply (nonneg_b D) in N. fold rval in N.
  assert (Ne : nonneg (delayed e (rval r))) by (intro k; unfold delayed; specialize (N k); lra).
  assert (Ie : holds n (r_state r) (delayed e (rval r)) (invariant n (r_state r))) by (apply In; lra).
  destruct (invariants_hold n _ _ Ie) as (ts & E & A). unfold net_inv in H. rewrite E in H.
  destruct (judge_holds n _ _ _ G) as (ts1 & E1 & A1). pose proof H' as H1. apply (holds_same n _ _ _ _ S) in H1.
  destruct (invariants_hold n _ _ H1) as (ts2 & E2 & A2).
  destruct (moves_in n (r_state r) _ es ts1 (Some (us, Some (map (back (origins_of us)) ts2, s'))) Ne (holds_inv n _ _ Ie) J (not_false_holds n _ _ _ G) Ro) as (j & mv & K & Tm & Om).
  { unfold result. rewrite E1, F, E2. trivial. }
  { exact A1. }
  rewrite forallb_forall in H. specialize (H _ K). cbn [snd] in H. rewrite Om in H.
  assert (All : all_hold (ts ++ m_tests _ mv ++ map (back (origins_of us)) ts2) (delayed e (rval r))).
  { apply all_hold_app; [trivial|]. apply all_hold_app; [trivial|]. apply all_hold_back. trivial. }
  unfold no_way in H. destruct (net_can_delay n (r_state r)) eqn:D0.
  - exact (fails_ever_sound _ _ _ H P All).
  - apply existsb_exists in H. destruct H as (t & It & H). apply (fails_now_sound _ _ H).
    destruct W as [Z|Mw]; [|apply may_wait_b in Mw; congruence].
    specialize (All t It). unfold meets, diff in *. eapply sat_eq; [|exact All].
    assert (V : forall x, (val (delayed e (rval r)) x == val (rval r) x)%Q) by (intros [|x]; simpl; unfold delayed; lra). rewrite !V. reflexivity.
Qed.

(* It is stuck, after a delay of d, and cannot wait longer than d': the condition holds until then. *)
Definition ends_by (r : moment) (d : Z) : bool :=
  negb (net_can_delay n (r_state r)) ||
  match net_inv n (r_state r) with
  | None => true
  | Some ts => existsb (fun t => is_upper t && (t_bound t <? INF) && (Z.div2 (t_bound t) * Zpos D - ticks r (t_i t) <=? d)) ts
  end.
Definition stays_until (r : moment) (d : Z) : bool := (0 <=? d) && ends_by r d && stays_while (d =? 0) (plain r) (wait_line d (plain r)).
Lemma stays_until_sound r d e : stays_until r d = true -> passes n (r_state r) (rval r) e -> waits (r_state r) (rval r) e.
Proof.
  intros H Pa. split; [trivial|]. intros x X Xe. destruct Pa as (P & W & In). all_clocks_run.
  apply andb_prop in H. destruct H as [H S]. apply andb_prop in H. destruct H as [Z B]. apply Z.leb_le in Z.
  assert (Q : (0 <= d # D)%Q) by (unfold Qle; simpl; lia).
  assert (L : (e <= d # D)%Q).
  { unfold ends_by in B. apply orb_prop in B. destruct B as [B|B].
    { apply negb_true_iff in B. destruct W as [E|Mw]; [rewrite E; exact Q|apply may_wait_b in Mw; congruence]. }
    destruct (invariants_hold n _ _ (In e P ltac:(lra))) as (ts & E & A). unfold net_inv in B. rewrite E in B.
    apply existsb_exists in B. destruct B as (t & It & B). apply andb_prop in B. destruct B as [B C]. apply andb_prop in B. destruct B as [U I].
    apply Z.ltb_lt in I. apply Z.leb_le in C. apply (frac_le D) in C. specialize (A t It). apply (proj1 (upper_meets _ _ e U)) in A.
    destruct A as [A|A]; [lia|]. unfold half, rval in A. pose proof (rval_ticks D r (t_i t)) as Vt. pose proof (frac_whole D (Z.div2 (t_bound t))) as Fw.
    pose proof (frac_sub D (Z.div2 (t_bound t) * Zpos D) (ticks r (t_i t))) as Fs. destruct (Z.odd (t_bound t)); lra. }
  pose proof (stays_while_sound (d =? 0) 0 (d # D)%Q (plain r) (wait_line d (plain r)) ltac:(lia) eq_refl) as T. rewrite along_wait, along_plain in T.
  apply T; trivial; [apply rval_wait| |lra]. intro E. apply Z.eqb_eq in E. subst d. reflexivity.
Qed.

(* ---- Runs ---- *)

Inductive ending := Repeats (ps : list (Z * nat)) | Varies (hs : list hint) | Idles | Stuck (d : Z) (until : option Z).
(* Steps to where it begins, a delay there; steps from there; and how it goes on for ever. *)
Record lasso := Lasso { la_clocks : nat; la_first : nat; la_before : list (Z * nat); la_wait : Z; la_path : list (Z * nat); la_end : ending }.

Definition slopes (a b : moment) : line :=
  Line (r_state a) (map (fun p => (fst p, snd p - fst p)) (combine (r_clocks a) (r_clocks b))) (r_time a, r_time b - r_time a).
Definition moment_eqb (a b : moment) : bool :=
  state_eqb (r_state a) (r_state b) && list_eqb Z.eqb (r_clocks a) (r_clocks b) && (r_time a =? r_time b).
Lemma moment_eqb_eq a b : moment_eqb a b = true -> a = b.
Proof.
  destruct a, b. unfold moment_eqb; simpl. intro H. apply andb_prop in H. destruct H as [H T]. apply andb_prop in H. destruct H as [S C].
  apply state_eqb_eq in S. apply list_eqb_eq in C; [|apply Z.eqb_eq]. apply Z.eqb_eq in T. subst. trivial.
Qed.
Definition goes_on_b (t : list (list (list edge))) (e : ending) (r : moment) : bool :=
  match e with
  | Repeats ps =>
    match steps n D t ps r with
    | None => false
    | Some r' => let l := slopes r r' in moment_eqb (along 0 l) r && repeats t ps l
    end
  | Varies hs => varies n D claim t hs r
  | Idles => negb (match a_stay claim with None => true | Some _ => false end) && idles r
  | Stuck d u =>
    negb (match a_stay claim with None => true | Some _ => false end) && waits_b d (plain r) && is_dead t (wait d r) &&
    match u with None => stays_on (wait d r) | Some u => stays_until (wait d r) u end
  end.
Definition begins_b (r : moment) (l : lasso) : bool :=
  match a_start claim with
  | None => match la_before l with [] => la_wait l =? 0 | _ => false end
  | Some f => check_wait n D (la_wait l) r && decided_b n D true (wait (la_wait l) r) f
  end.
Definition lasso_check (l : lasso) : bool :=
  let t := table n in
  match start n D (la_clocks l) (la_first l) with
  | None => false
  | Some r0 =>
    match steps n D t (la_before l) r0 with
    | None => false
    | Some r1 =>
      begins_b r1 l &&
      match path t (la_path l) (plain (wait (la_wait l) r1)) with
      | None => false
      | Some m => goes_on_b t (la_end l) (along 0 m)
      end
    end
  end.

Lemma ends_after s v d s' v' : waits s v d -> takes n s (delayed d v) s' v' -> ends s' v' -> ends s v.
Proof. intros W T. apply ends_later with d; [exact W|]. rewrite none. exact T. Qed.
Lemma rests_after s v d s' v' : waits s v d -> takes n s (delayed d v) s' v' -> rests s' v' -> rests s v.
Proof. intros W T. apply rests_later with d; [exact W|]. rewrite none. exact T. Qed.
Lemma rests_ends s v : rests s v -> ends s v.
Proof. induction 1 as [s v W|s v d s' v' W T _ IH]; [apply ends_idle; trivial|eapply ends_later; eauto]. Qed.
(* Infinitely many transitions from here on; `timely`: time diverges. *)
Definition goes_from (timely : bool) (s : state) (v : valuation) : Prop :=
  exists ss vs ds, ss O = s /\ vs O = v /\ goes_on ss vs ds /\ (timely = true -> diverges ds).
Lemma elapsed_later d ds k : (elapsed (fun i => match i with O => d | S i => ds i end) (S k) == d + elapsed ds k)%Q.
Proof. induction k as [|k IH]; [cbn; lra|]. cbn [elapsed] in *. lra. Qed.
Lemma goes_on_cons timely s v d s' v' : waits s v d -> takes n s (delayed d v) s' v' -> goes_from timely s' v' -> goes_from timely s v.
Proof.
  intros W T (ss & vs & ds & S0 & V0 & (G & A) & Dv).
  exists (fun i => match i with O => s | S i => ss i end), (fun i => match i with O => v | S i => vs i end), (fun i => match i with O => d | S i => ds i end).
  split; [trivial|]. split; [trivial|]. split; [split|].
  3: { intros X b. destruct (Dv X b) as (k & K). exists (S k). rewrite elapsed_later. destruct W as [(P & _) _]. lra. }
  - intros [|i]; [rewrite S0, V0, none; auto|apply G].
  - intros f I k. destruct (A f I k) as (i & e & K & X). exists (S i), e. split; [lia|exact X].
Qed.

Lemma wait_nothing r : wait 0 r = r.
Proof. destruct r as [s c t]. unfold wait; simpl. f_equal; [|lia]. rewrite <- (map_id c) at 2. apply map_ext. intro. lia. Qed.
Lemma steps_reachable ps : forall r r', steps n D (table n) ps r = Some r' -> reachable n (r_state r) (rval r) -> reachable n (r_state r') (rval r').
Proof.
  induction ps as [|[d j] ps IH]; intros r r' E R; cbn [steps] in E; [injection E as <-; trivial|].
  destruct (Replay.step n D (table n) d j r) as [r1|] eqn:S; [|discriminate]. apply (IH _ _ E). eapply step_sound; eauto.
Qed.

(* In which time diverges. *)
Definition timely (l : lasso) : bool :=
  match la_end l with
  | Repeats ps => existsb (fun p => 0 <? fst p) ps
  | Varies hs =>
    let t := table n in
    match start n D (la_clocks l) (la_first l) with
    | None => false
    | Some r0 =>
      match steps n D t (la_before l) r0 with
      | None => false
      | Some r1 => match path t (la_path l) (plain (wait (la_wait l) r1)) with None => false | Some m => time_passes n D claim t hs (along 0 m) end
      end
    end
  | Idles => true
  | Stuck _ _ => false
  end.
Theorem lasso_shows l : lasso_check l = true -> exists s v, origin n claim (must_be n) s v /\
  match la_end l with
  | Repeats _ | Varies _ => goes_from (timely l) s v
  | Idles => a_stay claim <> None /\ rests s v
  | Stuck _ _ => a_stay claim <> None /\ ends s v
  end.
Proof.
  unfold lasso_check, timely. cbv zeta. destruct (start n D (la_clocks l) (la_first l)) as [r0|] eqn:S; [|discriminate].
  destruct (steps n D (table n) (la_before l) r0) as [r1|] eqn:B; [|discriminate]. intro H. apply andb_prop in H. destruct H as [O H].
  set (r := wait (la_wait l) r1) in *.
  assert (R : reachable n (r_state r) (rval r) /\ origin n claim (must_be n) (r_state r) (rval r)).
  { pose proof (start_sound n D _ _ _ S) as R0. fold rval in R0. unfold begins_b in O. unfold origin. destruct (a_start claim) as [f|] eqn:As.
    - pose proof (steps_reachable _ _ _ B R0) as R1. apply andb_prop in O. destruct O as [W Q].
      assert (R2 : reachable n (r_state r) (rval r)) by (pose proof (wait_sound n D (la_wait l) r1 W R1) as Ws; rewrite onward_wait in Ws by apply none; exact Ws).
      split; [trivial|]. split; [trivial|]. apply decided_b_sound in Q. exact Q.
    - destruct (la_before l) as [|p ps]; [|discriminate]. cbn [steps] in B. injection B as <-. apply Z.eqb_eq in O. subst r. rewrite O, wait_nothing.
      split; [trivial|]. unfold start in S. destruct (nth_error (net_initial n) (la_first l)) as [s|] eqn:E; [|discriminate].
      destruct (holds_b _ _ _ _) eqn:Hb; [|discriminate]. injection S as <-. split; [|split].
      + apply initial_starts. eapply nth_error_In; eauto.
      + intro i. unfold rval, Replay.rval; simpl. assert (Z : nth i (repeat 0 (la_clocks l)) 0 = 0) by apply nth_repeat. rewrite Z. reflexivity.
      + apply holds_b_sound in Hb. exact Hb. }
  destruct R as [R Or]. clear O B S.
  destruct (path (table n) (la_path l) (plain r)) as [m|] eqn:P; [|discriminate].
  assert (G : good 0 (plain r)) by (unfold good; rewrite along_plain; apply reachable_holds; trivial).
  destruct (la_end l) as [ps|hs| |d u]; cbn [goes_on_b] in H.
  - destruct (path_before _ (goes_on_cons (existsb (fun p => 0 <? fst p) ps)) _ _ _ 0 P ltac:(lia) G) as [Gm Back].
    rewrite along_plain in Back. destruct (steps n D (table n) ps (along 0 m)) as [r'|]; [|discriminate]. cbv zeta in H. apply andb_prop in H. destruct H as [E H].
    apply moment_eqb_eq in E. set (li := slopes (along 0 m) r') in *.
    assert (Gl : good 0 li) by (unfold good; rewrite E; exact Gm).
    destruct (repeats_sound ps li H Gl) as (ss & vs & ds & S0 & V0 & Go). rewrite E in V0.
    exists (r_state r), (rval r). split; [exact Or|]. apply Back. exists ss, vs, ds. auto.
  - destruct (path_before _ (goes_on_cons (time_passes n D claim (table n) hs (along 0 m))) _ _ _ 0 P ltac:(lia) G) as [_ Back].
    rewrite along_plain in Back. exists (r_state r), (rval r). split; [exact Or|]. apply Back. exact (varies_sound n D claim all_run hs _ H).
  - destruct (path_before rests rests_after _ _ _ 0 P ltac:(lia) G) as [Gm Back]. rewrite along_plain in Back.
    apply andb_prop in H. destruct H as [St H]. exists (r_state r), (rval r). split; [trivial|]. split; [destruct (a_stay claim); [discriminate|discriminate]|].
    apply Back. apply rests_now. exact (idles_sound _ H).
  - destruct (path_before ends ends_after _ _ _ 0 P ltac:(lia) G) as [Gm Back]. rewrite along_plain in Back.
    apply andb_prop in H. destruct H as [H U]. apply andb_prop in H. destruct H as [H De]. apply andb_prop in H. destruct H as [St W].
    exists (r_state r), (rval r). split; [trivial|]. split; [destruct (a_stay claim); [discriminate|discriminate]|]. apply Back.
    set (rm := along 0 m) in *. assert (Gr : good 0 (plain rm)) by (unfold good; rewrite along_plain; exact Gm).
    pose proof (waits_sound d (plain rm) 0 W ltac:(lia) Gr) as Wa. rewrite along_plain in Wa. cbn [plain li_state] in Wa.
    pose proof (rval_wait D d rm) as Sd. apply (ends_stuck n claim (must_be n) _ _ (d # D)%Q); [exact Wa| |].
    + rewrite none. intro Al. apply (is_dead_sound _ De). eapply alive_same; [|exact Al]. apply same_back. exact Sd.
    + rewrite none. change (after []) with delayed. intros e Pe. assert (Pe' : passes n (r_state (wait d rm)) (rval (wait d rm)) e) by (eapply passes_same; [apply same_back; exact Sd|exact Pe]).
      assert (We : waits (r_state (wait d rm)) (rval (wait d rm)) e).
      { destruct u as [u|]; [eapply stays_until_sound; eauto|]. split; [trivial|]. intros x X Y. rewrite none. apply stays_on_sound; trivial. }
      destruct We as [_ We]. split; [exact Pe|]. intros x X Y. specialize (We x X Y). unfold stays, must_be in *. all_clocks_run.
      destruct (a_stay claim); [|trivial]. eapply decided_same; [|exact We]. apply delayed_same; [reflexivity|exact Sd].
Qed.
Theorem lasso_correct l : lasso_check l = true -> run_exists n claim (must_be n).
Proof.
  intro H. destruct (lasso_shows l H) as (s & v & O & E).
  destruct (la_end l); try (destruct E as (ss & vs & ds & <- & <- & G & _); left; exists ss, vs, ds; auto); right; exists s, v;
    (split; [apply E|split; [trivial|]]); [apply rests_ends|]; apply E.
Qed.
Theorem timely_correct l : lasso_check l = true -> timely l = true -> diverging_run_exists n claim (must_be n).
Proof.
  intros H T. destruct (lasso_shows l H) as (s & v & O & E). destruct (la_end l) eqn:L.
  1, 2: destruct E as (ss & vs & ds & <- & <- & G & Dv); left; exists ss, vs, ds; auto.
  - right. exists s, v. destruct E. auto.
  - unfold timely in T. rewrite L in T. discriminate.
Qed.
End Lasso.

Definition accepts_lasso (n : net) (denominator : positive) (claim : asks) (l : lasso) : bool := forms_well n && unrated n && lasso_check n denominator claim l.
Theorem accepts_lasso_correct n denominator claim l : accepts_lasso n denominator claim l = true ->
  well_formed n /\ run_exists n claim (must_be n).
Proof.
  intro H. apply andb_prop in H. destruct H as [H L]. apply andb_prop in H. destruct H as [W U]. split; [apply forms_well_sound, W|].
  exact (lasso_correct n denominator claim U l L).
Qed.

(* Time diverges in it. *)
Definition accepts_timely (n : net) (denominator : positive) (claim : asks) (l : lasso) : bool := accepts_lasso n denominator claim l && timely n denominator claim l.
Theorem accepts_timely_correct n denominator claim l : accepts_timely n denominator claim l = true ->
  well_formed n /\ diverging_run_exists n claim (must_be n).
Proof.
  intro H. apply andb_prop in H. destruct H as [H T]. apply andb_prop in H. destruct H as [H L]. apply andb_prop in H. destruct H as [W U].
  split; [apply forms_well_sound, W|]. exact (timely_correct n denominator claim U l L T).
Qed.

(* A run to a state in which q is true and nothing can happen any more. *)
Definition accepts_stuck (n : net) (denominator : positive) (q : formula) (clocks first : nat) (l : list (Z * nat)) (last : Z) : bool :=
  forms_well n && unrated n &&
  match start n denominator clocks first with
  | None => false
  | Some r =>
    match steps n denominator (table n) l r with
    | None => false
    | Some r' => check_wait n denominator last r' && decided_b n denominator true (wait last r') q && is_dead n denominator (table n) (wait last r')
    end
  end.
Theorem accepts_stuck_correct n denominator q clocks first l last : accepts_stuck n denominator q clocks first l last = true ->
  well_formed n /\ exists s v, reachable n s v /\ decided n true s v q /\ ~ alive n s v.
Proof.
  intro H. apply andb_prop in H. destruct H as [H L]. apply andb_prop in H. destruct H as [W U]. split; [apply forms_well_sound, W|]. rename L into H.
  destruct (start n denominator clocks first) as [r|] eqn:S; [|discriminate].
  destruct (steps n denominator (table n) l r) as [r'|] eqn:E; [|discriminate].
  apply andb_prop in H. destruct H as [H De]. apply andb_prop in H. destruct H as [C Q].
  exists (r_state r'), (rval denominator (wait last r')). split; [|split].
  - rewrite <- (onward_wait n last r') by apply (none n U). apply (wait_sound n denominator last r'); [trivial|]. eapply steps_reachable; [exact E|]. eapply start_sound; eauto.
  - apply decided_b_sound in Q. exact Q.
  - exact (is_dead_sound n denominator U _ De).
Qed.
