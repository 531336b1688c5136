(* Certificates that no infinite run is as asked, where conditions compare clocks (src/check/descent.h, clockparts.h).

   The condition to stay in is cut into convex parts for each discrete state. A node has a mode and a number: in a mode
   `In i` the run is in part i, and its transitions are in it, too. Each of these transitions leads to a smaller number,
   and time that passes from part to part does not make it grow. Parts touch in two ways. Soon after a moment in the one
   part time may be in the other: that moment meets the tests of the other, if lower bounds are not strict. Or just
   before a moment in the other part it was in the first: that moment meets the tests of the first, if upper bounds
   are not strict. Two more modes say so: `Enters j`, where time goes on from such a first moment, and `Leaves i`,
   where it goes on beyond part i. Their nodes do not stand in a file; what reads it makes them, and is not believed.

   Without a condition to stay in (`buchi:`, in networks that compare clocks with each other) there is one mode only, and
   numbers are as in Endless.v.

   If only runs count in which time diverges, a certificate has one clock more, `tick`, which nothing reads or sets. Where marks
   count, a transition sets it to 0 if it is at least `period`: this is a tick, and one mark more. So a run of the network is seen
   with another value of that clock (`seen`). Without ticks from some transition on, less than `period` passes in all. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Rounds Checker Renaming Network Replay Alive RunSpec Endless Lasso.
Import ListNotations.
Open Scope Z_scope.

(* ---- Parts ---- *)

(* What is left of a piece without a conjunction: up to its first test that does not hold. *)
Fixpoint cut_out (inv piece met b : list test) : list (list test) :=
  match b with
  | [] => []
  | t :: b =>
    let q := piece ++ met ++ [negated t] in
    (if contradict (inv ++ q) then [] else [q]) ++ cut_out inv piece (met ++ [t]) b
  end.
Fixpoint pieces (inv : list test) (ps : list (list test)) (before : list (list test)) : list (list test) :=
  match before with [] => ps | b :: before => pieces inv (flat_map (fun p => cut_out inv p [] b) ps) before end.
Fixpoint parts_from (inv : list test) (before cs : list (list test)) : list (list test) :=
  match cs with
  | [] => []
  | c :: cs =>
    if contradict (inv ++ c) then parts_from inv before cs
    else pieces inv [c] before ++ parts_from inv (before ++ [c]) cs
  end.

Lemma all_hold_dec ts v : all_hold ts v \/ ~ all_hold ts v.
Proof.
  induction ts as [|t ts IH]; [left; intros t []|]. destruct (sat_dec (t_bound t) (diff v (t_i t) (t_j t))) as [M|M].
  - destruct IH as [A|A]; [left; intros u [<-|I]; auto|right; intro H; apply A; intros u I; apply H; right; trivial].
  - right. intro H. apply M, (H t). left. trivial.
Qed.
Lemma cut_out_has inv piece v b : nonneg v -> all_hold inv v -> all_hold piece v -> forall met, all_hold met v ->
  all_hold b v \/ exists q, In q (cut_out inv piece met b) /\ all_hold q v.
Proof.
  intros N I P. induction b as [|t b IH]; intros met M; [left; intros t []|]. cbn [cut_out].
  destruct (sat_dec (t_bound t) (diff v (t_i t) (t_j t))) as [T|T].
  - destruct (IH (met ++ [t])) as [A|(q & Iq & A)].
    + apply all_hold_app; [trivial|]. intros u [<-|[]]. exact T.
    + left. intros u [<-|J]; auto.
    + right. exists q. split; [apply in_or_app; right; trivial|trivial].
  - right. assert (A : all_hold (piece ++ met ++ [negated t]) v).
    { apply all_hold_app; [trivial|]. apply all_hold_app; [trivial|]. intros u [<-|[]]. apply negated_meets. exact T. }
    exists (piece ++ met ++ [negated t]). split; [|trivial]. apply in_or_app. left.
    destruct (contradict (inv ++ piece ++ met ++ [negated t])) eqn:C; [|left; trivial].
    exfalso. apply (contradict_sound _ v N C). apply all_hold_app; trivial.
Qed.
Lemma pieces_have inv v before : nonneg v -> all_hold inv v -> forall ps, (exists p, In p ps /\ all_hold p v) ->
  (exists b, In b before /\ all_hold b v) \/ exists p, In p (pieces inv ps before) /\ all_hold p v.
Proof.
  intros N I. induction before as [|b before IH]; intros ps (p & Ip & P); [right; exists p; auto|]. cbn [pieces].
  destruct (cut_out_has inv p v b N I P [] (all_hold_nil v)) as [B|(q & Iq & Q)]; [left; exists b; split; [left|]; trivial|].
  destruct (IH (flat_map (fun p => cut_out inv p [] b) ps)) as [(b' & Ib & B)|R].
  - exists q. split; [|trivial]. apply in_flat_map. exists p. auto.
  - left. exists b'. split; [right|]; trivial.
  - right. exact R.
Qed.
Lemma parts_have inv v cs : nonneg v -> all_hold inv v -> forall before, (exists c, In c cs /\ all_hold c v) ->
  (exists b, In b before /\ all_hold b v) \/ exists p, In p (parts_from inv before cs) /\ all_hold p v.
Proof.
  intros N I. induction cs as [|c cs IH]; intros before (d & Id & D); [destruct Id|]. cbn [parts_from].
  destruct (contradict (inv ++ c)) eqn:C.
  - apply IH. destruct Id as [->|Id]; [|exists d; auto]. exfalso. apply (contradict_sound _ v N C). apply all_hold_app; trivial.
  - destruct (all_hold_dec c v) as [A|A].
    + destruct (pieces_have inv v before N I [c]) as [B|(p & Ip & P)]; [exists c; split; [left|]; trivial|left; trivial|].
      right. exists p. split; [apply in_or_app; left|]; trivial.
    + destruct (IH (before ++ [c])) as [(b & Ib & B)|(p & Ip & P)].
      * destruct Id as [->|Id]; [tauto|]. exists d. auto.
      * apply in_app_or in Ib. destruct Ib as [Ib|[<-|[]]]; [left; exists b; auto|tauto].
      * right. exists p. split; [apply in_or_app; right|]; trivial.
Qed.

(* ---- Bounds that are not strict ---- *)

Definition weak (t : test) : test := Test (t_i t) (t_j t) (if Z.odd (t_bound t) then t_bound t else t_bound t + 1).
Definition weak_low (t : test) : test := if is_lower t then weak t else t.
Definition weak_up (t : test) : test := if is_upper t then weak t else t.
Lemma weak_sat r d : (d <= half r)%Q -> sat (if Z.odd r then r else r + 1) d.
Proof.
  intro L. right. unfold half in *. pose proof (div2_eq r) as E. destruct (Z.odd r) eqn:O; rewrite ?O; [exact L|].
  pose proof (div2_eq (r + 1)) as F. destruct (Z.odd (r + 1)); [|exfalso; lia].
  assert (X : Z.div2 (r + 1) = Z.div2 r) by lia. rewrite X. exact L.
Qed.
Lemma weak_inf r d : INF <= r -> sat (if Z.odd r then r else r + 1) d.
Proof. intro L. left. destruct (Z.odd r); lia. Qed.

(* The moment at which a test changes. *)
Definition turn (v : valuation) (t : test) : Q :=
  if is_lower t then (- half (t_bound t) - val v (t_j t))%Q else (half (t_bound t) - val v (t_i t))%Q.
Definition clear (v : valuation) (a b : Q) (t : test) : Prop := (turn v t <= a)%Q \/ (b <= turn v t)%Q.

Lemma low_at_once v a m b t : (a < m)%Q -> (m < b)%Q -> clear v a b t -> meets t (delayed m v) -> meets (weak_low t) (delayed a v).
Proof.
  intros A B C M. unfold weak_low. destruct (is_lower t) eqn:L.
  - assert (W : is_lower (weak t) = true) by exact L. apply lower_meets; [exact W|]. apply (proj1 (lower_meets v t m L)) in M.
    unfold low_ok in *. cbn [weak t_bound t_j]. unfold clear, turn in C. rewrite L in C.
    destruct M as [M|M]; [apply weak_inf; trivial|]. apply weak_sat. destruct C as [C|C]; [lra|]. destruct (Z.odd (t_bound t)); lra.
  - destruct (is_upper t) eqn:U.
    + apply upper_meets; [trivial|]. apply (proj1 (upper_meets v t m U)) in M. unfold high_ok in *. eapply sat_down; [|exact M]. lra.
    + apply (proj2 (other_meets v t _ L U)), (proj1 (other_meets v t m L U)). exact M.
Qed.
Lemma up_at_last v a m b t : (a < m)%Q -> (m < b)%Q -> clear v a b t -> meets t (delayed m v) -> meets (weak_up t) (delayed b v).
Proof.
  intros A B C M. unfold weak_up. destruct (is_upper t) eqn:U.
  - assert (W : is_upper (weak t) = true) by exact U. apply upper_meets; [exact W|]. apply (proj1 (upper_meets v t m U)) in M.
    assert (L : is_lower t = false) by (unfold is_upper, is_lower in *; destruct (t_i t); [discriminate|trivial]).
    unfold high_ok in *. cbn [weak t_bound t_i]. unfold clear, turn in C. rewrite L in C.
    destruct M as [M|M]; [apply weak_inf; trivial|]. apply weak_sat. destruct C as [C|C]; [|lra]. destruct (Z.odd (t_bound t)); lra.
  - destruct (is_lower t) eqn:L.
    + apply lower_meets; [trivial|]. apply (proj1 (lower_meets v t m L)) in M. unfold low_ok in *. eapply sat_down; [|exact M]. lra.
    + apply (proj2 (other_meets v t _ L U)), (proj1 (other_meets v t m L U)). exact M.
Qed.

Section Timed.
Variable n : net.
Variable claim : asks.
Variables (tick : nat) (period : Z).                  (* 0: time need not diverge *)

Definition inv_tests (s : state) : list test := match net_inv n s with Some ts => ts | None => [] end.
Definition clauses_of (o : option formula) (s : state) : list (list test) :=
  match o with None => [[]] | Some f => match clauses n true s f with None => [[]] | Some cs => cs end end.
Definition parts (s : state) : list (list test) := parts_from (inv_tests s) [] (clauses_of (a_stay claim) s).

Lemma clauses_of_met f s v : may_be n f s v -> exists c, In c (clauses_of (Some f) s) /\ all_hold c v.
Proof.
  intro M. cbn [clauses_of]. destruct (clauses_sound n s v f true) as [X|D]; [|destruct (M D)].
  destruct (clauses n true s f) as [cs|]; [exact X|]. exists []. split; [left; trivial|apply all_hold_nil].
Qed.
Lemma in_part s v : nonneg v -> holds n s v (invariant n s) -> stays claim (may_be n) s v ->
  exists i p, nth_error (parts s) i = Some p /\ all_hold p v.
Proof.
  intros N H St. destruct (holds_inv n s v H) as (ts & E & A). unfold parts, inv_tests. rewrite E.
  destruct (parts_have ts v (clauses_of (a_stay claim) s) N A []) as [(b & [] & _)|(p & I & P)].
  - unfold stays in St. destruct (a_stay claim) as [f|]; [apply clauses_of_met; trivial|].
    exists []. split; [left; trivial|apply all_hold_nil].
  - apply In_nth_error in I. destruct I as (i & I). exists i, p. auto.
Qed.

(* ---- The system ---- *)

(* Before the condition has to hold; in a part of it; or time passes from or into one. *)
Inductive mode := Free | In_ (i : nat) | Leaves (i : nat) | Enters (i : nat).
Definition spot : Type := state * (mode * count).
Definition mode_eqb (a b : mode) : bool :=
  match a, b with
  | Free, Free => true
  | In_ i, In_ j | Leaves i, Leaves j | Enters i, Enters j => (i =? j)%nat
  | _, _ => false
  end.
Definition spot_eqb (a b : spot) : bool :=
  state_eqb (fst a) (fst b) && mode_eqb (fst (snd a)) (fst (snd b)) && count_eqb (snd (snd a)) (snd (snd b)).
Lemma spot_eqb_eq a b : spot_eqb a b = true -> a = b.
Proof.
  destruct a as [s [m c]], b as [t [l d]]. unfold spot_eqb; cbn [fst snd]. intro H. apply andb_prop in H. destruct H as [H C].
  apply andb_prop in H. destruct H as [H M]. apply state_eqb_eq in H. subst.
  assert (E : m = l) by (destruct m, l; simpl in M; try discriminate; trivial; apply Nat.eqb_eq in M; subst; trivial). subst.
  destruct c, d; simpl in C; try discriminate; trivial; apply N.eqb_eq in C; subst; trivial.
Qed.

Variable missing : N -> N.                            (* as in Endless.v; where a condition is to hold, any transition counts *)
Definition no_ticks (k : N) : bool := negb (tick =? 0)%nat && (missing k =? N.of_nat (S (length (a_again claim))))%N.
Definition grows_not (c : count) (m : mode) (s : state) (k' : N) : bool :=
  let lacking k := match m with Free => must_stay claim || lacks n claim missing k false s | _ => false end in
  match c with
  | Start => true
  | Hop k => (k' <=? k)%N
  | At k => (k' <? k)%N || (k' =? k)%N && (no_ticks k || lacking k)
  | Tick k => (k' <? k)%N || (k' =? k)%N && lacking k
  end.

(* Nothing in the state reads the clock that ticks. *)
Definition apart (t : test) : bool := negb (t_i t =? tick)%nat && negb (t_j t =? tick)%nat.
Definition untouched (s : state) : bool :=
  (tick =? 0)%nat || forallb apart (inv_tests s ++ concat (parts s) ++ concat (clauses_of (a_start claim) s)).
Definition ranked (k : N) (p : spot) : option spot :=
  let '(s, (m, c)) := p in if grows_not c m s k && untouched s then Some (s, (m, At k)) else None.

Definition spot_inv (p : spot) : option (list test) :=
  let '(s, (m, _)) := p in
  match net_inv n s with
  | None => None
  | Some ts => match m with In_ i => match nth_error (parts s) i with Some q => Some (ts ++ q) | None => None end | _ => Some ts end
  end.
Definition spot_delay (p : spot) : option (list nat) := net_delay n (fst p).
Definition spot_initial : list spot :=
  flat_map (fun s => if first_mode claim then map (fun i => (s, (In_ i, Start))) (seq 0 (length (parts s))) else [(s, (Free, Start))])
    (net_initial n).

(* In each part of a state: its tests as those before updates. *)
Definition into (us : list upd) (ts : list test) (s : state) (c : count) (but : option nat) : list (list test * spot) :=
  flat_map (fun i => match nth_error (parts s) i with
                     | None => []
                     | Some q => if match but with Some j => (i =? j)%nat | None => false end then []
                                 else [(ts ++ map (back (origins_of us)) q, (s, (In_ i, c)))]
                     end) (seq 0 (length (parts s))).
Definition outs (m : mode) (c : count) (o : option (list upd * option (list test * state))) : list (option (list upd * option (list test * spot))) :=
  match o with
  | None => [None]
  | Some (us, None) => [Some (us, None)]
  | Some (us, Some (ts, s)) =>
    Some (us, None) ::
    map (fun e => Some (us, Some e)) (match m with Free => [(ts, (s, (Free, c)))] | _ => into us ts s c None end)
  end.
Definition onwards (ts : list test) (es : list (list test * spot)) : list (move spot) := map (fun e => Move spot ts (Some ([], Some e))) es.
(* What is not a transition: the condition begins to hold, and time passes from part to part. *)
Definition changes (s : state) (m : mode) (k : N) : list (move spot) :=
  match m with
  | Free => if has_start claim then flat_map (fun c => onwards c (into [] [] s (Hop k) None)) (clauses_of (a_start claim) s) else []
  | In_ i =>
    if net_can_delay n s then
      onwards [] [([], (s, (Leaves i, Hop k)))] ++
      flat_map (fun j => match nth_error (parts s) j with
                         | None => []
                         | Some q => if (i =? j)%nat then [] else onwards (map weak_low q) [([], (s, (Enters j, Hop k)))]
                         end) (seq 0 (length (parts s)))
    else []
  | Leaves i => match nth_error (parts s) i with None => [] | Some q => onwards (map weak_up q) (into [] [] s (Hop k) (Some i)) end
  | Enters j => match nth_error (parts s) j with None => [] | Some q => onwards [] [(map (back (origins_of [])) q, (s, (In_ j, Hop k)))] end
  end.
Fixpoint counted (k : N) (l : list (move spot)) : list (N * move spot) :=
  match l with [] => [] | m :: l => (k, m) :: counted (N.succ k) l end.
Definition plain_steps (t : list (list (list edge))) (s : state) (m : mode) (c : count) : list (move spot) :=
  match m with
  | Leaves _ | Enters _ => []
  | _ => flat_map (fun x => map (Move spot (m_tests _ (snd x))) (outs m c (m_out _ (snd x)))) (net_moves n t s)
  end.
(* Nothing in the transition reads or sets the clock that ticks. *)
Definition ignores (x : move spot) : bool :=
  forallb apart (m_tests _ x) &&
  match m_out _ x with
  | None => true
  | Some (us, o) =>
    forallb (fun u => negb (u_x u =? tick)%nat && negb (u_y u =? tick)%nat) us &&
    match o with None => true | Some (e, _) => forallb apart e end
  end.
Definition ignored (t : list (list (list edge))) (s : state) (m : mode) (c : count) : bool :=
  (tick =? 0)%nat || forallb ignores (plain_steps t s m c).
Definition early : test := Test tick 0 (2 * period).                 (* below the period *)
Definition late : test := Test 0 tick (1 - 2 * period).
Definition may_tick (m : mode) : bool := negb (tick =? 0)%nat && match m with Free => negb (must_stay claim) | _ => true end.
Definition ticking (x : move spot) : list (move spot) :=
  match m_out _ x with
  | Some (us, Some (e, (s, (m, At k)))) =>
    if may_tick m
    then [Move spot (early :: m_tests _ x) (m_out _ x);
          Move spot (late :: m_tests _ x) (Some (us ++ [Upd tick 0 0], Some (e, (s, (m, Tick k)))))]
    else [x]
  | _ => [x]
  end.
Definition steps (t : list (list (list edge))) (s : state) (m : mode) (c : count) : list (move spot) :=
  flat_map ticking (plain_steps t s m c).
Definition spot_moves (t : list (list (list edge))) (p : spot) : list (N * move spot) :=
  let '(s, (m, c)) := p in
  counted 0 (steps t s m c ++ match c with At k => changes s m k | _ => [] end).

(* Time does not pass for ever in the part. *)
Definition time_stops (s : state) (q : list test) : bool :=
  negb (net_can_delay n s) || existsb (fun t => is_upper t && (t_bound t <? INF)) (inv_tests s ++ q).
(* How time can leave it, by an upper bound. *)
Definition exits (s : state) (ts q : list test) : list (list test) :=
  if net_can_delay n s then
    map (fun u => past (negated u :: ts)) (filter (fun u => is_upper u && forallb modest (negated u :: ts)) q)
  else [].
(* Where a state of the part may be deadlocked and stay in it; None: not known. *)
Definition dead_in (t : list (list (list edge))) (s : state) (q : list test) : option (list (list test)) :=
  match judge_all n s (invariants n s) with
  | Some (false, ts) =>
    if forallb (forallb (exact n s)) (invariants n s)
    then ways_out (filter is_upper ts) (ts ++ q) (chances n t s ts ++ exits s ts q) else None
  | None => Some []
  | _ => None
  end.
Definition spot_goal (also_dead : bool) (t : list (list (list edge))) (p : spot) : option (list (list test)) :=
  let '(s, (m, c)) := p in
  if errs_somewhere n claim s || negb (ignored t s m c) then None
  else match m with
       | In_ i => match nth_error (parts s) i with
                  | None => Some []
                  | Some q => if time_stops s q then (if also_dead then dead_in t s q else Some []) else None
                  end
       | _ => Some []
       end.

Record timed := Ranks {
  t_missing : N -> N;
  t_groups : N; t_group_at : N -> (state * (mode * N)) * (N * N); t_group_of : N -> N; t_frame_at : N -> frame;
  t_zone_at : N -> N * dbm; t_hints_at : N -> list (N * (N * N)); t_start_hints : list (N * (N * N)) }.
Definition spot_at (c : timed) (g : N) : spot * (N * N) :=
  let '((s, (m, k)), ab) := t_group_at c g in ((s, (m, At k)), ab).
End Timed.

Definition spots_check (n : net) (claim : asks) (tick : nat) (period : Z) (also_dead : bool) (c : timed) : bool :=
  let t := table n in
  forallb (starts_well n) (net_initial n) &&
  check spot spot_eqb (spot_initial n claim) (spot_inv n claim) (spot_delay n) (spot_moves n claim tick period t)
        (spot_goal n claim tick also_dead t) (Some 6%nat) (fun _ _ => true) N (ranked n claim tick (t_missing c)) (fun _ x => x)
        (t_groups c) (spot_at c) (t_group_of c) (t_frame_at c) (t_zone_at c) (t_hints_at c) (t_start_hints c).
Definition accepts_timed (n : net) (claim : asks) (c : timed) : bool :=
  forms_well n && begins n && unrated n && (must_stay claim || negb (has_start claim)) && spots_check n claim 0 0 true c.
(* Only runs count in which time diverges: then deadlocks need not be excluded. *)
Definition accepts_diverging (n : net) (claim : asks) (tick : nat) (period : Z) (c : timed) : bool :=
  forms_well n && begins n && unrated n && (must_stay claim || negb (has_start claim)) && spots_check n claim tick period false c.

Section Correct.
Variable n : net.
Variable claim : asks.
Variables (tick : nat) (period : Z) (also_dead : bool).
Variable c : timed.
Hypothesis accepted : spots_check n claim tick period also_dead c = true.
Hypothesis all_run : unrated n = true.
Hypothesis well_asked : must_stay claim || negb (has_start claim) = true.

Let checked := check spot spot_eqb (spot_initial n claim) (spot_inv n claim) (spot_delay n) (spot_moves n claim tick period (table n))
        (spot_goal n claim tick also_dead (table n)) (Some 6%nat) (fun _ _ => true) N (ranked n claim tick (t_missing c)) (fun _ x => x)
        (t_groups c) (spot_at c) (t_group_of c) (t_frame_at c) (t_zone_at c) (t_hints_at c) (t_start_hints c).
Let inside_spot := inside spot (spot_inv n claim) (spot_delay n) (t_groups c) (spot_at c) (t_frame_at c) (t_zone_at c).
Let found := is_covered spot N (ranked n claim tick (t_missing c)) (fun _ x => x) (t_groups c) (spot_at c) (t_frame_at c) (t_zone_at c).

Lemma is_checked : checked = true.
Proof. pose proof accepted as H. unfold spots_check in H. apply andb_prop in H. apply H. Qed.
Lemma none s : stopped n s = [].
Proof. apply unrated_stopped, all_run. Qed.
Lemma after_delayed s d v : after (stopped n s) d v = delayed d v.
Proof. rewrite none. reflexivity. Qed.

(* ---- With another value of the clock that ticks ---- *)

Definition seen (y : Q) (v : valuation) : valuation := fun k => if (S k =? tick)%nat then y else v k.
Lemma seen_same y z v w : (y == z)%Q -> same v w -> same (seen y v) (seen z w).
Proof. intros E S k. unfold seen. destruct (_ =? _)%nat; [exact E|apply S]. Qed.
Lemma seen_none y v : tick = 0%nat -> same (seen y v) v.
Proof. intros Z k. unfold seen. rewrite Z. reflexivity. Qed.
Lemma seen_zero v : zero v -> same (seen 0 v) v.
Proof. intros Z k. unfold seen. destruct (_ =? _)%nat; [symmetry; apply Z|reflexivity]. Qed.
Lemma seen_val y v x : x <> tick \/ tick = 0%nat -> val (seen y v) x = val v x.
Proof. destruct x as [|x]; intro N; [reflexivity|]. cbn [val]. unfold seen. destruct (Nat.eqb_spec (S x) tick); [destruct N; congruence|reflexivity]. Qed.
Lemma seen_tick y v : tick <> 0%nat -> val (seen y v) tick = y.
Proof. intro N. destruct (Nat.eq_dec tick (S (pred tick))) as [E|E]; [|lia]. rewrite E. cbn [val]. unfold seen. rewrite <- E, Nat.eqb_refl. reflexivity. Qed.
Lemma seen_delayed y d v : same (seen (y + d) (delayed d v)) (delayed d (seen y v)).
Proof. intro k. unfold seen, delayed. destruct (_ =? _)%nat; reflexivity. Qed.
Lemma seen_nonneg y v : nonneg v -> (0 <= y)%Q -> nonneg (seen y v).
Proof. intros N P k. unfold seen. destruct (_ =? _)%nat; [exact P|apply N]. Qed.
Lemma apart_not x : negb (x =? tick)%nat = true -> x <> tick.
Proof. intros H E. subst x. rewrite Nat.eqb_refl in H. discriminate. Qed.
Lemma seen_meets y v t : tick = 0%nat \/ apart tick t = true -> meets t (seen y v) <-> meets t v.
Proof.
  intro A. unfold meets, diff. assert (B : val (seen y v) (t_i t) = val v (t_i t) /\ val (seen y v) (t_j t) = val v (t_j t)).
  { destruct A as [Z|A]; [split; apply seen_val; right; trivial|]. unfold apart in A. apply andb_prop in A.
    split; apply seen_val; left; apply apart_not; apply A. }
  destruct B as [-> ->]. reflexivity.
Qed.
Lemma seen_hold y v ts : tick = 0%nat \/ forallb (apart tick) ts = true -> all_hold ts (seen y v) <-> all_hold ts v.
Proof.
  intro A. assert (B : forall t, In t ts -> meets t (seen y v) <-> meets t v).
  { intros t I. apply seen_meets. destruct A as [A|A]; [left; trivial|right]. rewrite forallb_forall in A. auto. }
  split; intros H t I; apply (B t I), H, I.
Qed.
Definition leaves (us : list upd) : bool := forallb (fun u => negb (u_x u =? tick)%nat && negb (u_y u =? tick)%nat) us.
Lemma seen_set1 y u v : tick = 0%nat \/ leaves [u] = true -> same (set1 u (seen y v)) (seen y (set1 u v)) /\ val (seen y v) (u_y u) = val v (u_y u).
Proof.
  intro A. assert (X : val (seen y v) (u_y u) = val v (u_y u)).
  { apply seen_val. destruct A as [A|A]; [right; trivial|left]. cbn [leaves forallb] in A. rewrite andb_true_r in A. apply andb_prop in A. apply apart_not, A. }
  split; [|exact X]. intro k. unfold set1. rewrite X. destruct (u_x u) as [|x] eqn:E; [reflexivity|]. unfold seen.
  destruct (Nat.eqb_spec k x) as [->|]; [|reflexivity]. destruct (Nat.eqb_spec (S x) tick) as [Q|]; [|reflexivity].
  exfalso. destruct A as [A|A]; [congruence|]. cbn [leaves forallb] in A. rewrite andb_true_r in A. apply andb_prop in A.
  apply (apart_not (u_x u)); [apply A|congruence].
Qed.
Lemma seen_set us : tick = 0%nat \/ leaves us = true -> forall y v, same (set_all us (seen y v)) (seen y (set_all us v)) /\ (negative us (seen y v) <-> negative us v).
Proof.
  induction us as [|u us IH]; intros A y v; [split; [intro k; reflexivity|reflexivity]|].
  assert (A1 : tick = 0%nat \/ leaves [u] = true).
  { destruct A as [A|A]; [auto|right]. cbn [leaves forallb] in *. apply andb_prop in A. rewrite (proj1 A). reflexivity. }
  assert (A2 : tick = 0%nat \/ leaves us = true) by (destruct A as [A|A]; [auto|right; cbn [leaves forallb] in A; apply andb_prop in A; apply A]).
  destruct (seen_set1 y u v A1) as [S X]. destruct (IH A2 y (set1 u v)) as [S' N]. cbn [set_all fold_left negative]. rewrite X. split.
  - intro k. rewrite <- (S' k). apply set_all_same. exact S.
  - apply or_iff_compat_l. rewrite <- N. split; apply negative_same; [apply same_sym|]; exact S.
Qed.

(* ---- Where a run is ---- *)

Definition is_at (s : state) (m : mode) (k : N) (y : Q) (v : valuation) : Prop :=
  inside_spot (s, (m, At k)) (seen y v) /\ holds n s v (invariant n s) /\ nonneg v /\ (tick = 0%nat \/ (0 <= y)%Q) /\ untouched n claim tick s = true.
Definition fits_in (s : state) (m : mode) (v : valuation) : Prop :=
  match m with In_ i => exists q, nth_error (parts n claim s) i = Some q /\ all_hold q v | _ => True end.

Lemma untouched_tests s ts : untouched n claim tick s = true ->
  (forall t, In t ts -> In t (inv_tests n s ++ concat (parts n claim s) ++ concat (clauses_of n (a_start claim) s))) ->
  tick = 0%nat \/ forallb (apart tick) ts = true.
Proof.
  unfold untouched. intros U I. apply orb_prop in U. destruct U as [U|U]; [left; apply Nat.eqb_eq; trivial|right].
  rewrite forallb_forall in *. auto.
Qed.
Lemma untouched_inv s ts : untouched n claim tick s = true -> net_inv n s = Some ts -> tick = 0%nat \/ forallb (apart tick) ts = true.
Proof. intros U E. apply (untouched_tests s); [trivial|]. intros t I. apply in_or_app. left. unfold inv_tests. rewrite E. exact I. Qed.
Lemma untouched_part s i q : untouched n claim tick s = true -> nth_error (parts n claim s) i = Some q -> tick = 0%nat \/ forallb (apart tick) q = true.
Proof.
  intros U E. apply (untouched_tests s); [trivial|]. intros t I. apply in_or_app. right. apply in_or_app. left.
  apply in_concat. exists q. split; [eapply nth_error_In; eauto|trivial].
Qed.
Lemma untouched_start s q : untouched n claim tick s = true -> In q (clauses_of n (a_start claim) s) -> tick = 0%nat \/ forallb (apart tick) q = true.
Proof.
  intros U E. apply (untouched_tests s); [trivial|]. intros t I. apply in_or_app. right. apply in_or_app. right.
  apply in_concat. exists q. auto.
Qed.
Lemma weak_apart (f : test -> test) q : (forall t, t_i (f t) = t_i t /\ t_j (f t) = t_j t) ->
  tick = 0%nat \/ forallb (apart tick) q = true -> tick = 0%nat \/ forallb (apart tick) (map f q) = true.
Proof.
  intros E [A|A]; [left; trivial|right]. rewrite forallb_forall in *. intros t I. apply in_map_iff in I. destruct I as (u & <- & I).
  unfold apart. destruct (E u) as [-> ->]. apply A. exact I.
Qed.
Lemma weak_low_names t : t_i (weak_low t) = t_i t /\ t_j (weak_low t) = t_j t.
Proof. unfold weak_low. destruct (is_lower t); auto. Qed.
Lemma weak_up_names t : t_i (weak_up t) = t_i t /\ t_j (weak_up t) = t_j t.
Proof. unfold weak_up. destruct (is_upper t); auto. Qed.

Lemma inv_spot s m d y v : holds n s v (invariant n s) -> fits_in s m v -> untouched n claim tick s = true -> inv_holds spot (spot_inv n claim) (s, (m, d)) (seen y v).
Proof.
  intros H F U. destruct (holds_inv n s v H) as (ts & I & A). unfold inv_holds. cbn [spot_inv]. rewrite I.
  apply (seen_hold y) in A; [|eapply untouched_inv; eauto].
  destruct m as [|i|i|i]; try (exists ts; auto; fail). destruct F as (q & E & Q). rewrite E. exists (ts ++ q).
  apply (seen_hold y) in Q; [|eapply untouched_part; eauto]. split; [trivial|apply all_hold_app; trivial].
Qed.
Lemma at_fits s m k y v : is_at s m k y v -> fits_in s m v.
Proof.
  intros [(_ & (ts & E & A) & _) (_ & _ & _ & U)]. destruct m as [|i|i|i]; try exact I. cbn [spot_inv] in E. cbn [fits_in].
  destruct (net_inv n s); [|discriminate]. destruct (nth_error (parts n claim s) i) as [q|] eqn:P; [|discriminate]. injection E as <-.
  exists q. split; [trivial|]. apply (seen_hold y); [eapply untouched_part; eauto|]. intros t T. apply A, in_or_app. auto.
Qed.
Lemma found_at s m d y v : found (s, (m, d)) (seen y v) -> nonneg v -> tick = 0%nat \/ (0 <= y)%Q -> holds n s v (invariant n s) -> fits_in s m v ->
  exists k, grows_not n claim tick (t_missing c) d m s k = true /\ is_at s m k y v.
Proof.
  intros F N Y H Ft. assert (N' : nonneg (seen y v)).
  { destruct Y as [Z|Y]; [intro x; rewrite (seen_none y v Z x); apply N|apply seen_nonneg; trivial]. }
  destruct (covered_inside spot (spot_inv n claim) (spot_delay n) _ _ _ _ _ _ _ _ _ F N') as (k & p & R & K).
  unfold ranked in R. destruct (grows_not n claim tick (t_missing c) d m s k) eqn:A; [|discriminate].
  destruct (untouched n claim tick s) eqn:U; [|discriminate]. injection R as <-.
  exists k. split; [trivial|]. split; [|auto]. apply K; [reflexivity|]. apply inv_spot; trivial.
Qed.

Lemma start_at s m v : starts n s -> zero v -> holds n s v (invariant n s) -> fits_in s m v ->
  (if first_mode claim then exists i, m = In_ i else m = Free) -> exists k, is_at s m k 0 v.
Proof.
  intros S Z H F M. destruct (found_at s m Start 0 v) as (k & _ & A); trivial; [|intro x; rewrite (Z x); lra|right; lra|exists k; trivial].
  apply (is_covered_same _ _ _ _ _ _ _ _ _ _ _ (seen_zero v Z)).
  apply (initial_covered spot spot_eqb spot_eqb_eq (spot_initial n claim) (spot_inv n claim) (spot_delay n)
           (spot_moves n claim tick period (table n)) (spot_goal n claim tick also_dead (table n)) (Some 6%nat) (fun _ _ => true) _ _ _ _ _ _ _ _ _ _ is_checked); trivial.
  - unfold spot_initial. apply in_flat_map. exists s. split; [apply starts_in; trivial|]. destruct (first_mode claim); [|subst m; left; trivial].
    destruct M as (i & ->). apply (in_map (fun i => (s, (In_ i, Start)))). apply in_seq. destruct F as (q & E & _).
    assert (L : nth_error (parts n claim s) i <> None) by congruence. apply nth_error_Some in L. lia.
  - destruct (holds_inv n s v H) as (ts & I & A). unfold inv_holds. cbn [spot_inv]. rewrite I.
    destruct m as [|i|i|i]; try (exists ts; auto; fail). destruct F as (q & E & Q). rewrite E. exists (ts ++ q). split; [trivial|apply all_hold_app; trivial].
Qed.

Lemma same_at s m k y y' v v' : same v' v -> (y' == y)%Q -> is_at s m k y v -> is_at s m k y' v'.
Proof.
  intros S E (I & H & N & Y & U). split; [eapply inside_same; [|exact I]; apply seen_same; trivial|].
  split; [eapply holds_same; [|exact H]; intro x; symmetry; apply S|]. split; [intro x; rewrite (S x); apply N|].
  split; [destruct Y as [Y|Y]; [left; trivial|right; lra]|trivial].
Qed.
Lemma wait_at s m k y v d v' : is_at s m k y v -> passes n s v d -> same v' (after (stopped n s) d v) -> fits_in s m v' -> is_at s m k (y + d) v'.
Proof.
  intros I (P & W & H) S F.
  assert (H' : holds n s v' (invariant n s)).
  { apply holds_same with (after (stopped n s) d v); [intro x; symmetry; apply S|]. apply H; lra. }
  destruct W as [Z|W].
  - apply same_at with y v; [|lra|trivial]. intro x. rewrite (S x). unfold after. destruct (existsb _ _); lra.
  - destruct I as (I & _ & N & Y & U). rewrite after_delayed in S.
    split; [|split; [trivial|split; [intro x; rewrite (S x); unfold delayed; specialize (N x); lra|split; [destruct Y as [Y|Y]; [left; trivial|right; lra]|trivial]]]].
    assert (Dl : spot_delay n (s, (m, At k)) = Some (stopped n s)) by (apply may_wait_delay; exact W).
    eapply delay_inside; [exact I|exact Dl|exact P| |apply inv_spot; trivial].
    rewrite after_delayed. intro x. rewrite <- (seen_delayed y d v x). apply seen_same; [lra|exact S].
Qed.

Lemma counted_in l m : In m l -> forall k, exists j, In (j, m) (counted k l).
Proof.
  induction l as [|x l IH]; intros I k; [destruct I|]. cbn [counted]. destruct I as [->|I]; [exists k; left; trivial|].
  destruct (IH I (N.succ k)) as (j & J). exists j. right. exact J.
Qed.
(* A move is taken. *)
Lemma taken_at s m k y v ts us e s' m' c' : is_at s m k y v ->
  In (Move spot ts (Some (us, Some (e, (s', (m', c')))))) (steps n claim tick period (table n) s m (At k) ++ changes n claim s m k) ->
  all_hold ts (seen y v) -> all_hold e (seen y v) -> ~ negative us (seen y v) /\ found (s', (m', c')) (set_all us (seen y v)).
Proof.
  intros [I H] J A E. destruct (counted_in _ _ J 0%N) as (j & K).
  destruct (inside_move spot spot_eqb spot_eqb_eq (spot_initial n claim) (spot_inv n claim) (spot_delay n)
           (spot_moves n claim tick period (table n)) (spot_goal n claim tick also_dead (table n)) (Some 6%nat) (fun _ _ => true) _ _ _ _ _ _ _ _ _ _ is_checked _ _ _ _ I K A)
    as (us2 & target & O & NN & Co).
  injection O as <- <-. split; [exact NN|]. exact (Co _ _ eq_refl E).
Qed.
Lemma change_at s m k y v ts e m' : is_at s m k y v -> In (Move spot ts (Some ([], Some (e, (s, (m', Hop k)))))) (changes n claim s m k) ->
  all_hold ts (seen y v) -> all_hold e (seen y v) -> fits_in s m' v -> exists k', (k' <= k)%N /\ is_at s m' k' y v.
Proof.
  intros I J A E F. destruct (taken_at s m k y v ts [] e s m' (Hop k) I) as [_ Fd]; trivial; [apply in_or_app; right; trivial|].
  destruct (found_at s m' (Hop k) y v Fd) as (k' & G & Is); trivial; [apply I|apply I|apply I|].
  exists k'. split; [apply N.leb_le; exact G|trivial].
Qed.
Lemma back_nil q v : all_hold q v -> all_hold (map (back (origins_of [])) q) v.
Proof. intro A. apply (all_hold_back [] q v). exact A. Qed.
Lemma into_in us ts s c' but i q : nth_error (parts n claim s) i = Some q -> but <> Some i ->
  In (ts ++ map (back (origins_of us)) q, (s, (In_ i, c'))) (into n claim us ts s c' but).
Proof.
  intros E B. unfold into. apply in_flat_map. exists i. split.
  - apply in_seq. assert (L : nth_error (parts n claim s) i <> None) by congruence. apply nth_error_Some in L. lia.
  - rewrite E. destruct but as [j|]; [|left; trivial]. destruct (Nat.eqb_spec i j) as [->|]; [congruence|left; trivial].
Qed.

Lemma good_at s m k y v : is_at s m k y v -> ~ meets_goal spot (spot_goal n claim tick also_dead (table n)) (s, (m, At k)) (seen y v).
Proof.
  intros [I _]. eapply (inside_good spot spot_eqb spot_eqb_eq (spot_initial n claim) (spot_inv n claim) (spot_delay n)
           (spot_moves n claim tick period (table n)) (spot_goal n claim tick also_dead (table n)) (Some 6%nat) (fun _ _ => true)); [exact is_checked|exact I].
Qed.
Lemma ignored_at s m k y v x : is_at s m k y v -> In x (plain_steps n claim (table n) s m (At k)) -> tick = 0%nat \/ ignores tick x = true.
Proof.
  intros I J. pose proof (good_at _ _ _ _ _ I) as G. unfold meets_goal in G. cbn [spot_goal] in G.
  destruct (ignored n claim tick (table n) s m (At k)) eqn:E; [|rewrite orb_true_r in G; tauto].
  unfold ignored in E. apply orb_prop in E. destruct E as [E|E]; [left; apply Nat.eqb_eq; trivial|right].
  rewrite forallb_forall in E. auto.
Qed.
Lemma early_or_late y v : tick <> 0%nat ->
  meets (early tick period) (seen y v) /\ (y < inject_Z period)%Q \/ meets (late tick period) (seen y v).
Proof.
  intro T. destruct (Qlt_le_dec y (inject_Z period)) as [L|L].
  - left. split; [|exact L]. unfold meets, early, diff, sat. cbn [t_i t_j t_bound]. rewrite (seen_tick y v T). cbn [val]. right.
    assert (O : Z.odd (2 * period) = false) by (rewrite Z.odd_mul; reflexivity). rewrite O. unfold half.
    rewrite Z.div2_div, Z.mul_comm, Z.div_mul by lia. lra.
  - right. unfold meets, late, diff, sat. cbn [t_i t_j t_bound]. rewrite (seen_tick y v T). cbn [val]. right.
    replace (1 - 2 * period) with (2 * (- period) + 1) by lia.
    pose proof (div2_eq (2 * (- period) + 1)) as E. unfold half. destruct (Z.odd (2 * (- period) + 1)); [|lia].
    replace (Z.div2 (2 * (- period) + 1)) with (- period) by lia. rewrite inject_Z_opp. lra.
Qed.

Definition is_mode (m m' : mode) : Prop := match m with Free => m' = Free | In_ _ => exists j, m' = In_ j | _ => False end.
(* It is early, or not counted, and the clock that ticks is not set; or it is a tick. *)
Lemma go_at s m k y v s' v' m' : is_at s m k y v -> takes n s v s' v' -> is_mode m m' -> fits_in s' m' v' ->
  exists k' y', is_at s' m' k' y' v' /\
    (grows_not n claim tick (t_missing c) (At k) m' s' k' = true /\ y' = y /\ (may_tick claim tick m' = true -> (y < inject_Z period)%Q) \/
     grows_not n claim tick (t_missing c) (Tick k) m' s' k' = true).
Proof.
  intros I0 (es & us & J & G & Ro & F & Nn & S & H') Md Ft. pose proof I0 as (I & H & N & Y & U).
  destruct (judge_holds n _ _ _ G) as (ts & E & A). pose proof H' as H1. apply (holds_same n _ _ _ _ S) in H1.
  destruct (invariants_hold n _ _ H1) as (ts' & E' & A').
  destruct (moves_in n s v es ts (Some (us, Some (map (back (origins_of us)) ts', s'))) N (holds_inv n s v H) J (not_false_holds n _ _ _ G) Ro) as (j & mv & K & Tm & Om).
  { unfold result. rewrite E, F, E'. trivial. }
  { exact A. }
  assert (Ft' : fits_in s' m' (set_all us v)).
  { destruct m' as [|i|i|i]; try exact Logic.I. destruct Ft as (q & Eq & Q). exists q. split; [trivial|]. eapply all_hold_same; [exact S|exact Q]. }
  assert (Kx : exists e, all_hold e v /\ In (Move spot (m_tests _ mv) (Some (us, Some (e, (s', (m', At k)))))) (plain_steps n claim (table n) s m (At k))).
  { unfold plain_steps. destruct m as [|i|i|i]; cbn [is_mode] in Md; try tauto.
    - subst m'. exists (map (back (origins_of us)) ts'). split; [apply all_hold_back; trivial|]. apply in_flat_map. exists (j, mv). split; [exact K|].
      apply in_map. cbn [snd]. rewrite Om. cbn [outs]. right. left. trivial.
    - destruct Md as (i' & ->). destruct Ft' as (q & Eq & Q).
      exists (map (back (origins_of us)) ts' ++ map (back (origins_of us)) q). split; [apply all_hold_app; apply all_hold_back; trivial|].
      apply in_flat_map. exists (j, mv). split; [exact K|]. apply in_map. cbn [snd]. rewrite Om. cbn [outs]. right.
      apply (in_map (fun e => Some (us, Some e))). apply into_in; [trivial|discriminate]. }
  destruct Kx as (e & Ae & Ie). pose proof (ignored_at _ _ _ _ _ _ I0 Ie) as Ig.
  assert (Ap : (tick = 0%nat \/ forallb (apart tick) (m_tests _ mv) = true) /\ (tick = 0%nat \/ leaves us = true) /\ (tick = 0%nat \/ forallb (apart tick) e = true)).
  { destruct Ig as [Z|Ig]; [auto|]. unfold ignores in Ig. cbn [m_tests m_out] in Ig. apply andb_prop in Ig. destruct Ig as [I1 I2].
    apply andb_prop in I2. destruct I2 as [I2 I3]. auto. }
  destruct Ap as (Ap1 & Ap2 & Ap3). apply (seen_hold y) in Tm; [|exact Ap1]. apply (seen_hold y) in Ae; [|exact Ap3].
  destruct (seen_set us Ap2 y v) as [Se Ne].
  assert (N' : nonneg v') by (intro x; rewrite (S x); apply nonneg_set; trivial).
  assert (Back : forall z, same (seen z v') (seen z (set_all us v))) by (intro z; apply seen_same; [reflexivity|exact S]).
  assert (In_steps : forall x, In x (ticking claim tick period (Move spot (m_tests _ mv) (Some (us, Some (e, (s', (m', At k))))))) ->
            In x (steps n claim tick period (table n) s m (At k) ++ changes n claim s m k)).
  { intros x X. apply in_or_app. left. unfold steps. apply in_flat_map. eexists. split; [exact Ie|exact X]. }
  unfold ticking in In_steps. cbn [m_out m_tests] in In_steps.
  assert (Plain : forall ts0, all_hold ts0 (seen y v) ->
            In (Move spot ts0 (Some (us, Some (e, (s', (m', At k)))))) (steps n claim tick period (table n) s m (At k) ++ changes n claim s m k) ->
            exists k', grows_not n claim tick (t_missing c) (At k) m' s' k' = true /\ is_at s' m' k' y v').
  { intros ts0 A0 I1. destruct (taken_at s m k y v ts0 us e s' m' (At k) I0 I1 A0 Ae) as [_ Co].
    apply (found_at s' m' (At k) y v'); trivial. eapply is_covered_same; [|exact Co]. intro x. rewrite (Back y x). symmetry. apply Se. }
  destruct (may_tick claim tick m') eqn:Mt.
  - assert (T : tick <> 0%nat) by (unfold may_tick in Mt; intro X; rewrite X in Mt; discriminate).
    destruct (early_or_late y v T) as [[Ea L]|La].
    + destruct (Plain (early tick period :: m_tests _ mv)) as (k' & Gr & Is); [intros t [<-|It]; [exact Ea|apply Tm; trivial]|apply In_steps; left; trivial|].
      exists k', y. split; [exact Is|]. left. auto.
    + destruct (taken_at s m k y v (late tick period :: m_tests _ mv) (us ++ [Upd tick 0 0]) e s' m' (Tick k) I0) as [_ Co];
        [apply In_steps; right; left; trivial|intros t [<-|It]; [exact La|apply Tm; trivial]|exact Ae|].
      destruct (found_at s' m' (Tick k) 0 v') as (k' & Gr & Is); trivial; [|right; lra|exists k', 0%Q; auto].
      eapply is_covered_same; [|exact Co]. intro x. rewrite (Back 0%Q x). unfold set_all at 2. rewrite fold_left_app. cbn [fold_left].
      fold (set_all us (seen y v)). unfold set1. cbn [u_x u_y u_c]. destruct tick as [|z] eqn:Tz; [tauto|]. unfold seen at 1. rewrite Tz. cbn [Nat.eqb val].
      destruct (x =? z)%nat eqn:Ez; [reflexivity|]. rewrite (Se x). unfold seen. rewrite Tz. cbn [Nat.eqb]. rewrite Ez. reflexivity.
  - destruct (Plain (m_tests _ mv) Tm) as (k' & Gr & Is); [apply In_steps; left; trivial|].
    exists k', y. split; [exact Is|]. left. split; [trivial|split; [trivial|discriminate]].
Qed.

(* ---- Time ---- *)

Lemma stays_same s v w : same v w -> stays claim (may_be n) s v -> stays claim (may_be n) s w.
Proof.
  unfold stays. intro S. destruct (a_stay claim) as [f|]; [|trivial]. intros M D. apply M.
  eapply decided_same; [|exact D]. intro x. symmetry. apply S.
Qed.
Lemma twice a b v : same (delayed b (delayed a v)) (delayed (a + b) v).
Proof. intro x. unfold delayed. lra. Qed.
Lemma passes_part s v D a b : passes n s v D -> (0 <= a)%Q -> (a <= b)%Q -> (b <= D)%Q -> passes n s (delayed a v) (b - a).
Proof.
  intros (P & W & H) A B C. split; [lra|]. split.
  - destruct W as [Z|W]; [left; lra|right; trivial].
  - intros e E F. rewrite after_delayed. apply holds_same with (delayed (a + e) v); [intro x; symmetry; apply twice|].
    specialize (H (a + e)%Q ltac:(lra) ltac:(lra)). rewrite after_delayed in H. exact H.
Qed.

Section Waits.
Variables (s : state) (v : valuation) (y D : Q) (k0 : N).
Hypothesis wait : waits n claim (may_be n) s v D.
Hypothesis positive : nonneg v.

Definition here (a : Q) : Prop := exists k i, (k <= k0)%N /\ is_at s (In_ i) k (y + a) (delayed a v).
Definition every_test : list test := concat (parts n claim s).
Lemma of_part i q t : nth_error (parts n claim s) i = Some q -> In t q -> In t every_test.
Proof. intros E T. apply in_concat. exists q. split; [eapply nth_error_In; eauto|trivial]. Qed.

Lemma part_then a : (0 <= a)%Q -> (a <= D)%Q -> exists i q, nth_error (parts n claim s) i = Some q /\ all_hold q (delayed a v).
Proof.
  intros A B. destruct wait as [(P & W & H) St]. apply in_part.
  - intro x. unfold delayed. specialize (positive x). lra.
  - specialize (H a A B). rewrite after_delayed in H. exact H.
  - specialize (St a A B). rewrite after_delayed in St. exact St.
Qed.
Lemma onward a b m k : is_at s m k (y + a) (delayed a v) -> (0 <= a)%Q -> (a <= b)%Q -> (b <= D)%Q -> fits_in s m (delayed b v) ->
  is_at s m k (y + b) (delayed b v).
Proof.
  intros I A B C F. apply same_at with (y + a + (b - a))%Q (delayed b v); [intro x; reflexivity|lra|].
  apply (wait_at s m k (y + a) (delayed a v) (b - a)); [trivial| | |trivial].
  - destruct wait as [P _]. apply (passes_part s v D); trivial.
  - rewrite after_delayed. intro x. unfold delayed. lra.
Qed.
Lemma can_wait : (0 < D)%Q -> net_can_delay n s = true.
Proof. intro P. destruct wait as [(_ & [Z|W] & _) _]; [lra|]. apply may_wait_b. exact W. Qed.
Lemma back_again q w : all_hold q w -> all_hold ([] ++ map (back (origins_of [])) q) w.
Proof. apply back_nil. Qed.

Lemma no_turn a b : (0 <= a)%Q -> (a <= b)%Q -> (b <= D)%Q -> (forall t, In t every_test -> clear v a b t) -> here a -> here b.
Proof.
  intros A B C Cl (k & i & Lk & I). destruct (Qlt_le_dec a b) as [L|L].
  2: { exists k, i. split; [trivial|]. apply same_at with (y + a)%Q (delayed a v); [intro x; unfold delayed; lra|lra|trivial]. }
  set (m := ((a + b) * (1 # 2))%Q). assert (M1 : (a < m)%Q) by (unfold m; lra). assert (M2 : (m < b)%Q) by (unfold m; lra).
  pose proof (can_wait ltac:(lra)) as Cw.
  destruct (part_then m) as (j & q & Ej & Qj); [lra|lra|].
  assert (Lj : In j (seq 0 (length (parts n claim s)))).
  { apply in_seq. assert (X : nth_error (parts n claim s) j <> None) by congruence. apply nth_error_Some in X. lia. }
  pose proof I as (_ & _ & _ & _ & Un).
  assert (H1 : exists k1, (k1 <= k)%N /\ is_at s (In_ j) k1 (y + m) (delayed m v)).
  { destruct (Nat.eq_dec i j) as [->|Ne].
    - exists k. split; [lia|]. apply (onward a m); trivial; try lra. exists q. auto.
    - destruct (change_at s (In_ i) k (y + a) (delayed a v) (map weak_low q) [] (Enters j) I) as (k1 & L1 & I1).
      + cbn [changes]. rewrite Cw. apply in_or_app. right. apply in_flat_map. exists j. split; [trivial|]. rewrite Ej.
        destruct (Nat.eqb_spec i j); [congruence|]. left. trivial.
      + apply seen_hold; [apply weak_apart; [exact weak_low_names|eapply untouched_part; eauto]|].
        intros t T. apply in_map_iff in T. destruct T as (t' & <- & T). apply (low_at_once v a m b); [trivial|trivial|exact (Cl t' (of_part j q t' Ej T))|apply Qj; trivial].
      + apply all_hold_nil.
      + exact Logic.I.
      + apply (onward a m) in I1; [|trivial|lra|lra|exact Logic.I].
        destruct (change_at s (Enters j) k1 (y + m) (delayed m v) [] (map (back (origins_of [])) q) (In_ j) I1) as (k2 & L2 & I2).
        * cbn [changes]. rewrite Ej. left. trivial.
        * apply all_hold_nil.
        * apply back_nil, seen_hold; [eapply untouched_part; eauto|trivial].
        * exists q. auto.
        * exists k2. split; [lia|trivial]. }
  destruct H1 as (k1 & L1 & I1). destruct (part_then b) as (l & r & El & Rl); [lra|lra|].
  destruct (Nat.eq_dec j l) as [->|Ne].
  - exists k1, l. split; [lia|]. apply (onward m b); trivial; try lra. exists r. auto.
  - destruct (change_at s (In_ j) k1 (y + m) (delayed m v) [] [] (Leaves j) I1) as (k2 & L2 & I2).
    + cbn [changes]. rewrite Cw. left. trivial.
    + apply all_hold_nil.
    + apply all_hold_nil.
    + exact Logic.I.
    + apply (onward m b) in I2; [|lra|lra|trivial|exact Logic.I].
      destruct (change_at s (Leaves j) k2 (y + b) (delayed b v) (map weak_up q) ([] ++ map (back (origins_of [])) r) (In_ l) I2) as (k3 & L3 & I3).
      * cbn [changes]. rewrite Ej. apply (in_map (fun e => Move spot (map weak_up q) (Some ([], Some e)))). apply into_in; [trivial|congruence].
      * apply seen_hold; [apply weak_apart; [exact weak_up_names|eapply untouched_part; eauto]|].
        intros t T. apply in_map_iff in T. destruct T as (t' & <- & T). apply (up_at_last v a m b); [trivial|trivial|exact (Cl t' (of_part j q t' Ej T))|apply Qj; trivial].
      * apply back_again, seen_hold; [eapply untouched_part; eauto|trivial].
      * exists r. auto.
      * exists k3, l. split; [lia|trivial].
Qed.
Lemma turns_pass L : forall a b, (0 <= a)%Q -> (a <= b)%Q -> (b <= D)%Q ->
  (forall t, In t every_test -> clear v a b t \/ In t L) -> here a -> here b.
Proof.
  induction L as [|t L IH]; intros a b A B C Cl H.
  - apply (no_turn a b); trivial. intros u U. destruct (Cl u U) as [X|[]]. exact X.
  - destruct (Qlt_le_dec a (turn v t)) as [X|X]; [destruct (Qlt_le_dec (turn v t) b) as [Y|Y]|].
    + assert (Both : forall u x z, (a <= x)%Q -> (z <= b)%Q -> clear v a b u -> clear v x z u) by (unfold clear; intros u x z U V [W|W]; [left|right]; lra).
      assert (H' : here (turn v t)).
      { apply (IH a (turn v t)); trivial; try lra. intros u U. destruct (Cl u U) as [W|[<-|W]]; [left; apply Both; trivial; lra|left; right; lra|right; trivial]. }
      apply (IH (turn v t) b); trivial; try lra. intros u U. destruct (Cl u U) as [W|[<-|W]]; [left; apply Both; trivial; lra|left; left; lra|right; trivial].
    + apply (IH a b); trivial. intros u U. destruct (Cl u U) as [W|[<-|W]]; [auto|left; right; trivial|auto].
    + apply (IH a b); trivial. intros u U. destruct (Cl u U) as [W|[<-|W]]; [auto|left; left; trivial|auto].
Qed.
Lemma all_turns : here 0 -> here D.
Proof. destruct wait as [[P _] _]. intro H. apply (turns_pass every_test 0%Q D); trivial; [lra|lra|auto]. Qed.
End Waits.

Lemma waits_at s v d k y i : waits n claim (may_be n) s v d -> is_at s (In_ i) k y v ->
  exists k' j, (k' <= k)%N /\ is_at s (In_ j) k' (y + d) (delayed d v).
Proof.
  intros W I. apply (all_turns s v y d k W); [apply I|]. exists k, i. split; [lia|].
  apply same_at with y v; [intro x; unfold delayed; lra|lra|trivial].
Qed.

(* ---- Runs ---- *)

Lemma reachable_at s v : first_mode claim = false -> reachable n s v -> exists k y, is_at s Free k y v.
Proof.
  intro HS. induction 1 as [s v S Z H|s v d v' R IH P S|s v s' v' R IH T].
  - destruct (start_at s Free v) as (k & A); trivial; [exact I|rewrite HS; trivial|exists k, 0%Q; trivial].
  - destruct IH as (k & y & I). exists k, (y + d)%Q. apply (wait_at s Free k y v d v'); trivial. exact Logic.I.
  - destruct IH as (k & y & I). destruct (go_at s Free k y v s' v' Free) as (k' & y' & A & _); trivial; [reflexivity|exact Logic.I|exists k', y'; trivial].
Qed.

Section Staying.
Hypothesis stay : must_stay claim = true.

Lemma origin_at s v : origin n claim (may_be n) s v -> stays claim (may_be n) s v -> exists k i y, is_at s (In_ i) k y v.
Proof.
  unfold origin. intros O St. destruct (a_start claim) as [f|] eqn:A.
  - destruct O as [R M]. assert (HS : has_start claim = true) by (unfold has_start; rewrite A; trivial).
    destruct (reachable_at s v) as (k & y & I); [unfold first_mode; rewrite HS, stay; trivial|trivial|]. pose proof I as (_ & Hi & Nv & _ & Un).
    destruct (in_part n claim s v Nv Hi St) as (i & q & E & Q).
    destruct (clauses_of_met n f s v M) as (cs & Ic & C).
    destruct (change_at s Free k y v cs ([] ++ map (back (origins_of [])) q) (In_ i) I) as (k' & _ & I').
    + cbn [changes]. rewrite HS, A. apply in_flat_map. exists cs. split; [trivial|].
      apply (in_map (fun e => Move spot cs (Some ([], Some e)))). apply into_in; [trivial|discriminate].
    + apply seen_hold; [|exact C]. apply (untouched_start s cs Un). rewrite A. exact Ic.
    + apply back_again, seen_hold; [eapply untouched_part; eauto|exact Q].
    + exists q. auto.
    + exists k', i, y. exact I'.
  - assert (HS : has_start claim = false) by (unfold has_start; rewrite A; trivial). destruct O as (S & Z & H).
    assert (N : nonneg v) by (intro x; rewrite (Z x); lra). destruct (in_part n claim s v N H St) as (i & q & E & Q).
    destruct (start_at s (In_ i) v) as (k & I); trivial; [exists q; auto|unfold first_mode; rewrite HS, stay; exists i; trivial|exists k, i, 0%Q; trivial].
Qed.
Lemma waits_stays s v d : waits n claim (may_be n) s v d -> stays claim (may_be n) s v.
Proof.
  intros [(P & _) W]. specialize (W 0%Q ltac:(lra) P). rewrite after_delayed in W. eapply stays_same; [|exact W].
  intro x. unfold delayed. lra.
Qed.
Definition lacks_tick (k : N) (y : Q) : Prop := no_ticks claim tick (t_missing c) k = true /\ (y < inject_Z period)%Q.
Lemma next_at s v k y i s' v' : is_at s (In_ i) k y v -> takes n s v s' v' -> stays claim (may_be n) s' v' ->
  exists k' j y', is_at s' (In_ j) k' y' v' /\ ((k' < k)%N \/ k' = k /\ y' = y /\ lacks_tick k y).
Proof.
  intros I T St. assert (N : nonneg v').
  { destruct T as (es & us & _ & _ & _ & _ & Nn & S & _). intro x. rewrite (S x). apply nonneg_set; [apply I|trivial]. }
  assert (H : holds n s' v' (invariant n s')) by (destruct T as (es & us & T); apply T).
  destruct (in_part n claim s' v' N H St) as (j & q & E & Q).
  destruct (go_at s (In_ i) k y v s' v' (In_ j) I T) as (k' & y' & I' & G); [exists j; trivial|exists q; auto|].
  exists k', j, y'. split; [exact I'|]. cbn [grows_not] in G. rewrite !andb_false_r, !orb_false_r in G.
  destruct G as [(G & -> & L)|G]; [|left; apply N.ltb_lt; exact G]. apply orb_prop in G. destruct G as [G|G]; [left; apply N.ltb_lt; exact G|right].
  apply andb_prop in G. destruct G as [Ek Nt]. apply N.eqb_eq in Ek. split; [exact Ek|]. split; [trivial|]. split; [exact Nt|]. apply L.
  unfold may_tick. unfold no_ticks in Nt. apply andb_prop in Nt. rewrite (proj1 Nt). reflexivity.
Qed.

(* A moment after which no upper bound of the tests holds. *)
Lemma far_off v ts : exists d, (0 <= d)%Q /\ forall t, In t ts -> is_upper t = true -> t_bound t < INF -> ~ meets t (delayed d v).
Proof.
  induction ts as [|t ts (d & P & F)]; [exists 0%Q; split; [lra|intros t []]|].
  assert (X : exists e, (d <= e)%Q /\ (turn v t + 1 <= e)%Q).
  { destruct (Qlt_le_dec d (turn v t + 1)); [exists (turn v t + 1)%Q|exists d]; split; lra. }
  destruct X as (e & L & M). exists e. split; [lra|]. intros u [<-|I] U B H.
  - apply (proj1 (upper_meets v t e U)) in H. unfold high_ok, sat, turn in *.
    assert (Lo : is_lower t = false) by (unfold is_upper, is_lower in *; destruct (t_i t); [discriminate|trivial]). rewrite Lo in M.
    destruct H as [H|H]; [lia|]. destruct (Z.odd (t_bound t)); lra.
  - apply (F u I U B). apply (upper_meets v u d U). apply (proj1 (upper_meets v u e U)) in H. unfold high_ok in *. eapply sat_down; [|exact H]. lra.
Qed.
Lemma never_idle s v k y i : (forall d, (0 <= d)%Q -> waits n claim (may_be n) s v d) -> is_at s (In_ i) k y v -> False.
Proof.
  intros W I. destruct (far_off v (inv_tests n s ++ every_test s)) as (d & P & F).
  destruct (waits_at _ _ _ _ _ _ (W d P) I) as (k1 & j & _ & I1). pose proof (at_fits _ _ _ _ _ I1) as (q & E & Q).
  pose proof (good_at _ _ _ _ _ I1) as Gd. unfold meets_goal in Gd. cbn [spot_goal] in Gd. rewrite E in Gd.
  destruct (errs_somewhere n claim s || _); [tauto|]. destruct (time_stops n s q) eqn:T; [clear Gd|tauto].
  assert (MW : may_wait n s). { destruct (W 1%Q ltac:(lra)) as [(_ & [Z|M] & _) _]; [lra|trivial]. }
  unfold time_stops in T. rewrite (may_wait_b n s MW) in T. cbn [negb orb] in T.
  apply existsb_exists in T. destruct T as (t & It & T). apply andb_prop in T. destruct T as [U B]. apply Z.ltb_lt in B.
  apply in_app_or in It. destruct It as [It|It].
  - apply (F t (in_or_app _ _ _ (or_introl It)) U B). destruct (holds_inv n s _ (proj1 (proj2 I1))) as (ts & Ei & A).
    unfold inv_tests in It. rewrite Ei in It. apply A. exact It.
  - apply (F t (in_or_app _ _ _ (or_intror (of_part s j q t E It))) U B). apply Q. exact It.
Qed.

(* How many upper bounds hold: fewer after a part is left by one. *)
Definition now (v : valuation) (t : test) : bool := is_upper t && if sat_decides (t_bound t) (diff v (t_i t) (t_j t)) then true else false.
Lemma now_means v t : now v t = true <-> is_upper t = true /\ meets t v.
Proof.
  unfold now, meets. destruct (sat_decides (t_bound t) (diff v (t_i t) (t_j t))); rewrite ?andb_true_r, ?andb_false_r; [tauto|].
  split; [discriminate|tauto].
Qed.
Lemma fewer (f g : test -> bool) l : (forall t, In t l -> g t = true -> f t = true) ->
  (length (filter g l) <= length (filter f l))%nat /\
  ((exists t, In t l /\ f t = true /\ g t = false) -> (length (filter g l) < length (filter f l))%nat).
Proof.
  induction l as [|x l IH]; intro H; [split; [simpl; lia|intros (t & [] & _)]|].
  destruct IH as [A B]; [intros t I; apply H; right; trivial|]. cbn [filter]. pose proof (H x (or_introl eq_refl)) as X.
  destruct (g x) eqn:G.
  - rewrite (X eq_refl). cbn [length]. split; [lia|]. intros (t & [->|I] & F & Gt); [congruence|].
    assert (length (filter g l) < length (filter f l))%nat by (apply B; exists t; auto). lia.
  - destruct (f x) eqn:F; cbn [length]; split; try lia.
    intros (t & [->|I] & Ft & Gt); [congruence|]. apply B. exists t. auto.
Qed.
Lemma not_both t v : modest (negated t) = true -> meets t v -> meets (negated t) v -> False.
Proof.
  unfold modest, meets, negated, diff. cbn [t_i t_j t_bound]. intros B M N. apply andb_prop in B. destruct B as [B1 B2].
  apply Z.ltb_lt in B1, B2. pose proof (div2_eq (t_bound t)) as E. pose proof (div2_eq (1 - t_bound t)) as F.
  destruct M as [M|M]; [unfold INF in M; lia|]. destruct N as [N|N]; [unfold INF in N; lia|]. unfold half in *.
  destruct (Z.odd (t_bound t)), (Z.odd (1 - t_bound t)); try lia;
    (assert (G : Z.div2 (1 - t_bound t) = - Z.div2 (t_bound t)) by lia; rewrite G, inject_Z_opp in N; lra).
Qed.

Lemma passes_on s v d e : passes n s v d -> passes n s (delayed d v) e -> passes n s v (d + e).
Proof.
  intros (P & W & H) (P' & W' & H'). split; [lra|]. split.
  - destruct W as [Z|W]; [|right; trivial]. destruct W' as [Z'|W']; [left; lra|right; trivial].
  - intros x A B. rewrite after_delayed. destruct (Qlt_le_dec d x) as [L|L].
    + specialize (H' (x - d)%Q ltac:(lra) ltac:(lra)). rewrite after_delayed in H'. eapply holds_same; [|exact H'].
      intro y. unfold delayed. lra.
    + specialize (H x A L). rewrite after_delayed in H. exact H.
Qed.
Lemma alive_before s v d : passes n s v d -> alive n s (delayed d v) -> alive n s v.
Proof.
  intros P (e & s' & v' & P' & T). exists (d + e)%Q, s', v'. split; [apply passes_on; trivial|].
  rewrite after_delayed in *. eapply takes_same; [|exact T]. intro x. unfold delayed. lra.
Qed.
Lemma waits_later s v d : passes n s v d -> (forall e, passes n s v e -> waits n claim (may_be n) s v e) ->
  forall e, passes n s (delayed d v) e -> waits n claim (may_be n) s (delayed d v) e.
Proof.
  intros P W e P'. split; [trivial|]. intros x A B. destruct (W _ (passes_on s v d e P P')) as [_ St].
  destruct P as (Pd & _). specialize (St (d + x)%Q ltac:(lra) ltac:(lra)). rewrite after_delayed in *.
  eapply stays_same; [|exact St]. intro y. unfold delayed. lra.
Qed.

Section Dead.
Hypothesis none_dead : also_dead = true.
Hypothesis any_time : tick = 0%nat.
Lemma never_stuck s : forall m v k y i, (length (filter (now v) (every_test s)) < m)%nat -> is_at s (In_ i) k y v -> ~ alive n s v ->
  (forall e, passes n s v e -> waits n claim (may_be n) s v e) -> False.
Proof.
  induction m as [|m IH]; intros v k y i Lm I D W; [lia|]. pose proof (at_fits _ _ _ _ _ I) as (q & E & Q).
  pose proof (good_at _ _ _ _ _ I) as Gd. unfold meets_goal in Gd. cbn [spot_goal] in Gd. rewrite E, none_dead in Gd.
  destruct (errs_somewhere n claim s || _); [tauto|]. destruct (time_stops n s q); [|tauto].
  assert (Gv : ~ match dead_in n (table n) s q with None => True | Some cs => exists c, In c cs /\ all_hold c v end).
  { intro X. apply Gd. destruct (dead_in n (table n) s q) as [cs|]; [|exact X]. destruct X as (c0 & Ic & A). exists c0. split; [trivial|]. apply seen_hold; auto. }
  clear Gd. rename Gv into Gd.
  pose proof I as (_ & H & N & _). destruct (invariants_hold n s v H) as (ts & J & A). unfold dead_in in Gd. rewrite J in Gd.
  destruct (forallb (forallb (exact n s)) (invariants n s)) eqn:Ex; [|tauto].
  destruct (ways_out (filter is_upper ts) (ts ++ q) (chances n (table n) s ts ++ exits n s ts q)) as [cs|] eqn:S; [|tauto].
  destruct (ways_out_sound _ _ _ v _ N (all_hold_app _ _ _ A Q) S) as [(p & Ip & P)|R]; [|tauto]. clear Gd S.
  apply in_app_or in Ip. destruct Ip as [Ip|Ip].
  - apply D. unfold chances in Ip. apply in_flat_map in Ip. destruct Ip as (o & Io & Ip).
    destruct (chance n (table n) s ts o) as [p'|] eqn:C; [|destruct Ip]. destruct Ip as [->|[]]. eapply chance_sound; eauto.
  - unfold exits in Ip. destruct (net_can_delay n s) eqn:Cd; [|destruct Ip]. apply in_map_iff in Ip. destruct Ip as (u & <- & Iu).
    apply filter_In in Iu. destruct Iu as [Iu B]. apply andb_prop in B. destruct B as [U B].
    destruct (past_sound _ _ B P) as (d & Pd & Ad).
    assert (Mu : modest (negated u) = true) by (cbn [forallb] in B; apply andb_prop in B; apply B).
    assert (Pp : passes n s v d).
    { split; [trivial|]. split; [right; apply can_delay_sound; [trivial|apply unrated_fails, all_run]|].
      intros e Pe Le. rewrite after_delayed. eapply invariants_exact; eauto. apply (on_the_way ts v d e Pe Le A). intros t T. apply Ad. right. trivial. }
    destruct (waits_at _ _ _ _ _ _ (W d Pp) I) as (k1 & j & _ & I1).
    apply (IH (delayed d v) k1 (y + d)%Q j); [|exact I1| |apply waits_later; trivial].
    + assert (F : forall t, In t (every_test s) -> now (delayed d v) t = true -> now v t = true).
      { intros t _ T. apply now_means in T. destruct T as [Ut T]. apply now_means. split; [trivial|].
        apply (proj1 (upper_meets v t d Ut)) in T. unfold high_ok in T. eapply sat_down; [|exact T].
        assert (Uj : t_j t = 0%nat) by (unfold is_upper in Ut; apply andb_prop in Ut; apply Nat.eqb_eq; apply Ut).
        unfold diff. rewrite Uj. cbn [val]. lra. }
      destruct (fewer _ _ _ F) as [_ Few]. assert (length (filter (now (delayed d v)) (every_test s)) < length (filter (now v) (every_test s)))%nat; [|lia].
      apply Few. exists u. split; [eapply of_part; eauto|]. split; [apply now_means; split; [trivial|apply Q; trivial]|].
      destruct (now (delayed d v) u) eqn:X; [|trivial]. exfalso. apply now_means in X. destruct X as [_ X].
      apply (not_both u (delayed d v) Mu X). apply Ad. left. trivial.
    + intro Al. apply D. eapply alive_before; eauto.
Qed.

Lemma never_ends s v : ends n claim (may_be n) s v -> forall k y i, is_at s (In_ i) k y v -> False.
Proof.
  intro E. induction E as [s v W|s v d W D L|s v d s' v' W G E IH]; intros k y i I.
  - exact (never_idle s v k y i W I).
  - destruct (waits_at _ _ _ _ _ _ W I) as (k1 & j & _ & I1). rewrite after_delayed in *.
    exact (never_stuck s _ _ k1 _ j (Nat.lt_succ_diag_r _) I1 D L).
  - destruct (waits_at _ _ _ _ _ _ W I) as (k1 & j & _ & I1). rewrite after_delayed in *.
    assert (St : stays claim (may_be n) s' v').
    { inversion E as [a b Wi|a b d' Wi|a b d' s2 v2 Wi]; subst; [apply (waits_stays s' v' 0), Wi; lra|eapply waits_stays; eauto|eapply waits_stays; eauto]. }
    destruct (next_at _ _ _ _ _ _ _ I1 G St) as (k2 & l & y2 & I2 & _). exact (IH k2 y2 l I2).
Qed.
End Dead.
Lemma never_rests s v : rests n claim (may_be n) s v -> forall k y i, is_at s (In_ i) k y v -> False.
Proof.
  intro E. induction E as [s v W|s v d s' v' W G E IH]; intros k y i I; [exact (never_idle s v k y i W I)|].
  destruct (waits_at _ _ _ _ _ _ W I) as (k1 & j & _ & I1). rewrite after_delayed in *.
  assert (St : stays claim (may_be n) s' v').
  { inversion E as [a b Wi|a b d' s2 v2 Wi]; subst; [apply (waits_stays s' v' 0), Wi; lra|eapply waits_stays; eauto]. }
  destruct (next_at _ _ _ _ _ _ _ I1 G St) as (k2 & l & y2 & I2 & _). exact (IH k2 y2 l I2).
Qed.

Lemma visited_at s v : visited n claim (may_be n) s v -> exists k i y, is_at s (In_ i) k y v.
Proof.
  induction 1 as [s v O M|s v d v' V (k & i & y & I) W S|s v s' v' V (k & i & y & I) T M].
  - apply origin_at; trivial.
  - destruct (waits_at _ _ _ _ _ _ W I) as (k1 & j & _ & I1). exists k1, j, (y + d)%Q. apply same_at with (y + d)%Q (delayed d v); [|reflexivity|trivial].
    rewrite after_delayed in S. exact S.
  - destruct (next_at _ _ _ _ _ _ _ I T M) as (k' & j & y' & I' & _). exists k', j, y'. exact I'.
Qed.
End Staying.

Lemma visited_free s v : must_stay claim = false -> has_start claim = false -> visited n claim (may_be n) s v -> exists k y, is_at s Free k y v.
Proof.
  intros stay no_start. assert (FM : first_mode claim = false) by (unfold first_mode; rewrite stay; trivial).
  induction 1 as [s v O M|s v d v' V (k & y & I) [P _] S|s v s' v' V (k & y & I) T M].
  - unfold origin in O. unfold has_start in no_start. destruct (a_start claim); [discriminate|]. destruct O as (S & Z & H).
    destruct (start_at s Free v) as (k & A); trivial; [exact I|rewrite FM; trivial|exists k, 0%Q; trivial].
  - exists k, (y + d)%Q. eapply wait_at; eauto. exact Logic.I.
  - destruct (go_at s Free k y v s' v' Free) as (k' & y' & A & _); trivial; [reflexivity|exact Logic.I|exists k', y'; trivial].
Qed.

(* ---- Infinitely many transitions: some mark is missing from some transition on ---- *)

Section Infinite.
Variables (s : nat -> state) (v : nat -> valuation) (d : nat -> Q).
Hypothesis on : goes_on n claim (may_be n) s v d.
Hypothesis enough : tick = 0%nat \/ diverges d.

Definition here_now (i : nat) (k : N) (y : Q) : Prop := exists m, is_at (s i) m k y (v i) /\ match m with In_ _ => must_stay claim = true | Free => must_stay claim = false | _ => False end.
Lemma next_now i k y : here_now i k y -> exists k' y', here_now (S i) k' y' /\
  ((k' < k)%N \/ k' = k /\ ((exists f, In f (a_again claim) /\ nth_error (a_again claim) (N.to_nat (t_missing c k - 1)) = Some f /\ is_out n (s (S i)) f = true) \/
                           y' = (y + d i)%Q /\ lacks_tick k (y + d i))).
Proof.
  intros (m & I & M). destruct on as [G _]. destruct (G i) as [W Go]. destruct (G (S i)) as [W' _]. rewrite after_delayed in Go. destruct m as [|p| |]; try tauto.
  - pose proof (wait_at _ _ _ _ _ _ (delayed (d i) (v i)) I (proj1 W) ltac:(rewrite after_delayed; intro x; reflexivity) Logic.I) as I1.
    destruct (go_at _ _ _ _ _ _ _ Free I1 Go eq_refl Logic.I) as (k' & y' & I2 & A). exists k', y'. split; [exists Free; auto|].
    assert (La : (k' =? k)%N && (must_stay claim || lacks n claim (t_missing c) k false (s (S i))) = true ->
                 k' = k /\ exists f, In f (a_again claim) /\ nth_error (a_again claim) (N.to_nat (t_missing c k - 1)) = Some f /\ is_out n (s (S i)) f = true).
    { rewrite M. cbn [orb]. intro H. apply andb_prop in H. destruct H as [E L]. apply N.eqb_eq in E. split; [trivial|]. unfold lacks in L.
      destruct (t_missing c k) as [|l] eqn:Mi; [rewrite M in L; discriminate|].
      destruct (nth_error (a_again claim) (N.to_nat (N.pos l - 1))) as [f|] eqn:Nt; [|discriminate].
      exists f. split; [eapply nth_error_In; eauto|]. auto. }
    cbn [grows_not] in A. destruct A as [(A & -> & L)|A]; (apply orb_prop in A; destruct A as [A|A]; [left; apply N.ltb_lt; trivial|right]).
    + rewrite andb_orb_distrib_r in A. apply orb_prop in A. destruct A as [A|A]; [|destruct (La A); auto].
      apply andb_prop in A. destruct A as [E Nt]. apply N.eqb_eq in E. split; [trivial|right]. split; [trivial|]. split; [exact Nt|]. apply L.
      unfold may_tick. unfold no_ticks in Nt. apply andb_prop in Nt. rewrite (proj1 Nt), M. reflexivity.
    + destruct (La A). auto.
  - destruct (waits_at _ _ _ _ _ _ W I) as (k1 & j & L1 & I1).
    destruct (next_at _ _ _ _ _ _ _ I1 Go (waits_stays _ _ _ W')) as (k2 & l & y2 & I2 & R). exists k2, y2. split; [exists (In_ l); auto|].
    destruct R as [L|(-> & -> & L)]; [left; lia|]. destruct (N.eq_dec k1 k) as [->|Ne]; [right; auto|left; lia].
Qed.
Lemma here_positive i k y : tick <> 0%nat -> here_now i k y -> (0 <= y)%Q.
Proof. intros T (m & (_ & _ & _ & Y & _) & _). destruct Y as [Y|Y]; [tauto|exact Y]. Qed.
Lemma delay_positive i : (0 <= d i)%Q.
Proof. destruct on as [G _]. destruct (G i) as [[[P _] _] _]. exact P. Qed.

Lemma one_mark k f : nth_error (a_again claim) (N.to_nat (t_missing c k - 1)) = Some f -> no_ticks claim tick (t_missing c) k = true -> False.
Proof.
  intros E T. unfold no_ticks in T. apply andb_prop in T. destruct T as [_ T]. apply N.eqb_eq in T. rewrite T in E.
  assert (B : nth_error (a_again claim) (N.to_nat (N.of_nat (S (length (a_again claim))) - 1)) <> None) by congruence.
  apply nth_error_Some in B. lia.
Qed.
Lemma never_again k : forall i y, here_now i k y -> False.
Proof.
  induction k as [k IH] using (well_founded_induction N.lt_wf_0). intros i y I.
  destruct (next_now i k y I) as (k1 & y1 & I1 & [L|(-> & [(f & F & Nt & O)|(-> & Nt & L)])]); [exact (IH _ L _ _ I1)| |].
  - destruct on as [_ Ag]. destruct (Ag f F (S i)) as (j & e & Le & _ & _ & M).
    assert (X : forall gap i y, here_now i k y -> j = (S i + gap)%nat -> False).
    { induction gap as [|gap IHg]; intros i' y' I' E;
        (destruct (next_now i' k y' I') as (k2 & y2 & I2 & [L|(-> & [(f' & _ & Nt' & O')|(_ & Nt' & _)])]);
         [exact (IH _ L _ _ I2)| |exact (one_mark k f Nt Nt')]).
      - rewrite Nt in Nt'. injection Nt' as <-. rewrite Nat.add_0_r in E. subst j. apply M, is_out_means, O'.
      - apply (IHg (S i') y2 I2). lia. }
    apply (X (j - S i)%nat i y I). lia.
  - assert (T : tick <> 0%nat) by (intro X; unfold no_ticks in Nt; rewrite X in Nt; discriminate).
    destruct enough as [Z|Dv]; [tauto|]. destruct (Dv (elapsed d i + inject_Z period)%Q) as (j & B).
    assert (X : forall gap i y, here_now i k y -> (elapsed d (S i + gap) < elapsed d i + inject_Z period - y)%Q).
    { induction gap as [|gap IHg]; intros i' y' I';
        (destruct (next_now i' k y' I') as (k2 & y2 & I2 & [L'|(-> & [(f & _ & Nt' & _)|(-> & _ & L')])]);
         [destruct (IH _ L' _ _ I2)|destruct (one_mark k f Nt' Nt)|]).
      - rewrite Nat.add_0_r. cbn [elapsed]. lra.
      - specialize (IHg _ _ I2). replace (S i' + S gap)%nat with (S (S i') + gap)%nat by lia. cbn [elapsed] in *. lra. }
    pose proof (here_positive i k y T I). pose proof (X j i y I). pose proof (elapsed_grows d delay_positive j (S i + j)%nat ltac:(lia)). lra.
Qed.
End Infinite.

Lemma visited_here s v : visited n claim (may_be n) s v -> exists m k y, is_at s m k y v /\ match m with In_ _ => must_stay claim = true | Free => must_stay claim = false | _ => False end.
Proof.
  intro V. pose proof well_asked as W. destruct (must_stay claim) eqn:MS.
  - destruct (visited_at MS s v V) as (k & i & y & I). exists (In_ i), k, y. auto.
  - destruct (visited_free s v MS (proj1 (negb_true_iff _) W) V) as (k & y & I). exists Free, k, y. auto.
Qed.
Lemma visited_fails s v : visited n claim (may_be n) s v -> ~ step_fails n s v.
Proof.
  intros V F. destruct (visited_here s v V) as (md & k & y & Is & Md). pose proof Is as (I & H & N & _). apply fails_in in F; [|exact N|apply holds_inv; trivial]. destruct F as (j & m & J & A & O).
  apply (inside_good spot spot_eqb spot_eqb_eq (spot_initial n claim) (spot_inv n claim) (spot_delay n)
           (spot_moves n claim tick period (table n)) (spot_goal n claim tick also_dead (table n)) (Some 6%nat) (fun _ _ => true) _ _ _ _ _ _ _ _ _ _ is_checked _ _ I).
  set (o := match m_out _ m with None => None | Some (us, _) => Some (us, @None (list test * spot)) end).
  assert (K0 : In (Move spot (m_tests _ m) o) (plain_steps n claim (table n) s md (At k))).
  { assert (St : plain_steps n claim (table n) s md (At k) = flat_map (fun x => map (Move spot (m_tests _ (snd x))) (outs n claim md (At k) (m_out _ (snd x)))) (net_moves n (table n) s)) by (destruct md; tauto). rewrite St. apply in_flat_map. exists (j, m). split; [exact J|]. cbn [snd]. apply in_map. unfold o.
    destruct (m_out _ m) as [[us [[ts s']|]]|]; left; trivial. }
  assert (K : In (Move spot (m_tests _ m) o) (steps n claim tick period (table n) s md (At k) ++ changes n claim s md k)).
  { apply in_or_app. left. unfold steps. apply in_flat_map. eexists. split; [exact K0|]. unfold ticking, o. cbn [m_out]. destruct (m_out _ m) as [[us t]|]; left; trivial. }
  pose proof (ignored_at _ _ _ _ _ _ Is K0) as Ig.
  assert (Ap : (tick = 0%nat \/ forallb (apart tick) (m_tests _ m) = true) /\ match o with None => True | Some (us, _) => tick = 0%nat \/ leaves us = true end).
  { destruct Ig as [Z|Ig]; [split; [auto|destruct o as [[us t]|]; auto]|]. unfold ignores in Ig. cbn [m_tests m_out] in Ig. apply andb_prop in Ig. destruct Ig as [I1 I2].
    split; [auto|]. destruct o as [[us t]|]; [|trivial]. apply andb_prop in I2. right. apply I2. }
  destruct (counted_in _ _ K 0%N) as (j' & K'). exists j', (Move spot (m_tests _ m) o). split; [exact K'|]. split; [apply seen_hold; [apply Ap|exact A]|].
  cbn [m_out]. destruct Ap as [_ Ap]. unfold o in *. destruct (m_out state m) as [[us t]|]; [apply (seen_set us Ap); exact O|exact Logic.I].
Qed.

Lemma begins_at s v : origin n claim (may_be n) s v -> stays claim (may_be n) s v -> exists m k y, is_at s m k y v /\ match m with In_ _ => must_stay claim = true | Free => must_stay claim = false | _ => False end.
Proof. intros O St. apply visited_here. apply visit_origin; trivial. Qed.
Lemma never_infinite s v d : tick = 0%nat \/ diverges d -> origin n claim (may_be n) (s 0%nat) (v 0%nat) -> goes_on n claim (may_be n) s v d -> False.
Proof.
  intros En O G. destruct (begins_at (s 0%nat) (v 0%nat) O) as (m & k & y & I & M).
  - destruct G as [G _]. destruct (G 0%nat) as [W _]. eapply waits_stays; eauto.
  - apply (never_again s v d G En k 0%nat y). exists m. auto.
Qed.
Lemma no_run : also_dead = true -> tick = 0%nat -> ~ run_exists n claim (may_be n).
Proof.
  intros Dd Tk [(s & v & d & O & G)|(s & v & A & O & E)]; [exact (never_infinite s v d (or_introl Tk) O G)|].
  assert (MS : must_stay claim = true) by (unfold must_stay; destruct (a_stay claim); [trivial|congruence]).
  destruct (origin_at MS s v O) as (k & i & y & I); [|exact (never_ends Dd Tk s v E k y i I)].
  inversion E as [a b Wi|a b d' Wi|a b d' s2 v2 Wi]; subst; [apply (waits_stays s v 0), Wi; lra|eapply waits_stays; eauto|eapply waits_stays; eauto].
Qed.
Lemma no_diverging_run : ~ diverging_run_exists n claim (may_be n).
Proof.
  intros [(s & v & d & O & G & Dv)|(s & v & A & O & E)]; [exact (never_infinite s v d (or_intror Dv) O G)|].
  assert (MS : must_stay claim = true) by (unfold must_stay; destruct (a_stay claim); [trivial|congruence]).
  destruct (origin_at MS s v O) as (k & i & y & I); [|exact (never_rests s v E k y i I)].
  inversion E as [a b Wi|a b d' s2 v2 Wi]; subst; [apply (waits_stays s v 0), Wi; lra|eapply waits_stays; eauto].
Qed.
End Correct.

Lemma spots_begin n claim tick period also_dead c : forms_well n && begins n && unrated n && (must_stay claim || negb (has_start claim)) && spots_check n claim tick period also_dead c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  unrated n = true /\ must_stay claim || negb (has_start claim) = true /\ spots_check n claim tick period also_dead c = true.
Proof.
  intro H. apply andb_prop in H. destruct H as [H A]. apply andb_prop in H. destruct H as [H W].
  apply andb_prop in H. destruct H as [H U]. apply andb_prop in H. destruct H as [F B]. split; [apply forms_well_sound, F|]. split; [apply begins_sound, B|].
  split; [|auto]. unfold spots_check in A. apply andb_prop in A. destruct A as [A _].
  intros (s & S & E). rewrite forallb_forall in A. specialize (A _ (starts_in _ _ S)).
  unfold starts_well in A. destruct (invariants_fail _ _ E) as (ts & J). rewrite J in A. discriminate.
Qed.
Theorem accepts_timed_correct n claim c : accepts_timed n claim c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  (forall s v, visited n claim (may_be n) s v -> ~ step_fails n s v) /\ ~ run_exists n claim (may_be n).
Proof.
  intro H. destruct (spots_begin _ _ _ _ _ _ H) as (F & B & S & U & W & A). split; [trivial|]. split; [trivial|]. split; [trivial|].
  split; [intros s v; apply (visited_fails n claim 0 0 true c); trivial|apply (no_run n claim 0 0 true c); trivial].
Qed.
Theorem accepts_diverging_correct n claim tick period c : accepts_diverging n claim tick period c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  (forall s v, visited n claim (may_be n) s v -> ~ step_fails n s v) /\ ~ diverging_run_exists n claim (may_be n).
Proof.
  intro H. destruct (spots_begin _ _ _ _ _ _ H) as (F & B & S & U & W & A). split; [trivial|]. split; [trivial|]. split; [trivial|].
  split; [intros s v; apply (visited_fails n claim tick period false c); trivial|apply (no_diverging_run n claim tick period false c); trivial].
Qed.

(* With conditions that compare clocks, or without. *)
Inductive numbers := Untimed (c : untimed) | Timed (c : timed).
Definition runs_check (n : net) (claim : asks) (also_dead : bool) (c : numbers) : bool :=
  match c with Untimed c => places_check n claim also_dead c | Timed c => spots_check n claim 0 0 also_dead c end.
Definition accepts_endless (n : net) (claim : asks) (c : numbers) : bool :=
  match c with Untimed c => accepts_untimed n claim c | Timed c => accepts_timed n claim c end.
Theorem accepts_endless_correct n claim c : accepts_endless n claim c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  (forall s v, visited n claim (may_be n) s v -> ~ step_fails n s v) /\ ~ run_exists n claim (may_be n).
Proof. destruct c as [c|c]; [apply accepts_untimed_correct|apply accepts_timed_correct]. Qed.
