(* The functions that the checker asks about a network, and that they are right. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming.
Import ListNotations.
Open Scope Z_scope.

(* ---- Conditions ---- *)

Definition at_most i j c := Test i j (2 * c + 1).
Definition below i j c := Test i j (2 * c).

(* x_i - x_j o c as a disjunction of conjunctions of tests. *)
Definition cases (i j : nat) (o : cmp) (c : Z) : list (list test) :=
  match o with
  | Eq => [[at_most i j c; at_most j i (- c)]]
  | Ne => [[below i j c]; [below j i (- c)]]
  | Lt => [[below i j c]]
  | Le => [[at_most i j c]]
  | Gt => [[below j i (- c)]]
  | Ge => [[at_most j i (- c)]]
  end.

Lemma meets_at_most i j c v : (val v i - val v j <= inject_Z c)%Q -> meets (at_most i j c) v.
Proof. intro H. apply sat_within. exact H. Qed.
Lemma meets_below i j c v : (val v i - val v j < inject_Z c)%Q -> meets (below i j c) v.
Proof.
  intro H. right. unfold below, half, diff; cbn [t_bound t_i t_j]. pose proof (div2_eq (2 * c)) as E.
  destruct (Z.odd (2 * c)); [lia|]. replace (Z.div2 (2 * c)) with c by lia. exact H.
Qed.

Lemma cases_sound i j o c v : clock_compare o (val v i - val v j) (inject_Z c) ->
  exists ts, In ts (cases i j o c) /\ all_hold ts v.
Proof.
  pose proof (inject_Z_opp c) as O. intro H.
  assert (One : forall t, meets t v -> all_hold [t] v) by (intros t T u [<-|[]]; trivial).
  destruct o; simpl in *.
  - eexists; split; [left; reflexivity|]. intros t [<-|[<-|[]]]; apply meets_at_most; rewrite ?O; lra.
  - destruct (Qlt_le_dec (val v i - val v j) (inject_Z c)) as [L|L].
    + eexists; split; [left; reflexivity|]. apply One, meets_below; trivial.
    + eexists; split; [right; left; reflexivity|]. apply One, meets_below. rewrite O.
      destruct (Qlt_le_dec (inject_Z c) (val v i - val v j)) as [L'|L']; [lra|exfalso; apply H; lra].
  - eexists; split; [left; reflexivity|]. apply One, meets_below; trivial.
  - eexists; split; [left; reflexivity|]. apply One, meets_at_most; trivial.
  - eexists; split; [left; reflexivity|]. apply One, meets_below; rewrite O; lra.
  - eexists; split; [left; reflexivity|]. apply One, meets_at_most; rewrite O; lra.
Qed.

(* What they have in common: nothing is asked where there are two cases. *)
Definition tests (i j : nat) (o : cmp) (c : Z) : list test :=
  match cases i j o c with [ts] => ts | _ => [] end.
Lemma tests_sound i j o c v : clock_compare o (val v i - val v j) (inject_Z c) -> all_hold (tests i j o c) v.
Proof.
  intro H. destruct (cases_sound i j o c v H) as (ts & I & A). unfold tests.
  destruct (cases i j o c) as [|x [|y l]]; [destruct I| |intros t []]. destruct I as [<-|[]]. exact A.
Qed.

Definition opposite (o : cmp) : cmp :=
  match o with Eq => Ne | Ne => Eq | Lt => Ge | Le => Gt | Gt => Le | Ge => Lt end.
Lemma opposite_or o d c : clock_compare o d c \/ ~ clock_compare o d c /\ clock_compare (opposite o) d c.
Proof.
  destruct (Qlt_le_dec d c) as [L|L]; [|destruct (Qlt_le_dec c d) as [L'|L']];
    destruct o; simpl; try (left; lra); try (right; lra).
Qed.

Section Network.
Variable n : net.

Lemma all_hold_app a b v : all_hold a v -> all_hold b v -> all_hold (a ++ b) v.
Proof. intros A B t I. apply in_app_or in I. destruct I; auto. Qed.
Lemma all_hold_nil v : all_hold [] v.
Proof. intros t []. Qed.

(* The tests of the simple atoms; None: one is false. *)
Fixpoint simples (s : state) (g : list atom) : option (list test) :=
  match g with
  | [] => Some []
  | a :: g =>
    if simple a then
      match ask n s a with
      | Plain false => None
      | Asks i j o c => match simples s g with None => None | Some ts => Some (tests i j o c ++ ts) end
      | _ => simples s g
      end
    else simples s g
  end.
(* None: an atom is false. Else whether there is an error, and the tests of the clocks; where there
   is an error only the simple ones. *)
Fixpoint judge (s : state) (g : list atom) : option (bool * list test) :=
  match g with
  | [] => Some (false, [])
  | a :: g =>
    match ask n s a with
    | Plain true => judge s g
    | Plain false => None
    | Wrong => match simples s g with None => None | Some ts => Some (true, ts) end
    | Asks i j o c =>
      match judge s g with
      | None => None
      | Some (true, ts) => Some (true, if simple a then tests i j o c ++ ts else ts)
      | Some (false, ts) => Some (false, tests i j o c ++ ts)
      end
    end
  end.
(* Likewise for the invariants of the processes; an error counts whatever the clocks are. *)
Fixpoint judge_all (s : state) (gs : list (list atom)) : option (bool * list test) :=
  match gs with
  | [] => Some (false, [])
  | g :: gs =>
    match judge s g with
    | None => None
    | Some (true, _) => Some (true, [])
    | Some (false, ts) =>
      match judge_all s gs with None => None | Some (wrong, ts') => Some (wrong, ts ++ ts') end
    end
  end.

Lemma not_false_tests v i j o c : ~ (~ clock_compare o (val v i - val v j) (inject_Z c)) -> all_hold (tests i j o c) v.
Proof.
  intro F. apply tests_sound. destruct (opposite_or o (val v i - val v j) (inject_Z c)) as [X|[X _]]; tauto.
Qed.

Lemma judge_holds s v g : holds n s v g -> exists ts, judge s g = Some (false, ts) /\ all_hold ts v.
Proof.
  induction g as [|a g IH]; intro H; simpl; [eexists; split; [reflexivity|apply all_hold_nil]|].
  destruct IH as (ts & E & A); [intros b I; apply H; right; trivial|].
  pose proof (H a (or_introl eq_refl)) as T. unfold is in T. destruct (ask n s a) as [t|i j o c|]; [| |tauto].
  - subst t. eauto.
  - rewrite E. eexists; split; [reflexivity|]. apply all_hold_app; trivial. apply tests_sound; trivial.
Qed.

Lemma simples_some s (no : atom -> Prop) g : (forall a, ask n s a = Plain false -> no a) ->
  (forall a, In a g -> simple a = true -> ~ no a) -> exists ts, simples s g = Some ts.
Proof.
  intros P H. induction g as [|a g IH]; simpl; [eauto|].
  destruct IH as (ts & E); [intros; apply H; trivial; right; trivial|].
  destruct (simple a) eqn:S; [|eauto]. pose proof (H a (or_introl eq_refl) S) as F.
  destruct (ask n s a) as [[|]|i j o c|] eqn:Q; [eauto| |rewrite E; eauto|eauto].
  exfalso. apply F, P. trivial.
Qed.
Lemma simples_hold s v g : forall ts, simples s g = Some ts ->
  (forall a, In a g -> simple a = true -> ~ is n false s v a) -> all_hold ts v.
Proof.
  induction g as [|a g IH]; intros ts E H; simpl in E; [injection E as <-; apply all_hold_nil|].
  assert (H' : forall a, In a g -> simple a = true -> ~ is n false s v a) by (intros; apply H; trivial; right; trivial).
  destruct (simple a) eqn:S; [|apply IH; trivial]. pose proof (H a (or_introl eq_refl) S) as F. unfold is in F.
  destruct (ask n s a) as [[|]|i j o c|]; [apply IH; trivial|discriminate| |apply IH; trivial].
  destruct (simples s g) as [ts'|]; [|discriminate]. injection E as <-. apply all_hold_app; [|apply IH; trivial].
  apply not_false_tests; trivial.
Qed.

Lemma judge_wrong s (no : atom -> Prop) g : (forall a, ask n s a = Plain false -> no a) -> errs n s no g ->
  exists ts, judge s g = Some (true, ts).
Proof.
  intros P. induction g as [|a g IH]; intros (H & b & x & c & E & W & B); [destruct b; discriminate|].
  assert (H' : forall a, In a g -> simple a = true -> ~ no a) by (intros; apply H; trivial; right; trivial).
  destruct (simples_some s no g P H') as (ts & Es). simpl.
  destruct b as [|d b]; simpl in E; injection E as -> ->; [rewrite W, Es; eauto|].
  destruct IH as (ts' & Ej); [split; [trivial|]; exists b, x, c; split; [trivial|split; [trivial|intros; apply B; right; trivial]]|].
  destruct (ask n s d) as [[|]|i j o k|] eqn:Q; [eauto| |rewrite Ej; eauto|rewrite Es; eauto].
  exfalso. apply (B d (or_introl eq_refl)). apply P; trivial.
Qed.
Lemma judge_wrong_tests s v g : forall ts, judge s g = Some (true, ts) ->
  (forall a, In a g -> simple a = true -> ~ is n false s v a) -> all_hold ts v.
Proof.
  induction g as [|a g IH]; intros ts E H; simpl in E; [discriminate|].
  assert (H' : forall a, In a g -> simple a = true -> ~ is n false s v a) by (intros; apply H; trivial; right; trivial).
  pose proof (H a (or_introl eq_refl)) as F. unfold is in F.
  destruct (ask n s a) as [[|]|i j o c|]; [apply IH; trivial|discriminate| |].
  - destruct (judge s g) as [[[|] ts']|]; [|discriminate|discriminate]. injection E as <-.
    destruct (simple a); [|apply IH; trivial]. apply all_hold_app; [|apply IH; trivial].
    apply not_false_tests. auto.
  - destruct (simples s g) as [ts'|] eqn:Es; [|discriminate]. injection E as <-. eapply simples_hold; eauto.
Qed.
Lemma judge_errs s v g : errs n s (is n false s v) g -> exists ts, judge s g = Some (true, ts) /\ all_hold ts v.
Proof.
  intro H. destruct (judge_wrong s (is n false s v) g) as (ts & E); trivial.
  - intros a Q. unfold is. rewrite Q. trivial.
  - exists ts. split; trivial. eapply judge_wrong_tests; [exact E|]. apply H.
Qed.

Lemma judge_some s g : (forall a, In a g -> ~ never n s a) -> exists r, judge s g = Some r.
Proof.
  induction g as [|a g IH]; intro H; simpl; [eauto|].
  destruct IH as ([w ts] & E); [intros; apply H; right; trivial|].
  pose proof (H a (or_introl eq_refl)) as F. unfold never in F.
  destruct (ask n s a) as [[|]|i j o c|]; [eauto|congruence|rewrite E; destruct w; eauto|].
  destruct (simples_some s (never n s) g) as (ts' & Es); [trivial|intros; apply H; right; trivial|]. rewrite Es. eauto.
Qed.
Lemma judge_all_holds s v gs : (forall g, In g gs -> holds n s v g) ->
  exists ts, judge_all s gs = Some (false, ts) /\ all_hold ts v.
Proof.
  induction gs as [|g gs IH]; intro H; simpl; [eexists; split; [reflexivity|apply all_hold_nil]|].
  destruct IH as (ts & E & A); [intros; apply H; right; trivial|].
  destruct (judge_holds s v g (H g (or_introl eq_refl))) as (ts' & E' & A').
  rewrite E', E. eexists; split; [reflexivity|]. apply all_hold_app; trivial.
Qed.
Lemma judge_all_errs s g after before : errs n s (never n s) g ->
  (forall b a, In b before -> In a b -> ~ never n s a) ->
  exists ts, judge_all s (before ++ g :: after) = Some (true, ts).
Proof.
  intros E H. induction before as [|b before IH]; simpl.
  - destruct (judge_wrong s (never n s) g) as (ts & J); trivial. rewrite J. eauto.
  - destruct (judge_some s b) as ([w ts] & J); [intros a I; apply (H b); trivial; left; trivial|].
    destruct IH as (ts' & K); [intros c a I; apply H; right; trivial|]. rewrite J, K. destruct w; eauto.
Qed.

(* A formula (b: itself, else its negation) as a disjunction; None: an error. *)
Definition both (x y : option (list (list test))) : option (list (list test)) :=
  match x, y with
  | Some [], _ => Some []
  | _, Some [] => Some []
  | Some xs, Some ys => Some (flat_map (fun c => map (app c) ys) xs)
  | _, _ => None
  end.
Definition either (x y : option (list (list test))) : option (list (list test)) :=
  match x, y with Some xs, Some ys => Some (xs ++ ys) | _, _ => None end.
Fixpoint clauses (b : bool) (s : state) (f : formula) : option (list (list test)) :=
  match f with
  | FAtom a =>
    match ask n s a with
    | Plain t => Some (if Bool.eqb t b then [[]] else [])
    | Asks i j o c => Some (cases i j (if b then o else opposite o) c)
    | Wrong => None
    end
  | FNot f => clauses (negb b) s f
  | FAnd f g => (if b then both else either) (clauses b s f) (clauses b s g)
  | FOr f g => (if b then either else both) (clauses b s f) (clauses b s g)
  end.

Definition met (x : option (list (list test))) (v : valuation) : Prop :=
  match x with None => True | Some cs => exists c, In c cs /\ all_hold c v end.
Lemma met_both x y v : met x v -> met y v -> met (both x y) v.
Proof.
  intros X Y. assert (Z : met (Some []) v -> False) by (intros (c & I & _); destruct I).
  destruct x as [[|c xs]|]; [destruct (Z X)| |]; (destruct y as [[|d ys]|]; [destruct (Z Y)| |]); try exact I.
  destruct X as (a & Ia & A), Y as (e & Ie & E). exists (a ++ e). split; [|apply all_hold_app; trivial].
  change (In (a ++ e) (flat_map (fun c0 => map (app c0) (d :: ys)) (c :: xs))).
  apply in_flat_map. exists a. split; trivial. apply in_map. trivial.
Qed.
Lemma met_either x y v : met x v \/ met y v -> met (either x y) v.
Proof.
  intros [X|X]; destruct x as [xs|], y as [ys|]; simpl in *; trivial;
    destruct X as (c & I & A); exists c; split; trivial; apply in_or_app; auto.
Qed.

Lemma clauses_sound s v f : forall b, met (clauses b s f) v \/ decided n (negb b) s v f.
Proof.
  induction f as [a|f IH|f IHf g IHg|f IHf g IHg]; intro b; cbn [clauses decided].
  - unfold is. destruct (ask n s a) as [t|i j o c|]; [| |left; exact I].
    + destruct (Bool.eqb t b) eqn:E.
      * left. exists []. split; [left; trivial|apply all_hold_nil].
      * right. destruct t, b; simpl in *; congruence.
    + destruct (opposite_or o (val v i - val v j) (inject_Z c)) as [X|[X Y]].
      * destruct b; [left; apply cases_sound; trivial|right; trivial].
      * destruct b; [right; trivial|left; apply cases_sound; trivial].
  - apply IH.
  - specialize (IHf b). specialize (IHg b). destruct b; simpl in *.
    + destruct IHf; [|auto]. destruct IHg; [|auto]. left; apply met_both; trivial.
    + destruct IHf; [left; apply met_either; auto|]. destruct IHg; [left; apply met_either; auto|auto].
  - specialize (IHf b). specialize (IHg b). destruct b; simpl in *.
    + destruct IHf; [left; apply met_either; auto|]. destruct IHg; [left; apply met_either; auto|auto].
    + destruct IHf; [|auto]. destruct IHg; [|auto]. left; apply met_both; trivial.
Qed.

(* ---- Processes and their locations, side by side ---- *)

Fixpoint zip {A B} (g : list A -> nat -> list B) (pss : list (list A)) (ls : list nat) : list B :=
  match pss, ls with
  | ps :: pss, l :: ls => g ps l ++ zip g pss ls
  | _, _ => []
  end.
Lemma zip_seq {A B} (g : list A -> nat -> list B) pss : forall ls,
  flat_map (fun p => match nth_error pss p, nth_error ls p with Some ps, Some l => g ps l | _, _ => [] end)
           (seq 0 (length pss)) = zip g pss ls.
Proof.
  induction pss as [|ps pss IH]; intro ls; [reflexivity|].
  cbn [length seq flat_map]. rewrite <- seq_shift, flat_map_concat_map, map_map, <- flat_map_concat_map.
  destruct ls as [|l ls]; cbn [nth_error zip].
  - rewrite flat_map_concat_map. simpl. clear IH.
    induction (seq 0 (length pss)) as [|q qs IHq]; [reflexivity|]. simpl.
    destruct (nth_error pss q); exact IHq.
  - f_equal. apply IH.
Qed.

Definition located {B} (g : location -> list B) (s : state) : list B :=
  zip (fun ls l => match nth_error ls l with None => [] | Some x => g x end) (n_processes n) (locs s).
Lemma located_in {B} (g : location -> list B) s b :
  In b (located g s) <-> exists p l, In p (processes n) /\ location_of n s p = Some l /\ In b (g l).
Proof.
  unfold located. rewrite <- zip_seq, in_flat_map. unfold processes, location_of. split.
  - intros (p & I & J). destruct (nth_error (n_processes n) p) as [ls|] eqn:E1; [|destruct J].
    destruct (nth_error (locs s) p) as [l|] eqn:E2; [|destruct J].
    destruct (nth_error ls l) as [x|] eqn:E; [|destruct J]. exists p, x. rewrite E1, E2. auto.
  - intros (p & x & I & E & J). exists p. split; trivial.
    destruct (nth_error (n_processes n) p) as [ls|]; [|discriminate].
    destruct (nth_error (locs s) p) as [l|]; [|discriminate]. rewrite E. trivial.
Qed.

(* The invariants of the locations. *)
Definition invariants (s : state) : list (list atom) := located (fun l => [l_invariant l]) s.
Lemma invariants_flat s : invariants s =
  flat_map (fun p => match location_of n s p with None => [] | Some l => [l_invariant l] end) (processes n).
Proof.
  unfold invariants, located. rewrite <- zip_seq. unfold processes. apply flat_map_ext.
  intro p. unfold location_of. destruct (nth_error (n_processes n) p) as [ls|]; [|trivial].
  destruct (nth_error (locs s) p) as [l|]; trivial.
Qed.
(* The rates of clocks. *)
Definition rates_at (s : state) : list (res (nat * Z)) :=
  located (fun l => map (fun r => x <- clock_of n s [] (fst r) ; z <- eval n s [] (snd r) ; Ok (x, z)) (l_rates l)) s.
Lemma rates_at_rated s : rates_at s = rated n s.
Proof.
  unfold rates_at, located, rated. rewrite <- zip_seq. unfold processes. apply flat_map_ext.
  intro p. unfold location_of. destruct (nth_error (n_processes n) p) as [ls|]; [|trivial].
  destruct (nth_error (locs s) p) as [l|]; trivial.
Qed.
Lemma invariants_hold s v : holds n s v (invariant n s) ->
  exists ts, judge_all s (invariants s) = Some (false, ts) /\ all_hold ts v.
Proof.
  intro H. apply judge_all_holds. intros g I a J. apply H. unfold invariant. apply in_flat_map.
  rewrite invariants_flat in I. apply in_flat_map in I. destruct I as (p & P & I). exists p. split; trivial.
  unfold invariant_of. destruct (location_of n s p); [|destruct I]. destruct I as [<-|[]]. trivial.
Qed.
Lemma invariants_fail s : invariant_fails n s -> exists ts, judge_all s (invariants s) = Some (true, ts).
Proof.
  intros (b & p & a & E & F & H). rewrite invariants_flat, E, flat_map_app. cbn [flat_map].
  unfold invariant_of in F at 1. destruct (location_of n s p) as [l|].
  - apply judge_all_errs; [exact F|]. intros g x I J. apply in_flat_map in I. destruct I as (q & Q & I).
    apply (H q); trivial. unfold invariant_of. destruct (location_of n s q); [|destruct I].
    destruct I as [<-|[]]. trivial.
  - destruct F as (_ & x & y & z & F & _). destruct x; discriminate.
Qed.

(* ---- Joint transitions ---- *)

Definition out_edges (s : state) (p : nat) : list edge :=
  match location_of n s p with None => [] | Some l => l_out l end.
Lemma here_out s p e : here n s p e <-> In e (out_edges s p).
Proof.
  unfold here, out_edges. split.
  - intros (l & E & I). rewrite E. trivial.
  - destruct (location_of n s p) as [l|]; [eauto|intros []].
Qed.

Definition shared_b (p event : nat) : bool :=
  existsb (existsb (fun q => Nat.eqb (p_process q) p && Nat.eqb (p_event q) event)) (n_syncs n).
Lemma shared_b_sound p ev : shared_b p ev = true -> shared n p ev.
Proof.
  unfold shared_b. intro H. apply existsb_exists in H. destruct H as (ps & I & H).
  apply existsb_exists in H. destruct H as (q & J & H). apply andb_prop in H.
  destruct H as [A B]. apply Nat.eqb_eq in A, B. exists ps, q; auto.
Qed.

(* The edges that are taken alone, by process and location: found once. *)
Definition alone (p : nat) (ls : list location) : list (list edge) :=
  map (fun l => filter (fun e => negb (shared_b p (e_event e))) (l_out l)) ls.
Fixpoint alone_from (p : nat) (pss : list (list location)) : list (list (list edge)) :=
  match pss with [] => [] | ls :: pss => alone p ls :: alone_from (S p) pss end.
Definition table := alone_from 0 (n_processes n).

Lemma alone_nth pss : forall p k, nth_error (alone_from p pss) k =
  match nth_error pss k with None => None | Some ls => Some (alone (p + k) ls) end.
Proof.
  induction pss as [|ls pss IH]; intros p [|k]; simpl; trivial.
  - rewrite Nat.add_0_r. trivial.
  - rewrite IH. replace (S p + k)%nat with (p + S k)%nat by lia. trivial.
Qed.
Lemma alone_length pss : forall p, length (alone_from p pss) = length pss.
Proof. induction pss; intros; simpl; auto. Qed.

Definition singles (t : list (list (list edge))) (s : state) : list (list edge) :=
  map (fun e => [e]) (zip (fun ls l => nth l ls []) t (locs s)).
Lemma singles_in s p e : In p (processes n) -> here n s p e -> ~ shared n p (e_event e) ->
  In [e] (singles table s).
Proof.
  intros P (x & L & I) N. unfold singles. apply in_map with (f := fun e => [e]).
  rewrite <- zip_seq. apply in_flat_map. exists p. unfold table. rewrite alone_length. split; [exact P|].
  rewrite alone_nth. unfold location_of in L. destruct (nth_error (n_processes n) p) as [ls|]; [|discriminate].
  destruct (nth_error (locs s) p) as [l|]; [|discriminate]. cbn [Nat.add].
  assert (E : nth_error (alone p ls) l = Some (filter (fun e => negb (shared_b p (e_event e))) (l_out x)))
    by (unfold alone; apply map_nth_error with (f := fun l => filter (fun e => negb (shared_b p (e_event e))) (l_out l)); exact L).
  rewrite (nth_error_nth _ _ _ E). apply filter_In. split; trivial.
  destruct (shared_b p (e_event e)) eqn:S; [exfalso; apply N, shared_b_sound; trivial|trivial].
Qed.

(* Conditions that tests say exactly. *)
Definition exact (s : state) (a : atom) : bool :=
  match ask n s a with Asks _ _ Ne _ => false | Asks _ _ _ c => small c | _ => true end.
Lemma tests_exact i j o c v : o <> Ne -> small c = true -> all_hold (tests i j o c) v ->
  clock_compare o (val v i - val v j) (inject_Z c).
Proof.
  intros N S A. unfold small in S. split_and. unfold tests in A.
  assert (U : forall i j c, -4294967296 <= c <= 4294967296 -> meets (at_most i j c) v -> (val v i - val v j <= inject_Z c)%Q).
  { intros x y k B [M|M]; cbn [at_most t_bound t_i t_j] in M; [unfold INF in M; lia|]. unfold half, diff in M.
    pose proof (div2_eq (2 * k + 1)) as E. destruct (Z.odd (2 * k + 1)); [|lia]. replace (Z.div2 (2 * k + 1)) with k in M by lia. exact M. }
  assert (W : forall i j c, -4294967296 <= c <= 4294967296 -> meets (below i j c) v -> (val v i - val v j < inject_Z c)%Q).
  { intros x y k B [M|M]; cbn [below t_bound t_i t_j] in M; [unfold INF in M; lia|]. unfold half, diff in M.
    pose proof (div2_eq (2 * k)) as E. destruct (Z.odd (2 * k)); [lia|]. replace (Z.div2 (2 * k)) with k in M by lia. exact M. }
  pose proof (inject_Z_opp c) as O.
  destruct o; cbn [cases] in A; try congruence.
  - pose proof (U i j c ltac:(lia) (A _ (or_introl eq_refl))) as X.
    pose proof (U j i (- c) ltac:(lia) (A _ (or_intror (or_introl eq_refl)))) as Y. rewrite O in Y. cbn [clock_compare].
    apply Qle_antisym; [exact X|]. lra.
  - exact (W i j c ltac:(lia) (A _ (or_introl eq_refl))).
  - exact (U i j c ltac:(lia) (A _ (or_introl eq_refl))).
  - pose proof (W j i (- c) ltac:(lia) (A _ (or_introl eq_refl))) as Y. rewrite O in Y. cbn [clock_compare]. lra.
  - pose proof (U j i (- c) ltac:(lia) (A _ (or_introl eq_refl))) as Y. rewrite O in Y. cbn [clock_compare]. lra.
Qed.
Lemma judge_exact s v g : forallb (exact s) g = true -> forall ts, judge s g = Some (false, ts) -> all_hold ts v -> holds n s v g.
Proof.
  induction g as [|a g IH]; intros E ts J A x I; [destruct I|]. cbn [forallb] in E. apply andb_prop in E. destruct E as [Ea Eg].
  cbn [judge] in J. unfold exact in Ea. destruct (ask n s a) as [[|]|i j o c|] eqn:Q; try discriminate.
  - destruct I as [<-|I]; [unfold is; rewrite Q; trivial|eapply IH; eauto].
  - destruct (judge s g) as [[[|] ts']|]; try discriminate. injection J as <-. destruct I as [<-|I].
    + unfold is. rewrite Q. apply tests_exact; [intros ->; discriminate|destruct o; trivial; discriminate|].
      intros t T. apply A, in_or_app. auto.
    + eapply IH; eauto. intros t T. apply A, in_or_app. auto.
  - destruct (simples s g); discriminate.
Qed.

(* An edge refuses, or its guard is not false and the tests of it hold. *)
Lemma is_false_dec s v a : is n false s v a \/ ~ is n false s v a.
Proof.
  unfold is. destruct (ask n s a) as [[|]|i j o c|]; [right; discriminate|left; trivial| |right; intros []].
  destruct (opposite_or o (val v i - val v j) (inject_Z c)) as [X|[X _]]; [right; intro Y; tauto|left; trivial].
Qed.
Lemma errs_dec s v g : errs n s (is n false s v) g \/ ~ errs n s (is n false s v) g.
Proof.
  assert (A : (forall a, In a g -> simple a = true -> ~ is n false s v a) \/ ~ forall a, In a g -> simple a = true -> ~ is n false s v a).
  { induction g as [|a g IH]; [left; intros a []|]. destruct (simple a) eqn:S.
    - destruct (is_false_dec s v a) as [F|F]; [right; intro H; exact (H a (or_introl eq_refl) S F)|].
      destruct IH as [IH|IH]; [left; intros b [<-|I]; auto|right; intro H; apply IH; intros; apply H; [right|]; trivial].
    - destruct IH as [IH|IH]; [left; intros b [<-|I] X; [congruence|auto]|right; intro H; apply IH; intros; apply H; [right|]; trivial]. }
  assert (B : (exists before a after, g = before ++ a :: after /\ ask n s a = Wrong /\ forall b, In b before -> ~ is n false s v b) \/
    ~ exists before a after, g = before ++ a :: after /\ ask n s a = Wrong /\ forall b, In b before -> ~ is n false s v b).
  { clear A. induction g as [|a g IH]; [right; intros (before & a & after & E & _); destruct before; discriminate|].
    assert (W : ask n s a = Wrong \/ ask n s a <> Wrong) by (destruct (ask n s a); [right|right|left]; congruence).
    destruct W as [W|W]; [left; exists [], a, g; split; [trivial|split; [trivial|intros b []]]|].
    destruct (is_false_dec s v a) as [F|F].
    - right. intros ([|b before] & x & after & E & Wx & N); simpl in E; injection E as -> ->; [congruence|]. exact (N b (or_introl eq_refl) F).
    - destruct IH as [(before & x & after & E & Wx & N)|IH].
      + left. exists (a :: before), x, after. subst g. split; [trivial|split; [trivial|]]. intros b [<-|I]; auto.
      + right. intros ([|b before] & x & after & E & Wx & N); simpl in E; injection E as -> ->; [congruence|].
        apply IH. exists before, x, after. split; [trivial|split; [trivial|]]. intros; apply N; right; trivial. }
  unfold errs. tauto.
Qed.
Lemma refuses_dec s v e : refuses n s v e \/ ~ refuses n s v e.
Proof.
  unfold refuses. assert (F : (exists a, In a (e_guard e) /\ is n false s v a) \/ ~ exists a, In a (e_guard e) /\ is n false s v a).
  { induction (e_guard e) as [|a g IH]; [right; intros (a & [] & _)|].
    destruct (is_false_dec s v a) as [D|D]; [left; exists a; split; [left|]; trivial|].
    destruct IH as [(x & I & F)|IH]; [left; exists x; split; [right|]; trivial|right].
    intros (x & [<-|I] & F); [tauto|]. apply IH. eauto. }
  destruct (errs_dec s v (e_guard e)); tauto.
Qed.
Lemma judge_not_false s v g : (forall a, In a g -> ~ is n false s v a) -> exists w ts, judge s g = Some (w, ts) /\ all_hold ts v.
Proof.
  intro H. destruct (judge_some s g) as ([w ts] & J).
  { intros a I E. apply (H a I). unfold is. unfold never in E. rewrite E. trivial. }
  exists w, ts. split; [trivial|]. destruct w; [eapply judge_wrong_tests; eauto|].
  revert ts J. induction g as [|a g IH]; intros ts J; cbn [judge] in J; [injection J as <-; apply all_hold_nil|].
  assert (H' : forall a, In a g -> ~ is n false s v a) by (intros; apply H; right; trivial).
  pose proof (H a (or_introl eq_refl)) as F. unfold is in F.
  destruct (ask n s a) as [[|]|i j o c|]; [auto|discriminate| |destruct (simples s g); discriminate].
  destruct (judge s g) as [[[|] ts']|]; try discriminate. injection J as <-. apply all_hold_app; [apply not_false_tests; trivial|auto].
Qed.
Lemma judge_not_refused s v e : ~ refuses n s v e -> exists w ts, judge s (e_guard e) = Some (w, ts) /\ all_hold ts v.
Proof.
  intro R. destruct (errs_dec s v (e_guard e)) as [E|E].
  - destruct (judge_errs s v _ E) as (ts & J & A). eauto.
  - apply judge_not_false. intros a I F. apply R. split; [eauto|exact E].
Qed.
Lemma holds_not_refused s v e : holds n s v (e_guard e) -> ~ refuses n s v e.
Proof.
  intros H [(a & I & F) _]. specialize (H a I). unfold is in *. destruct (ask n s a) as [t|i j o c|]; [congruence|tauto|tauto].
Qed.
Lemma guard_part s v es e : holds n s v (guard es) -> In e es -> holds n s v (e_guard e).
Proof. intros H I a A. apply H. unfold guard. apply in_flat_map. eauto. Qed.

(* What is left of a conjunction where another one does not hold: the first of its tests is false, the second, ... *)
Fixpoint pieces (part ts : list test) : list (list test) :=
  match ts with [] => [] | t :: ts => (part ++ [negated t]) :: pieces (part ++ [t]) ts end.
Definition leave (known : list test) (conj : list test) (parts : list (list test)) : list (list test) :=
  flat_map (fun part => if clash (part ++ conj) then [part] else filter (fun c => negb (clash (known ++ c))) (pieces part conj)) parts.
Lemma pieces_sound v ts : forall part, all_hold part v -> ~ all_hold ts v -> exists c, In c (pieces part ts) /\ all_hold c v.
Proof.
  induction ts as [|t ts IH]; intros part P N; [destruct N; apply all_hold_nil|]. cbn [pieces].
  destruct (sat_dec (t_bound t) (diff v (t_i t) (t_j t))) as [M|M].
  - destruct (IH (part ++ [t])) as (c & I & A); [apply all_hold_app; [trivial|intros u [<-|[]]; exact M]| |exists c; split; [right|]; trivial].
    intro A. apply N. intros u [<-|U]; [exact M|auto].
  - exists (part ++ [negated t]). split; [left; trivial|]. apply all_hold_app; [trivial|]. intros u [<-|[]]. apply negated_meets. exact M.
Qed.
Lemma leave_sound v known conj parts : nonneg v -> all_hold known v -> ~ all_hold conj v ->
  (exists c, In c parts /\ all_hold c v) -> exists c, In c (leave known conj parts) /\ all_hold c v.
Proof.
  intros Nn K N (p & I & P). unfold leave.
  destruct (clash (p ++ conj)) eqn:C.
  - exists p. split; [|trivial]. apply in_flat_map. exists p. rewrite C. split; [|left]; trivial.
  - destruct (pieces_sound v conj p P N) as (c & Ic & Hc). exists c. split; [|trivial]. apply in_flat_map. exists p. split; [trivial|].
    rewrite C. apply filter_In. split; [trivial|]. destruct (clash (known ++ c)) eqn:D; [exfalso|trivial].
    exact (clash_sound _ v Nn D (all_hold_app _ _ _ K Hc)).
Qed.

(* Where all of these edges refuse, as a disjunction: more than that if one is not known exactly. Simple atoms come last, as in the
   certificates of tarn, whose pieces of zones are the same then. *)
Definition sorted (g : list atom) : list atom := filter (fun a => negb (simple a)) g ++ filter simple g.
Definition sorted_guard (es : list edge) : list atom := flat_map (fun e => sorted (e_guard e)) es.
Lemma sorted_in a g : In a (sorted g) <-> In a g.
Proof.
  unfold sorted. rewrite in_app_iff, !filter_In. split; [tauto|]. intro I. destruct (simple a); auto.
Qed.
Lemma sorted_guard_holds s v es : holds n s v (sorted_guard es) -> holds n s v (guard es).
Proof.
  intros H a I. apply H. unfold guard, sorted_guard in *. rewrite in_flat_map in *. destruct I as (e & Ie & Ia).
  exists e. rewrite sorted_in. auto.
Qed.
Definition absence (s : state) (l : list edge) : list (list test) :=
  fold_left (fun parts e => match judge s (sorted (e_guard e)) with
    | Some (false, ts) => if forallb (exact s) (sorted (e_guard e)) then leave [] ts parts else parts
    | _ => parts end) l [[]].
Lemma absence_sound s v l : nonneg v -> (forall e, In e l -> refuses n s v e) -> exists c, In c (absence s l) /\ all_hold c v.
Proof.
  intros Nn H. unfold absence. assert (P : exists c, In c [[]] /\ all_hold c v) by (exists []; split; [left; trivial|apply all_hold_nil]).
  revert P. generalize ([[]] : list (list test)). induction l as [|e l IH]; intros parts P; [exact P|]. cbn [fold_left]. apply IH; [intros; apply H; right; trivial|].
  destruct (judge s (sorted (e_guard e))) as [[[|] ts]|] eqn:J; trivial. destruct (forallb _ _) eqn:E; trivial.
  apply leave_sound; trivial; [apply all_hold_nil|]. intro A. destruct (H e (or_introl eq_refl)) as [(a & I & F) _].
  pose proof (judge_exact s v _ E _ J A a ltac:(apply sorted_in; trivial)) as T. unfold is in *. destruct (ask n s a) as [t|i j o c|]; [congruence|tauto|tauto].
Qed.

(* Edges that may be taken together; the tests under which it is these; the tests of the receivers' guards; the edges of
   receivers that stay out, which refuse. *)
Record offer := Offer { o_edges : list edge; o_tests : list test; o_known : list test; o_out : list edge }.
Definition is_nil {A} (l : list A) : bool := match l with [] => true | _ => false end.
Definition taken (e : edge) (known : list test) (o : offer) : offer := Offer (e :: o_edges o) (o_tests o) (known ++ o_known o) (o_out o).
Definition stayed (out : list edge) (ts : list test) (o : offer) : offer := Offer (o_edges o) (ts ++ o_tests o) (ts ++ o_known o) (out ++ o_out o).
Fixpoint unfold_sync (s : state) (ps : list part) : list offer :=
  match ps with
  | [] => [Offer [] [] [] []]
  | p :: ps =>
    let l := filter (fun e => Nat.eqb (e_event e) (p_event p)) (out_edges s (p_process p)) in
    match p_kind p with
    | Receiver =>
      let rest := unfold_sync s ps in
      flat_map (fun e => match judge s (e_guard e) with None => [] | Some (_, ts) => map (taken e ts) rest end) l ++
      flat_map (fun ts => map (stayed l ts) rest) (absence s l)
    | k =>
      match l with
      | [] => match k with Weak => unfold_sync s ps | _ => [] end
      | l => let rest := unfold_sync s ps in flat_map (fun e => map (taken e []) rest) l
      end
    end
  end.
Lemma taken_nil_edges e o : o_edges (taken e [] o) = e :: o_edges o.
Proof. reflexivity. Qed.
Lemma joins_unfold s v ps es : nonneg v -> joins n s v ps es -> exists o, In o (unfold_sync s ps) /\ o_edges o = es /\
  all_hold (o_tests o) v /\ all_hold (o_known o) v /\ forall e, In e (o_out o) -> refuses n s v e.
Proof.
  intro Nn. induction 1 as [|p ps e es H E Nr J (o & Io & Eo & To & Ko & Oo)|p ps es W N J (o & Io & Eo & To & Ko & Oo)]; cbn [unfold_sync].
  - exists (Offer [] [] [] []). split; [left; trivial|]. split; [trivial|]. split; [apply all_hold_nil|]. split; [apply all_hold_nil|]. intros e [].
  - apply here_out in H. set (l := filter _ _).
    assert (I : In e l) by (apply filter_In; split; [trivial|apply Nat.eqb_eq; trivial]).
    assert (K : p_kind p <> Receiver -> In (taken e [] o) (match l with [] => match p_kind p with Weak => unfold_sync s ps | _ => [] end
       | l => flat_map (fun e => map (taken e []) (unfold_sync s ps)) l end)).
    { intros _. destruct l as [|e0 l']; [destruct I|]. apply in_flat_map. exists e. split; [trivial|apply in_map; trivial]. }
    destruct (p_kind p) eqn:Kp.
    + exists (taken e [] o). split; [apply K; discriminate|]. simpl. rewrite Eo. auto.
    + exists (taken e [] o). split; [apply K; discriminate|]. simpl. rewrite Eo. auto.
    + destruct (judge_not_refused s v e (Nr eq_refl)) as (w & ts & Jt & A).
      exists (taken e ts o). split; [apply in_or_app; left; apply in_flat_map; exists e; split; [trivial|rewrite Jt; apply in_map; trivial]|].
      simpl. rewrite Eo. split; [trivial|]. split; [trivial|]. split; [apply all_hold_app; trivial|trivial].
  - set (l := filter _ _).
    assert (L : forall e, In e l -> p_kind p = Receiver /\ refuses n s v e).
    { intros e I. apply filter_In in I. destruct I as [I1 I2]. apply Nat.eqb_eq in I2. apply N; [apply here_out|]; trivial. }
    destruct (p_kind p) eqn:Kp; [congruence| |].
    + destruct l as [|e0 l']; [|destruct (L e0 (or_introl eq_refl)); discriminate]. exists o. auto.
    + destruct (absence_sound s v l Nn) as (c & Ic & Ac); [intros; apply L; trivial|].
      exists (stayed l c o). split; [apply in_or_app; right; apply in_flat_map; exists c; split; [trivial|apply in_map; trivial]|].
      simpl. split; [trivial|]. split; [apply all_hold_app; trivial|]. split; [apply all_hold_app; trivial|].
      intros e I. apply in_app_or in I. destruct I as [I|I]; [apply L|apply Oo]; trivial.
Qed.

Definition committed_b (s : state) (p : nat) : bool :=
  match location_of n s p with None => false | Some l => l_committed l end.
Lemma committed_b_iff s p : committed_b s p = true <-> committed n s p.
Proof.
  unfold committed_b, committed. destruct (location_of n s p) as [l|]; split; eauto.
  - intros (x & E & C). injection E as <-. trivial.
  - discriminate.
  - intros (x & E & _). discriminate.
Qed.
Definition some_committed (s : state) : bool :=
  negb (is_nil (located (fun l => if l_committed l then [tt] else []) s)).

(* Tests that hold where no simple atom of the edge is false. *)
Definition simple_tests (s : state) (e : edge) : list test :=
  flat_map (fun a => if simple a then match ask n s a with Asks i j o c => tests i j o c | _ => [] end else []) (e_guard e).
Lemma simple_tests_hold s v e : (forall a, In a (e_guard e) -> simple a = true -> ~ is n false s v a) -> all_hold (simple_tests s e) v.
Proof.
  intros H t I. unfold simple_tests in I. apply in_flat_map in I. destruct I as (a & Ia & I). destruct (simple a) eqn:S; [|destruct I].
  pose proof (H a Ia S) as F. unfold is in F. destruct (ask n s a) as [b|i j o c|]; [destruct I| |destruct I].
  apply (not_false_tests v i j o c F). trivial.
Qed.
(* What the guards of the sender and of the receivers contradict is left out. *)
Definition impossible (s : state) (o : offer) : bool :=
  negb (is_nil (o_known o)) && clash (match o_edges o with [] => [] | e :: _ => simple_tests s e end ++ o_known o).
Definition offers (t : list (list (list edge))) (s : state) : list offer :=
  let all := flat_map (fun ps => filter (fun o => negb (is_nil (o_edges o)) && negb (impossible s o)) (unfold_sync s ps)) (n_syncs n) ++
             map (fun es => Offer es [] [] []) (singles t s) in
  if some_committed s then filter (fun o => existsb (fun e => committed_b s (e_process e)) (o_edges o)) all else all.

Lemma joint_offer s v es : nonneg v -> joint n s v es -> (forall a, In a (guard es) -> simple a = true -> ~ is n false s v a) -> exists o, In o (offers table s) /\ o_edges o = es /\ all_hold (o_tests o) v /\
  forall e, In e (o_out o) -> refuses n s v e.
Proof.
  intros Nn [J C] Si. unfold offers. set (all := flat_map _ (n_syncs n) ++ _).
  assert (I : exists o, In o all /\ o_edges o = es /\ all_hold (o_tests o) v /\ forall e, In e (o_out o) -> refuses n s v e).
  { destruct J as [(ps & I & J & N)|(p & e & -> & I & H & N)].
    - destruct (joins_unfold s v ps es Nn J) as (o & Io & Eo & To & Ko & Oo). exists o. split; [|auto]. apply in_or_app. left.
      apply in_flat_map. exists ps; split; trivial. apply filter_In. split; [trivial|]. rewrite Eo. apply andb_true_intro. split.
      + destruct es; [congruence|trivial].
      + unfold impossible. rewrite Eo. destruct (clash _) eqn:K; [exfalso|rewrite andb_false_r; trivial].
        apply (clash_sound _ v Nn K). apply all_hold_app; [|trivial]. destruct es as [|e l]; [apply all_hold_nil|].
        apply simple_tests_hold. intros a Ia. apply Si. unfold guard. simpl. apply in_or_app. left. trivial.
    - exists (Offer [e] [] [] []). split; [|simpl; split; [trivial|]; split; [apply all_hold_nil|intros x []]]. apply in_or_app. right.
      apply (in_map (fun es => Offer es [] [] [])), (singles_in s p); trivial. }
  destruct I as (o & I & Eo & R). exists o. split; [|auto].
  destruct (some_committed s) eqn:E; [|trivial]. apply filter_In; split; trivial. rewrite Eo.
  unfold some_committed in E. destruct (located _ s) as [|u us] eqn:L; [discriminate|].
  assert (U : In u (located (fun l => if l_committed l then [tt] else []) s)) by (rewrite L; left; trivial).
  apply located_in in U. destruct U as (p & l & P & El & Il).
  destruct C as (e & Ie & Ce).
  - exists p. split; trivial. exists l. split; trivial. destruct (l_committed l); [trivial|destruct Il].
  - apply existsb_exists. exists e; split; trivial. apply committed_b_iff; trivial.
Qed.

(* The converse: an offer is a joint transition where its edges' guards hold and those that stay out refuse. *)
Lemma unfold_joins s v ps : forall o, In o (unfold_sync s ps) -> holds n s v (guard (o_edges o)) ->
  (forall e, In e (o_out o) -> refuses n s v e) -> joins n s v ps (o_edges o).
Proof.
  induction ps as [|p ps IH]; intros o I G O; cbn [unfold_sync] in I; [destruct I as [<-|[]]; constructor|].
  set (l := filter (fun e => Nat.eqb (e_event e) (p_event p)) (out_edges s (p_process p))) in I.
  assert (L : forall e, In e l <-> here n s (p_process p) e /\ e_event e = p_event p).
  { intro e. unfold l. rewrite filter_In, here_out, Nat.eqb_eq. tauto. }
  assert (T : forall e ts o', In e l -> In o' (unfold_sync s ps) -> o = taken e ts o' -> joins n s v (p :: ps) (o_edges o)).
  { intros e ts o' Ie Io ->. simpl in *. apply L in Ie. destruct Ie as [H E]. apply joins_take; trivial.
    - intros _. apply holds_not_refused. intros a A. apply G. apply in_or_app. left. trivial.
    - apply IH; trivial. intros a A. apply G. apply in_or_app. right. trivial. }
  assert (K : forall k : kind, k <> Receiver -> p_kind p = k -> In o (match l with [] => match k with Weak => unfold_sync s ps | _ => [] end
       | l => flat_map (fun e => map (taken e []) (unfold_sync s ps)) l end) -> joins n s v (p :: ps) (o_edges o)).
  { intros k Nk Kp J. destruct l as [|e0 l'] eqn:El.
    - destruct k; [destruct J| |congruence]. apply joins_skip; [rewrite Kp; discriminate| |auto].
      intros e H E. assert (X : In e []) by (apply L; auto). destruct X.
    - apply in_flat_map in J. destruct J as (e & Ie & J). apply in_map_iff in J. destruct J as (o' & <- & Io). eapply T; eauto. }
  destruct (p_kind p) eqn:Kp; [apply (K Strong); trivial; discriminate|apply (K Weak); trivial; discriminate|].
  apply in_app_or in I. destruct I as [I|I]; apply in_flat_map in I.
  - destruct I as (e & Ie & I). destruct (judge s (e_guard e)) as [[w ts]|]; [|destruct I].
    apply in_map_iff in I. destruct I as (o' & <- & Io). eapply T; eauto.
  - destruct I as (c & Ic & I). apply in_map_iff in I. destruct I as (o' & <- & Io). simpl in *.
    apply joins_skip; [rewrite Kp; discriminate| |].
    + intros e H E. split; [trivial|]. apply O, in_or_app. left. apply L. auto.
    + apply IH; trivial. intros e H. apply O, in_or_app. right. trivial.
Qed.
Lemma shared_b_complete p ev : shared n p ev -> shared_b p ev = true.
Proof.
  intros (ps & q & I & J & A & B). apply existsb_exists. exists ps. split; trivial.
  apply existsb_exists. exists q. split; trivial. rewrite A, B, !Nat.eqb_refl. trivial.
Qed.
Lemma singles_single s es : In es (singles table s) ->
  exists p e, es = [e] /\ In p (processes n) /\ here n s p e /\ ~ shared n p (e_event e).
Proof.
  unfold singles. intro I. apply in_map_iff in I. destruct I as (e & <- & I).
  rewrite <- zip_seq in I. apply in_flat_map in I. destruct I as (p & P & I). exists p, e.
  unfold table in P, I. rewrite alone_length in P. rewrite alone_nth in I.
  split; [trivial|split; [exact P|]]. unfold here, location_of.
  destruct (nth_error (n_processes n) p) as [ls|]; [|destruct I].
  destruct (nth_error (locs s) p) as [l|]; [|destruct I]. cbn [Nat.add] in I.
  destruct (nth_error ls l) as [x|] eqn:E.
  - assert (N : nth_error (alone p ls) l = Some (filter (fun e => negb (shared_b p (e_event e))) (l_out x)))
      by (unfold alone; apply map_nth_error with (f := fun l => filter (fun e => negb (shared_b p (e_event e))) (l_out l)); exact E).
    rewrite (nth_error_nth _ _ _ N) in I. apply filter_In in I. destruct I as [I F].
    split; [exists x; auto|]. intro S. rewrite (shared_b_complete _ _ S) in F. discriminate.
  - apply nth_error_None in E. rewrite nth_overflow in I by (unfold alone; rewrite map_length; trivial). destruct I.
Qed.
Lemma offer_joint s v o : In o (offers table s) -> holds n s v (guard (o_edges o)) ->
  (forall e, In e (o_out o) -> refuses n s v e) -> joint n s v (o_edges o).
Proof.
  unfold offers. set (all := flat_map _ (n_syncs n) ++ _). intros Io G O.
  assert (A : In o all -> (exists ps, In ps (n_syncs n) /\ joins n s v ps (o_edges o) /\ o_edges o <> []) \/
     (exists p e, o_edges o = [e] /\ In p (processes n) /\ here n s p e /\ ~ shared n p (e_event e))).
  { intro I. apply in_app_or in I. destruct I as [I|I].
    - left. apply in_flat_map in I. destruct I as (ps & P & I). apply filter_In in I. destruct I as [I F].
      apply andb_prop in F. destruct F as [F _].
      exists ps. split; [trivial|split; [apply unfold_joins; trivial|]]. intro Z. rewrite Z in F. discriminate.
    - right. apply in_map_iff in I. destruct I as (es & <- & I). apply singles_single; trivial. }
  destruct (some_committed s) eqn:C.
  - apply filter_In in Io. destruct Io as [I F]. split; [auto|]. intros _.
    apply existsb_exists in F. destruct F as (e & Ie & F). exists e. split; trivial. apply committed_b_iff; trivial.
  - split; [auto|]. intros (p & P & (l & L & Cl)). exfalso. unfold some_committed in C.
    assert (U : In tt (located (fun l => if l_committed l then [tt] else []) s)).
    { apply located_in. exists p, l. rewrite Cl. split; [trivial|split; [trivial|left; trivial]]. }
    destruct (located _ s); [destruct U|discriminate].
Qed.

(* An edge refuses where these tests hold. *)
Definition sure_out (s : state) (ts : list test) (e : edge) : bool :=
  match judge s (e_guard e) with None => true | Some (_, us) => clash (us ++ ts) end.
Lemma sure_out_sound s v ts e : nonneg v -> all_hold ts v -> sure_out s ts e = true -> refuses n s v e.
Proof.
  intros Nn A S. destruct (refuses_dec s v e) as [R|R]; [trivial|exfalso].
  destruct (judge_not_refused s v e R) as (w & us & J & B).
  unfold sure_out in S. rewrite J in S. exact (clash_sound _ v Nn S (all_hold_app _ _ _ B A)).
Qed.

(* ---- Priorities ---- *)

(* When this offer is surely there: its guards and its tests; None: it is not, or that is not known. *)
Definition surely (s : state) (o : offer) : option (list test) :=
  match judge s (sorted_guard (o_edges o)) with
  | Some (false, ts) =>
    let all := ts ++ o_tests o in
    if forallb (exact s) (sorted_guard (o_edges o)) && forallb (sure_out s all) (o_out o) then Some all else None
  | _ => None
  end.
Lemma surely_sound s v o ts : nonneg v -> In o (offers table s) -> surely s o = Some ts -> all_hold ts v ->
  joint n s v (o_edges o) /\ holds n s v (guard (o_edges o)).
Proof.
  intros Nn I S A. unfold surely in S. destruct (judge s (sorted_guard (o_edges o))) as [[[|] us]|] eqn:J; try discriminate.
  cbv zeta in S. destruct (_ && _) eqn:E; [|discriminate]. injection S as <-. apply andb_prop in E. destruct E as [E F].
  assert (H : holds n s v (sorted_guard (o_edges o))) by (eapply judge_exact; eauto; intros t T; apply A, in_or_app; auto).
  apply sorted_guard_holds in H.
  split; [|trivial]. apply offer_joint; trivial. intros e Ie. rewrite forallb_forall in F. eapply sure_out_sound; eauto.
Qed.
Definition net_inv (s : state) : option (list test) :=
  match judge_all s (invariants s) with Some (false, ts) => Some ts | _ => None end.
Definition standing (s : state) : list test := match net_inv s with Some ts => ts | None => [] end.
Lemma standing_holds s v : inv_holds state net_inv s v -> all_hold (standing s) v.
Proof. intros (ts & E & A). unfold standing. rewrite E. exact A. Qed.
Definition has_ranks : bool := negb (is_nil (n_channel_ranks n) && is_nil (n_process_ranks n)).
Definition cut (s : state) (all : list offer) (o : offer) : list offer :=
  match judge s (guard (o_edges o)) with
  | None => []
  | Some (_, ts) =>
    let known := ts ++ o_tests o ++ standing s in
    let above := flat_map (fun o' => if higher n (o_edges o') (o_edges o) then match surely s o' with None => [] | Some c => [c] end else []) all in
    map (fun part => Offer (o_edges o) (part ++ o_tests o) (o_known o) (o_out o)) (fold_left (fun parts c => leave known c parts) above [[]])
  end.
Definition joints (t : list (list (list edge))) (s : state) : list offer :=
  let all := offers t s in if has_ranks then flat_map (cut s all) all else all.

Lemma not_false_holds s v g : holds n s v g -> forall a, In a g -> simple a = true -> ~ is n false s v a.
Proof.
  intros H a I _ F. specialize (H a I). unfold is in *. destruct (ask n s a) as [t|i j o c|]; [congruence|tauto|tauto].
Qed.
Lemma joint_in s v es w ts : nonneg v -> inv_holds state net_inv s v -> joint n s v es -> (forall a, In a (guard es) -> simple a = true -> ~ is n false s v a) -> ~ outranked n s v es -> judge s (guard es) = Some (w, ts) -> all_hold ts v ->
  exists o, In o (joints table s) /\ o_edges o = es /\ all_hold (o_tests o) v.
Proof.
  intros Nn Iv J Si R Ju A. destruct (joint_offer s v es Nn J Si) as (o & I & E & T & O). unfold joints. cbv zeta.
  destruct has_ranks; [|exists o; auto].
  assert (L : exists part, In part (fold_left (fun parts c => leave (ts ++ o_tests o ++ standing s) c parts)
     (flat_map (fun o' => if higher n (o_edges o') (o_edges o) then match surely s o' with None => [] | Some c => [c] end else []) (offers table s)) [[]]) /\ all_hold part v).
  { assert (N : forall c, In c (flat_map (fun o' => if higher n (o_edges o') (o_edges o) then match surely s o' with None => [] | Some c => [c] end else []) (offers table s)) -> ~ all_hold c v).
    { intros c Ic B. apply in_flat_map in Ic. destruct Ic as (o' & Io' & Ic). destruct (higher n (o_edges o') (o_edges o)) eqn:H; [|destruct Ic].
      destruct (surely s o') as [c'|] eqn:S; [|destruct Ic]. destruct Ic as [->|[]]. destruct (surely_sound s v o' c Nn Io' S B) as [J' G'].
      apply R. exists (o_edges o'). rewrite <- E. auto. }
    revert N. generalize (flat_map (fun o' => if higher n (o_edges o') (o_edges o) then match surely s o' with None => [] | Some c => [c] end else []) (offers table s)).
    intros above N. assert (P : exists c, In c [[]] /\ all_hold c v) by (exists []; split; [left; trivial|apply all_hold_nil]).
    revert P. generalize ([[]] : list (list test)). induction above as [|c above IH]; intros parts P; [exact P|]. cbn [fold_left]. apply IH.
    - intros; apply N; right; trivial.
    - apply leave_sound; trivial; [apply all_hold_app; [trivial|apply all_hold_app; [trivial|apply standing_holds; trivial]]|]. apply N. left. trivial. }
  destruct L as (part & Ip & Ap). exists (Offer (o_edges o) (part ++ o_tests o) (o_known o) (o_out o)).
  split; [|simpl; split; [trivial|apply all_hold_app; trivial]]. apply in_flat_map. exists o. split; [trivial|].
  unfold cut. rewrite E, Ju. cbv zeta. rewrite <- E. apply (in_map (fun part => Offer (o_edges o) (part ++ o_tests o) (o_known o) (o_out o))). trivial.
Qed.
Lemma joints_offer s o : In o (joints table s) -> exists o', In o' (offers table s) /\ o_edges o' = o_edges o /\ o_out o' = o_out o.
Proof.
  unfold joints. cbv zeta. destruct has_ranks; [|eauto]. intro I. apply in_flat_map in I. destruct I as (o' & Io & I). exists o'. split; [trivial|].
  unfold cut in I. destruct (judge s (guard (o_edges o'))) as [[w ts]|]; [|destruct I]. apply in_map_iff in I. destruct I as (p & <- & _). auto.
Qed.
(* No transition goes before this one, where the tests hold. *)
Definition not_outranked (t : list (list (list edge))) (s : state) (ts : list test) (es : list edge) : bool :=
  negb has_ranks ||
  forallb (fun o => negb (higher n (o_edges o) es) || match judge s (guard (o_edges o)) with None => true | Some (_, us) => clash (us ++ o_tests o ++ ts) end)
          (offers t s).
Lemma no_ranks es es' : has_ranks = false -> es <> [] -> higher n es' es = false.
Proof.
  intros R N. unfold has_ranks in R. apply negb_false_iff, andb_prop in R. destruct R as [C P]. unfold higher, channel_rank, process_rank.
  destruct (n_channel_ranks n); [|discriminate]. destruct (n_process_ranks n); [|discriminate]. clear C P.
  assert (O : forall k, nth k (@nil Z) 0 = 0) by (intros [|k]; trivial).
  assert (K : forall es : list edge, match es with [] => 0 | e :: _ => nth (e_event e) (@nil Z) 0 end = 0) by (intros [|e l]; [trivial|apply O]).
  rewrite !K. cbn [Z.ltb Z.compare orb Z.eqb andb].
  assert (F : forall (es : list edge) m, m <= 0 -> m <= fold_left (fun m e => Z.max m (nth (e_process e) (@nil Z) 0)) es m <= 0).
  { induction es0 as [|e l IH]; intros m M; cbn [fold_left]; [lia|]. rewrite O. specialize (IH (Z.max m 0) ltac:(lia)). lia. }
  destruct es as [|e es]; [congruence|]. cbn [fold_left]. rewrite O. apply Z.ltb_ge.
  pose proof (F es (Z.max (-2147483649) 0) ltac:(lia)). pose proof (F es' (-2147483649) ltac:(lia)). lia.
Qed.
Lemma not_outranked_sound s v ts es : nonneg v -> all_hold ts v -> es <> [] -> not_outranked table s ts es = true -> ~ outranked n s v es.
Proof.
  intros Nn A N H (es' & J & G & Hi). unfold not_outranked in H. apply orb_prop in H. destruct H as [H|H].
  - apply negb_true_iff in H. rewrite (no_ranks es es' H N) in Hi. discriminate.
  - assert (Si : forall a, In a (guard es') -> simple a = true -> ~ is n false s v a) by (destruct G as [G|[G _]]; [exact (not_false_holds s v _ G)|exact G]).
    destruct (joint_offer s v es' Nn J Si) as (o & I & E & T & _). rewrite forallb_forall in H. specialize (H _ I). rewrite E, Hi in H. cbn [negb orb] in H.
    assert (Ju : exists w us, judge s (guard es') = Some (w, us) /\ all_hold us v).
    { destruct G as [G|G]; [destruct (judge_holds _ _ _ G) as (us & Ju & B)|destruct (judge_errs _ _ _ G) as (us & Ju & B)]; eauto. }
    destruct Ju as (w & us & Ju & B). rewrite Ju in H. apply (clash_sound _ v Nn H).
    apply all_hold_app; [trivial|apply all_hold_app; trivial].
Qed.

(* ---- The system ---- *)

Definition move_of (s : state) (o : offer) : option (move state) :=
  match judge s (guard (o_edges o)) with
  | None => None
  | Some (true, ts) => Some (Move _ (ts ++ o_tests o) None)
  | Some (false, ts) =>
    match fire n s (o_edges o) with
    | Fails => None
    | Err => Some (Move _ (ts ++ o_tests o) None)
    | Ok (s', us) =>
      match judge_all s' (invariants s') with
      | None => Some (Move _ (ts ++ o_tests o) (Some (us, None)))
      | Some (true, _) => Some (Move _ (ts ++ o_tests o) None)
      | Some (false, ts') => Some (Move _ (ts ++ o_tests o) (Some (us, Some (map (back (origins_of us)) ts', s'))))
      end
    end
  end.
Fixpoint number (k : N) (s : state) (l : list offer) : list (N * move state) :=
  match l with
  | [] => []
  | es :: l =>
    match move_of s es with None => number (N.succ k) s l | Some m => (k, m) :: number (N.succ k) s l end
  end.
(* Urgent synchronisations whose guards hold. *)
Definition is_plain (s : state) (a : atom) : bool := match ask n s a with Plain true => true | _ => false end.
Fixpoint some_meet (s : state) (ps : list part) : bool :=
  match ps with
  | [] => true
  | p :: ps =>
    match p_kind p with
    | Strong => existsb (fun e => Nat.eqb (e_event e) (p_event p) && forallb (is_plain s) (e_guard e)) (out_edges s (p_process p)) && some_meet s ps
    | _ => some_meet s ps
    end
  end.
Definition urgent_syncs : list (list part) :=
  filter (existsb (fun p => existsb (Nat.eqb (p_event p)) (n_urgent n))) (n_syncs n).
Definition urged_b (s : state) : bool := negb (is_nil (n_urgent n)) && existsb (some_meet s) urgent_syncs.
Definition net_can_delay (s : state) : bool :=
  is_nil (located (fun l => if l_urgent l || l_committed l then [tt] else []) s) && negb (urged_b s).
(* Rates that are an error: as if a transition were one, whatever the clocks are. *)
Definition is_rate (r : res (nat * Z)) : bool := match r with Ok (_, z) => (z =? 0) || (z =? 1) | _ => false end.
Definition rates_differ (rs : list (res (nat * Z))) : bool :=
  negb (forallb is_rate rs) ||
  existsb (fun r => match r with Ok (x, Z0) => existsb (fun r' => match r' with Ok (y, 1) => (x =? y)%nat | _ => false end) rs | _ => false end) rs.
Definition rates_fail_b (s : state) : bool := rates_differ (rates_at s) && net_can_delay s.
Definition net_moves (t : list (list (list edge))) (s : state) : list (N * move state) :=
  let l := number 0 s (joints t s) in if rates_fail_b s then (0%N, Move _ [] None) :: l else l.

Definition net_delay (s : state) : option (list nat) :=
  if net_can_delay s then Some (flat_map (fun r => match r with Ok (x, Z0) => [x] | _ => [] end) (rates_at s)) else None.
Fixpoint choices (pss : list (list location)) : list (list nat) :=
  match pss with
  | [] => [[]]
  | ls :: pss =>
    let rest := choices pss in
    flat_map (fun l => map (cons l) rest)
      (filter (fun l => match nth_error ls l with None => false | Some x => l_initial x end)
              (seq 0 (length ls)))
  end.
Definition net_initial : list state :=
  map (fun l => State l (map v_init (n_variables n))) (choices (n_processes n)).
Definition starts_well (s : state) : bool :=
  match judge_all s (invariants s) with Some (true, _) => false | _ => true end.

Fixpoint list_eqb {A} (f : A -> A -> bool) (a b : list A) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => f x y && list_eqb f a b
  | _, _ => false
  end.
Definition state_eqb (a b : state) : bool :=
  list_eqb Nat.eqb (locs a) (locs b) && list_eqb Z.eqb (vars a) (vars b).

(* Renamings, one after the other, by their numbers in a list. *)
Definition names := list nat.
Fixpoint state_called (rs : list renaming) (a : names) (s : state) : option state :=
  match a with
  | [] => Some s
  | k :: a =>
    match nth_error rs k with
    | None => None
    | Some r => match renamed r s with None => None | Some s => state_called rs a s end
    end
  end.
Fixpoint clock_called (rs : list renaming) (a : names) (x : nat) : nat :=
  match a with
  | [] => x
  | k :: a => match nth_error rs k with None => x | Some r => clock_from r (clock_called rs a x) end
  end.

(* What a node with a reduced set claims: the processes, and where time stands still: everywhere, or where a clock is at the
   upper bound that the invariant of a process gives it (Reduced.v). *)
Record claim := Claim { cl_in : list nat; cl_top : option (nat * nat) }.
(* What is read from a file. *)
Record certificate := Certificate {
  c_renamings : list renaming;
  c_groups : N; c_group_at : N -> state * (N * N); c_group_of : N -> N; c_frame_at : N -> frame;
  c_zone_at : N -> N * dbm; c_hints_at : N -> list (N * (N * names)); c_start_hints : list (N * (N * names));
  c_sets : option (N -> option claim);              (* of groups *)
  c_dead : option (list (list (list nat))) }.       (* slots that are dead, for each location of each process (Forget.v) *)

(* The goal, as a disjunction of conjunctions, may be another one than that of the formula. *)
Definition net_check_for (goal : state -> option (list (list test))) (many : option nat) (q : formula) (c : certificate) : bool :=
  let t := table in
  forallb starts_well net_initial &&
  forallb (fun r => symmetry n r q) (c_renamings c) &&
  check state state_eqb net_initial net_inv net_delay (net_moves t) goal many (fun _ _ => true)
        names (state_called (c_renamings c)) (clock_called (c_renamings c))
        (c_groups c) (c_group_at c) (c_group_of c) (c_frame_at c) (c_zone_at c) (c_hints_at c) (c_start_hints c).

Definition net_check (q : formula) (c : certificate) : bool := net_check_for (fun s => clauses true s q) None q c.

(* ---- Correctness ---- *)

Lemma list_eqb_eq {A} (f : A -> A -> bool) : (forall a b, f a b = true -> a = b) ->
  forall a b, list_eqb f a b = true -> a = b.
Proof.
  intros F a. induction a as [|x a IH]; intros [|y b] H; simpl in H; try discriminate; trivial.
  apply andb_prop in H. destruct H as [H1 H2]. rewrite (F _ _ H1), (IH _ H2). reflexivity.
Qed.
Lemma state_eqb_eq a b : state_eqb a b = true -> a = b.
Proof.
  destruct a, b. unfold state_eqb; simpl. intro H. apply andb_prop in H. destruct H as [H1 H2].
  apply list_eqb_eq in H1; [|apply Nat.eqb_eq]. apply list_eqb_eq in H2; [|apply Z.eqb_eq].
  subst; trivial.
Qed.

Lemma starts_in s : starts n s -> In s net_initial.
Proof.
  destruct s as [l vs]. intros [V F]. simpl in *. subst vs. unfold net_initial.
  apply in_map with (f := fun l => State l (map v_init (n_variables n))).
  induction F as [|ls x pss l (y & N & I) F IH]; simpl; [auto|].
  apply in_flat_map. exists x; split; [|apply in_map; trivial].
  apply filter_In; split; [|rewrite N; trivial].
  apply in_seq. split; [lia|]. simpl. apply nth_error_Some. congruence.
Qed.

Lemma some_meet_iff s ps : some_meet s ps = true <-> exists es,
  Forall2 (fun p e => here n s (p_process p) e /\ e_event e = p_event p) (filter (fun p => match p_kind p with Strong => true | _ => false end) ps) es /\
  forall a, In a (guard es) -> ask n s a = Plain true.
Proof.
  assert (P : forall e, forallb (is_plain s) (e_guard e) = true <-> forall a, In a (e_guard e) -> ask n s a = Plain true).
  { intro e. rewrite forallb_forall. split; intros H a I; specialize (H a I); unfold is_plain in *.
    - destruct (ask n s a) as [[|]| |]; trivial; discriminate.
    - rewrite H. trivial. }
  induction ps as [|p ps IH]; cbn [some_meet filter].
  - split; [intros _; exists []; split; [constructor|intros a []]|trivial].
  - destruct (p_kind p); [|exact IH|exact IH]. rewrite andb_true_iff, IH, existsb_exists. split.
    + intros ((e & I & H) & es & F & A). apply andb_prop in H. destruct H as [E G]. apply Nat.eqb_eq in E.
      exists (e :: es). split; [constructor; [split; [apply here_out|]; trivial|trivial]|].
      intros a Ia. unfold guard in Ia. simpl in Ia. apply in_app_or in Ia. destruct Ia as [Ia|Ia]; [revert a Ia; apply P; trivial|auto].
    + intros (es & F & A). inversion F as [|x e l es' [H E] F' X Y]; subst. split.
      * exists e. split; [apply here_out; trivial|]. rewrite E, Nat.eqb_refl. apply P. intros a I. apply A. unfold guard. simpl. apply in_or_app. auto.
      * exists es'. split; [trivial|]. intros a I. apply A. unfold guard. simpl. apply in_or_app. auto.
Qed.
Lemma urged_iff s : urged_b s = true <-> urged n s.
Proof.
  unfold urged_b, urgent_syncs, urged. rewrite andb_true_iff, existsb_exists. split.
  - intros (_ & ps & I & H). apply filter_In in I. destruct I as [I U]. apply some_meet_iff in H. destruct H as (es & F & A).
    exists ps, es. split; [trivial|]. split; [|auto]. apply existsb_exists in U. destruct U as (p & Ip & U). apply existsb_exists in U.
    destruct U as (x & Ix & U). apply Nat.eqb_eq in U. exists p. rewrite U. auto.
  - intros (ps & es & I & (p & Ip & U) & F & A). split.
    + destruct (n_urgent n); [destruct U|trivial].
    + exists ps. split; [|apply some_meet_iff; eauto]. apply filter_In. split; [trivial|]. apply existsb_exists. exists p. split; [trivial|].
      apply existsb_exists. exists (p_event p). split; [trivial|apply Nat.eqb_refl].
Qed.
Lemma unhurried_b s : unhurried n s -> net_can_delay s = true.
Proof.
  intros [M U]. unfold net_can_delay. apply andb_true_intro. split; [|apply negb_true_iff; destruct (urged_b s) eqn:E; [apply urged_iff in E; tauto|trivial]].
  clear U. destruct (located _ s) as [|u us] eqn:L; [trivial|exfalso].
  assert (U : In u (located (fun l => if l_urgent l || l_committed l then [tt] else []) s)) by (rewrite L; left; trivial).
  apply located_in in U. destruct U as (p & l & P & E & I). destruct (M _ _ P E) as [A B]. rewrite A, B in I. destruct I.
Qed.

Lemma may_wait_b s : may_wait n s -> net_can_delay s = true.
Proof. intros [U _]. apply unhurried_b, U. Qed.
Lemma may_wait_delay s : may_wait n s -> net_delay s = Some (stopped n s).
Proof. intro M. unfold net_delay. rewrite (may_wait_b s M), rates_at_rated. trivial. Qed.

Lemma holds_inv s v : holds n s v (invariant n s) -> inv_holds state net_inv s v.
Proof.
  intro H. destruct (invariants_hold _ _ H) as (ts & E & A). exists ts. unfold net_inv. rewrite E. auto.
Qed.

Lemma number_in s (es : offer) m l : In es l -> move_of s es = Some m -> forall k, exists j, In (j, m) (number k s l).
Proof.
  intros I E. induction l as [|x l IH]; intro k; [destruct I|]. simpl. destruct I as [->|I].
  - rewrite E. eexists; left; reflexivity.
  - destruct (IH I (N.succ k)) as (j & J). destruct (move_of s x); eexists; [right|]; exact J.
Qed.
(* What move_of makes of edges and their tests. *)
Definition result (s : state) (es : list edge) : option (list test * option (list upd * option (list test * state))) :=
  match judge s (guard es) with
  | None => None
  | Some (true, ts) => Some (ts, None)
  | Some (false, ts) =>
    match fire n s es with
    | Fails => None
    | Err => Some (ts, None)
    | Ok (s', us) =>
      match judge_all s' (invariants s') with
      | None => Some (ts, Some (us, None))
      | Some (true, _) => Some (ts, None)
      | Some (false, ts') => Some (ts, Some (us, Some (map (back (origins_of us)) ts', s')))
      end
    end
  end.
Lemma move_result s o ts out : result s (o_edges o) = Some (ts, out) -> move_of s o = Some (Move _ (ts ++ o_tests o) out).
Proof.
  unfold result, move_of. intro R. destruct (judge s (guard (o_edges o))) as [[[|] us]|]; try discriminate; [injection R as <- <-; trivial|].
  destruct (fire n s (o_edges o)) as [| |[s' u]]; try discriminate; [injection R as <- <-; trivial|].
  destruct (judge_all s' (invariants s')) as [[[|] us']|]; injection R as <- <-; trivial.
Qed.
Lemma moves_in s v es ts out : nonneg v -> inv_holds state net_inv s v -> joint n s v es -> (forall a, In a (guard es) -> simple a = true -> ~ is n false s v a) ->
  ~ outranked n s v es -> result s es = Some (ts, out) -> all_hold ts v ->
  exists j m, In (j, m) (net_moves table s) /\ all_hold (m_tests _ m) v /\ m_out _ m = out.
Proof.
  intros Nn Iv J Si O E A. assert (Ju : exists w, judge s (guard es) = Some (w, ts)).
  { unfold result in E. destruct (judge s (guard es)) as [[[|] us]|]; try discriminate; [injection E as <- <-; eauto|].
    destruct (fire n s es) as [| |[s' u]]; try discriminate; [injection E as <- <-; eauto|].
    destruct (judge_all s' (invariants s')) as [[[|] us']|]; injection E as <- <-; eauto. }
  destruct Ju as (w & Ju). destruct (joint_in s v es w ts Nn Iv J Si O Ju A) as (o & I & Eo & To). rewrite <- Eo in E.
  destruct (number_in s o _ _ I (move_result s o ts out E) 0%N) as (j & K). exists j. eexists. split; [unfold net_moves; destruct (rates_fail_b s); [right|]; exact K|]. split; [|reflexivity].
  cbn [m_tests]. apply all_hold_app; trivial.
Qed.

Lemma all_hold_back us ts v : all_hold ts (set_all us v) -> all_hold (map (back (origins_of us)) ts) v.
Proof.
  intros A t I. apply in_map_iff in I. destruct I as (u & <- & I).
  eapply back_sound; [apply comes_all|apply A; trivial].
Qed.

Lemma holds_same s v w g : same v w -> holds n s v g -> holds n s w g.
Proof.
  intros S H a I. specialize (H a I). unfold is in *. destruct (ask n s a) as [t|i j o c|]; trivial.
  pose proof (same_val _ _ S i) as A; pose proof (same_val _ _ S j) as B.
  destruct o; simpl in *; try (rewrite <- A, <- B; exact H); lra.
Qed.

Lemma rates_fail_sound s : rates_fail n s -> rates_fail_b s = true.
Proof.
  unfold rates_fail_b, rates_differ. rewrite rates_at_rated. intros [M X]. rewrite (unhurried_b s M), andb_true_r.
  destruct X as [(r & I & H)|(x & A & B)]; apply orb_true_iff.
  - left. apply negb_true_iff, not_true_iff_false. intro F. rewrite forallb_forall in F. specialize (F r I). unfold is_rate in F.
    destruct r as [| |[x z]]; try discriminate. destruct (H x) as [H0 H1]. apply orb_prop in F. destruct F as [F|F]; apply Z.eqb_eq in F; congruence.
  - right. apply existsb_exists. exists (Ok (x, 0)). split; [trivial|]. apply existsb_exists. exists (Ok (x, 1)). split; [trivial|]. apply Nat.eqb_refl.
Qed.
(* An error at run time is one of a transition that the checker looks at. *)
Lemma fails_in s v : nonneg v -> inv_holds state net_inv s v -> step_fails n s v -> fails state (net_moves table) s v.
Proof.
  intros Nn Iv [X|(es & J & R & W)].
  { exists 0%N, (Move _ [] None). split; [unfold net_moves; rewrite (rates_fail_sound s X); left; trivial|]. split; [intros t []|exact Logic.I]. }
  assert (Si : forall a, In a (guard es) -> simple a = true -> ~ is n false s v a) by (destruct W as [[E _]|[H _]]; [exact E|exact (not_false_holds s v _ H)]).
  assert (K : forall ts out, result s es = Some (ts, out) -> all_hold ts v ->
              match out with None => True | Some (us, _) => negative us v end ->
              fails state (net_moves table) s v).
  { intros ts out E A O. destruct (moves_in s v es ts out Nn Iv J Si R E A) as (k & m & I & T & Eo). exists k, m. rewrite Eo. auto. }
  destruct W as [E|[H W]].
  { destruct (judge_errs _ _ _ E) as (ts & E1 & A). apply (K ts None); [|exact A|exact Logic.I].
    unfold result. rewrite E1. trivial. }
  destruct (judge_holds _ _ _ H) as (ts & E1 & A).
  destruct W as [E2|(s' & us & E2 & W)].
  { apply (K ts None); [|exact A|exact Logic.I]. unfold result. rewrite E1, E2. trivial. }
  destruct W as [N|E3].
  + destruct (judge_all s' (invariants s')) as [[[|] ts']|] eqn:E4.
    * apply (K ts None); [|exact A|exact Logic.I]. unfold result. rewrite E1, E2, E4. trivial.
    * eapply (K ts (Some (us, Some (_, s')))); [|exact A|exact N]. unfold result. rewrite E1, E2, E4. reflexivity.
    * apply (K ts (Some (us, None))); [|exact A|exact N]. unfold result. rewrite E1, E2, E4. trivial.
  + destruct (invariants_fail _ E3) as (ts' & E4).
    apply (K ts None); [|exact A|exact Logic.I]. unfold result. rewrite E1, E2, E4. trivial.
Qed.

(* ---- Under other names ---- *)

Section Chains.
Variable q : formula.
Variable rs : list renaming.
Hypothesis symmetric : forall r, In r rs -> symmetry n r q = true.

Inductive chain : state -> valuation -> state -> valuation -> Prop :=
| chain_nil s v : chain s v s v
| chain_cons r s v s1 v1 s2 v2 : In r rs -> linked r s s1 -> linked_clocks r v v1 -> chain s1 v1 s2 v2 -> chain s v s2 v2.

Lemma chain_app s v s1 v1 s2 v2 : chain s v s1 v1 -> chain s1 v1 s2 v2 -> chain s v s2 v2.
Proof. intros A B. induction A; [trivial|]. eapply chain_cons; eauto. Qed.

Lemma chain_called a : forall s s' v, state_called rs a s = Some s' ->
  exists v', chain s v s' v' /\ forall x, (val v' x == val v (clock_called rs a x))%Q.
Proof.
  induction a as [|k a IH]; intros s s' v E; simpl in E.
  - injection E as <-. exists v. split; [constructor|reflexivity].
  - cbn [clock_called]. destruct (nth_error rs k) as [r|] eqn:K; [|discriminate]. apply nth_error_In in K.
    destruct (renamed r s) as [s1|] eqn:R; [|discriminate]. pose proof (symmetric _ K) as Sy.
    destruct (IH _ _ (renamed_clocks r v) E) as (v' & C & V). exists v'. split.
    + eapply chain_cons; [exact K|apply (renamed_linked n r q Sy); exact R|apply (renamed_clocks_linked n r q Sy)|exact C].
    + intro x. rewrite V. apply (renamed_val n r q Sy).
Qed.
Lemma chain_invariant s v s' v' : chain s v s' v' -> holds n s v (invariant n s) -> holds n s' v' (invariant n s').
Proof.
  induction 1 as [|r s v s1 v1 s2 v2 I L C K IH]; intro H; [trivial|]. apply IH. eapply (invariant_alike n r q (symmetric _ I)); eauto.
Qed.
Lemma chain_may_wait s v s' v' : chain s v s' v' -> may_wait n s -> may_wait n s'.
Proof.
  induction 1 as [|r s v s1 v1 s2 v2 I L C K IH]; intro H; [trivial|]. apply IH. eapply (may_wait_alike n r q (symmetric _ I)); eauto.
Qed.
Lemma chain_query s v s' v' : chain s v s' v' -> decided n false s' v' q -> decided n false s v q.
Proof.
  induction 1 as [|r s v s1 v1 s2 v2 I L C K IH]; intro H; [trivial|]. eapply (query_renamed n r q (symmetric _ I)); eauto.
Qed.
Lemma chain_alive f s v s' v' : (forall r, In r rs -> symmetry n (undone r) f = true) -> chain s v s' v' -> alive n s' v' -> alive n s v.
Proof.
  intros U. induction 1 as [|r s v s1 v1 s2 v2 I L C K IH]; intro H; [trivial|]. pose proof (symmetric _ I) as Sy.
  apply (alive_renamed n (undone r) f (U _ I) s1 v1); [eapply linked_back|eapply clocks_back|]; eauto.
Qed.
Lemma chain_fails s v s' v' : chain s v s' v' -> step_fails n s v -> step_fails n s' v'.
Proof.
  induction 1 as [|r s v s1 v1 s2 v2 I L C K IH]; intro H; [trivial|]. apply IH. eapply (step_fails_renamed n r q (symmetric _ I)); eauto.
Qed.
Lemma same_refl v : same v v.
Proof. intro k. reflexivity. Qed.
Lemma chain_stopped s v s' v' : chain s v s' v' -> stopped n s' = stopped n s.
Proof.
  induction 1 as [|r s v s1 v1 s2 v2 I L C K IH]; [trivial|]. rewrite IH.
  rewrite !unrated_stopped by (apply (plain_means n r q (symmetric _ I))). trivial.
Qed.
Lemma chain_delay d s v s' v' : chain s v s' v' -> forall w, same w (after (stopped n s) d v) ->
  exists w', chain s w s' w' /\ same w' (after (stopped n s') d v').
Proof.
  induction 1 as [|r s v s1 v1 s2 v2 I L C K IH]; intros w S; [exists w; split; [constructor|trivial]|].
  assert (U : forall s, stopped n s = []) by (intro; apply unrated_stopped, (plain_means n r q (symmetric _ I))). rewrite !U in *.
  destruct (IH (delayed d v1) (same_refl _)) as (w' & A & B). exists w'. split; [|trivial].
  eapply chain_cons; eauto. intro x. pose proof (clock_to_0 n r q (symmetric _ I) x) as Z.
  specialize (C x). destruct (clock_to r x) as [|k], x as [|x]; simpl in *; try discriminate; [reflexivity|].
  rewrite (S x). unfold delayed, after. rewrite C. reflexivity.
Qed.
Lemma chain_go s v s' v' : chain s v s' v' -> forall es t us w, joint n s v es -> holds n s v (guard es) -> ~ outranked n s v es ->
  fire n s es = Ok (t, us) -> ~ negative us v -> same w (set_all us v) -> holds n t w (invariant n t) ->
  exists es' t' us' w', joint n s' v' es' /\ holds n s' v' (guard es') /\ ~ outranked n s' v' es' /\ fire n s' es' = Ok (t', us') /\ ~ negative us' v' /\
    same w' (set_all us' v') /\ holds n t' w' (invariant n t') /\ chain t w t' w'.
Proof.
  induction 1 as [|r s v s1 v1 s2 v2 I L C K IH]; intros es t us w J G R F N S H.
  - exists es, t, us, w. repeat (split; trivial). constructor.
  - destruct (go_renamed n r q (symmetric _ I) s v es t us w s1 v1 L C J G F N S H)
      as (es1 & t1 & us1 & J1 & G1 & R1 & F1 & N1 & L1 & C1 & H1).
    destruct (IH _ _ _ _ J1 G1 R1 F1 N1 (same_refl _) H1) as (es' & t' & us' & w' & A1 & A2 & A2' & A3 & A4 & A5 & A6 & A7).
    exists es', t', us', w'. repeat (split; trivial). eapply chain_cons; eauto.
Qed.
End Chains.

Section Correct.
Variable goal : state -> option (list (list test)).
Variable many : option nat.
Variable q : formula.
Variable c : certificate.
Hypothesis accepted : net_check_for goal many q c = true.
Let rs := c_renamings c.
Let checked := check state state_eqb net_initial net_inv net_delay (net_moves table) goal many (fun _ _ => true)
        names (state_called rs) (clock_called rs)
        (c_groups c) (c_group_at c) (c_group_of c) (c_frame_at c) (c_zone_at c) (c_hints_at c) (c_start_hints c).
Let is_inside := inside state net_inv net_delay (c_groups c) (c_group_at c) (c_frame_at c) (c_zone_at c).
Let found := is_covered state names (state_called rs) (clock_called rs) (c_groups c) (c_group_at c) (c_frame_at c) (c_zone_at c).

Lemma parts : forallb starts_well net_initial = true /\ (forall r, In r rs -> symmetry n r q = true) /\ checked = true.
Proof.
  pose proof accepted as C. unfold net_check_for in C. apply andb_prop in C. destruct C as [C C2].
  apply andb_prop in C. destruct C as [C0 C1]. rewrite forallb_forall in C1. auto.
Qed.

Lemma found_inside s v : found s v -> nonneg v -> holds n s v (invariant n s) ->
  exists s' v', chain rs s v s' v' /\ is_inside s' v'.
Proof.
  intros F N H. destruct parts as (_ & Sy & _).
  destruct (covered_inside _ net_inv net_delay _ _ _ _ _ _ _ _ _ F N) as (a & s' & E & K).
  destruct (chain_called q rs Sy a s s' v E) as (v' & C & V). exists s', v'. split; [trivial|]. apply K; [exact V|].
  apply holds_inv. eapply chain_invariant; eauto.
Qed.

Lemma reachable_inside s v : reachable n s v -> exists s' v', chain rs s v s' v' /\ is_inside s' v'.
Proof.
  destruct parts as (_ & Sy & Ok).
  induction 1 as [s v S Z H|s v d v' R IH (P & W & H) S|s v s' v' R IH (es & us & J & G & Ro & F & Nn & S & H)].
  - apply found_inside; [|intro x; rewrite (Z x); lra|trivial].
    apply (initial_covered state state_eqb state_eqb_eq net_initial net_inv net_delay (net_moves table) goal many (fun _ _ => true)
             _ _ _ _ _ _ _ _ _ _ Ok); [apply starts_in|trivial|apply holds_inv]; trivial.
  - destruct IH as (t & w & C & I). destruct (chain_delay q rs Sy d _ _ _ _ C _ S) as (w' & C' & S').
    exists t, w'. split; [trivial|]. destruct W as [Z|W].
    { apply (inside_same _ _ _ _ _ _ _ t w w'); [|exact I]. intro x. rewrite (S' x). unfold after. destruct (existsb _ _); [|rewrite Z]; lra. }
    assert (Dt : net_delay t = Some (stopped n t)) by (apply may_wait_delay; eapply chain_may_wait; eauto).
    eapply delay_inside; [exact I|exact Dt|exact P|exact S'|].
    apply holds_inv. eapply chain_invariant; eauto.
    apply holds_same with (after (stopped n s) d v); [intro k; symmetry; apply S|]. apply H; lra.
  - destruct IH as (t & w & C & I).
    destruct (chain_go q rs Sy _ _ _ _ C es s' us v' J G Ro F Nn S H) as (es1 & t1 & us1 & w1 & J1 & G1 & R1 & F1 & N1 & S1 & H1 & C1).
    destruct (judge_holds _ _ _ G1) as (ts & E & A). pose proof H1 as H1'.
    apply (holds_same _ _ _ _ S1) in H1'. destruct (invariants_hold _ _ H1') as (ts' & E' & A').
    destruct (moves_in t w es1 ts (Some (us1, Some (map (back (origins_of us1)) ts', t1))) (proj1 I) (proj1 (proj2 I)) J1 (not_false_holds _ _ _ G1) R1) as (k & m & K & Tm & Om).
    { unfold result. rewrite E, F1, E'. trivial. }
    { exact A. }
    destruct (inside_move state state_eqb state_eqb_eq net_initial net_inv net_delay (net_moves table) goal many (fun _ _ => true)
             _ _ _ _ _ _ _ _ _ _ Ok _ _ _ _ I K Tm) as (us2 & target & O & NN & Co). rewrite Om in O.
    injection O as <- <-. specialize (Co _ _ eq_refl (all_hold_back _ _ _ A')).
    apply (is_covered_same _ _ _ _ _ _ _ _ _ _ _ S1) in Co.
    destruct (found_inside t1 w1 Co) as (t2 & w2 & C2 & I2); [|trivial|exists t2, w2; split; [eapply chain_app; eauto|trivial]].
    intro x. rewrite (S1 x). apply nonneg_set; [apply I|trivial].
Qed.

Theorem net_check_means :
  ~ start_fails n /\ forall s v, reachable n s v ->
    (exists s' v', chain rs s v s' v' /\ is_inside s' v' /\ ~ meets_goal state goal s' v') /\ ~ step_fails n s v.
Proof.
  destruct parts as (C0 & Sy & Ok). split.
  { intros (s & S & E). rewrite forallb_forall in C0. specialize (C0 _ (starts_in _ S)).
    unfold starts_well in C0. destruct (invariants_fail _ E) as (ts & J). rewrite J in C0. discriminate. }
  intros s0 v0 R. apply reachable_inside in R. destruct R as (s & v & Ch & R).
  destruct (inside_good state state_eqb state_eqb_eq net_initial net_inv net_delay (net_moves table) goal many (fun _ _ => true)
             _ _ _ _ _ _ _ _ _ _ Ok _ _ R) as [G F]. split.
  - exists s, v. auto.
  - intro X. apply F, fails_in; [apply R|apply R|]. exact (chain_fails q rs Sy _ _ _ _ Ch X).
Qed.

End Correct.

Theorem net_check_correct q c : net_check q c = true ->
  ~ start_fails n /\ forall s v, reachable n s v -> decided n false s v q /\ ~ step_fails n s v.
Proof.
  intro A. destruct (net_check_means _ _ q c A) as [S R]. split; [trivial|]. intros s0 v0 H.
  destruct (R _ _ H) as ((s & v & Ch & _ & G) & F). split; [|trivial]. destruct (parts _ _ q c A) as (_ & Sy & _).
  eapply chain_query; eauto. destruct (clauses_sound s v q true) as [M|D]; [|exact D]. exfalso. apply G. exact M.
Qed.
End Network.
