(* Certificates that no infinite run is as asked, where conditions compare clocks (src/check/descent.h, clockparts.h).

   The condition to stay in is cut into convex parts for each discrete state. A node has a mode and a number: in a mode
   `In i` the run is in part i, and its transitions are in it, too. Each of these transitions leads to a smaller number,
   and time that passes from part to part does not make it grow. Parts touch in two ways. Soon after a moment in the one
   part time may be in the other: that moment meets the tests of the other, if lower bounds are not strict. Or just
   before a moment in the other part it was in the first: that moment meets the tests of the first, if upper bounds
   are not strict. Two more modes say so: `Enters j`, where time goes on from such a first moment, and `Leaves i`,
   where it goes on beyond part i. Their nodes do not stand in a file; what reads it makes them, and is not believed.

   Without a condition to stay in (`buchi:`, in networks that compare clocks with each other) there is one mode only, and
   numbers are as in Endless.v. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Replay Alive RunSpec Endless Lasso.
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
Definition grows_not (c : count) (m : mode) (s : state) (k' : N) : bool :=
  match c with
  | Start => true
  | Hop k => (k' <=? k)%N
  | At k => (k' <? k)%N || (k' =? k)%N && match m with Free => must_stay claim || lacks n claim missing k false s | _ => false end
  end.
Definition ranked (k : N) (p : spot) : option spot :=
  let '(s, (m, c)) := p in if grows_not c m s k then Some (s, (m, At k)) else None.

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
Definition steps (t : list (list (list edge))) (s : state) (m : mode) (c : count) : list (move spot) :=
  match m with
  | Leaves _ | Enters _ => []
  | _ => flat_map (fun x => map (Move spot (m_tests _ (snd x))) (outs m c (m_out _ (snd x)))) (net_moves n t s)
  end.
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
  let '(s, (m, _)) := p in
  if errs_somewhere n claim s then None
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

Definition spots_check (n : net) (claim : asks) (also_dead : bool) (c : timed) : bool :=
  let t := table n in
  forallb (starts_well n) (net_initial n) &&
  check spot spot_eqb (spot_initial n claim) (spot_inv n claim) (spot_delay n) (spot_moves n claim t)
        (spot_goal n claim also_dead t) (Some 6%nat) (fun _ _ => true) N (ranked n claim (t_missing c)) (fun _ x => x)
        (t_groups c) (spot_at c) (t_group_of c) (t_frame_at c) (t_zone_at c) (t_hints_at c) (t_start_hints c).
Definition accepts_timed (n : net) (claim : asks) (c : timed) : bool :=
  forms_well n && begins n && unrated n && (must_stay claim || negb (has_start claim)) && spots_check n claim true c.

Section Correct.
Variable n : net.
Variable claim : asks.
Variable c : timed.
Hypothesis accepted : spots_check n claim true c = true.
Hypothesis all_run : unrated n = true.
Hypothesis well_asked : must_stay claim || negb (has_start claim) = true.

Let checked := check spot spot_eqb (spot_initial n claim) (spot_inv n claim) (spot_delay n) (spot_moves n claim (table n))
        (spot_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true) N (ranked n claim (t_missing c)) (fun _ x => x)
        (t_groups c) (spot_at c) (t_group_of c) (t_frame_at c) (t_zone_at c) (t_hints_at c) (t_start_hints c).
Let inside_spot := inside spot (spot_inv n claim) (spot_delay n) (t_groups c) (spot_at c) (t_frame_at c) (t_zone_at c).
Let found := is_covered spot N (ranked n claim (t_missing c)) (fun _ x => x) (t_groups c) (spot_at c) (t_frame_at c) (t_zone_at c).

Lemma is_checked : checked = true.
Proof. pose proof accepted as H. unfold spots_check in H. apply andb_prop in H. apply H. Qed.
Lemma none s : stopped n s = [].
Proof. apply unrated_stopped, all_run. Qed.

Definition is_at (s : state) (m : mode) (k : N) (v : valuation) : Prop :=
  inside_spot (s, (m, At k)) v /\ holds n s v (invariant n s).
Definition fits_in (s : state) (m : mode) (v : valuation) : Prop :=
  match m with In_ i => exists q, nth_error (parts n claim s) i = Some q /\ all_hold q v | _ => True end.

Lemma inv_spot s m d v : holds n s v (invariant n s) -> fits_in s m v -> inv_holds spot (spot_inv n claim) (s, (m, d)) v.
Proof.
  intros H F. destruct (holds_inv n s v H) as (ts & I & A). unfold inv_holds. cbn [spot_inv]. rewrite I.
  destruct m as [|i|i|i]; try (exists ts; auto; fail). destruct F as (q & E & Q). rewrite E. exists (ts ++ q). split; [trivial|apply all_hold_app; trivial].
Qed.
Lemma at_fits s m k v : is_at s m k v -> fits_in s m v.
Proof.
  intros [(_ & (ts & E & A) & _) _]. destruct m as [|i|i|i]; try exact I. cbn [spot_inv] in E. cbn [fits_in].
  destruct (net_inv n s); [|discriminate]. destruct (nth_error (parts n claim s) i) as [q|]; [|discriminate]. injection E as <-.
  exists q. split; [trivial|]. intros t T. apply A, in_or_app. auto.
Qed.
Lemma found_at s m d v : found (s, (m, d)) v -> nonneg v -> holds n s v (invariant n s) -> fits_in s m v ->
  exists k, grows_not n claim (t_missing c) d m s k = true /\ is_at s m k v.
Proof.
  intros F N H Ft.
  destruct (covered_inside spot (spot_inv n claim) (spot_delay n) _ _ _ _ _ _ _ _ _ F N) as (k & p & R & K).
  unfold ranked in R. destruct (grows_not n claim (t_missing c) d m s k) eqn:A; [|discriminate]. injection R as <-.
  exists k. split; [trivial|]. split; [|trivial]. apply K; [reflexivity|]. apply inv_spot; trivial.
Qed.

Lemma start_at s m v : starts n s -> zero v -> holds n s v (invariant n s) -> fits_in s m v ->
  (if first_mode claim then exists i, m = In_ i else m = Free) -> exists k, is_at s m k v.
Proof.
  intros S Z H F M. destruct (found_at s m Start v) as (k & _ & A); trivial; [|intro x; rewrite (Z x); lra|exists k; trivial].
  apply (initial_covered spot spot_eqb spot_eqb_eq (spot_initial n claim) (spot_inv n claim) (spot_delay n)
           (spot_moves n claim (table n)) (spot_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true) _ _ _ _ _ _ _ _ _ _ is_checked); trivial.
  - unfold spot_initial. apply in_flat_map. exists s. split; [apply starts_in; trivial|]. destruct (first_mode claim); [|subst m; left; trivial].
    destruct M as (i & ->). apply (in_map (fun i => (s, (In_ i, Start)))). apply in_seq. destruct F as (q & E & _).
    assert (L : nth_error (parts n claim s) i <> None) by congruence. apply nth_error_Some in L. lia.
  - apply inv_spot; trivial.
Qed.

Lemma same_at s m k v v' : same v' v -> is_at s m k v -> is_at s m k v'.
Proof.
  intros S [I H]. split; [eapply inside_same; eauto|]. eapply holds_same; [|exact H]. intro x. symmetry. apply S.
Qed.
Lemma wait_at s m k v d v' : is_at s m k v -> passes n s v d -> same v' (after (stopped n s) d v) -> fits_in s m v' -> is_at s m k v'.
Proof.
  intros I (P & W & H) S F.
  assert (H' : holds n s v' (invariant n s)).
  { apply holds_same with (after (stopped n s) d v); [intro x; symmetry; apply S|]. apply H; lra. }
  destruct W as [Z|W].
  - apply same_at with v; [|trivial]. intro x. rewrite (S x). unfold after. destruct (existsb _ _); lra.
  - split; [|trivial]. destruct I as [I _].
    assert (Dl : spot_delay n (s, (m, At k)) = Some (stopped n s)) by (apply may_wait_delay; exact W).
    eapply delay_inside; [exact I|exact Dl|exact P|exact S|]. apply inv_spot; trivial.
Qed.

Lemma counted_in l m : In m l -> forall k, exists j, In (j, m) (counted k l).
Proof.
  induction l as [|x l IH]; intros I k; [destruct I|]. cbn [counted]. destruct I as [->|I]; [exists k; left; trivial|].
  destruct (IH I (N.succ k)) as (j & J). exists j. right. exact J.
Qed.
(* A move is taken. *)
Lemma taken_at s m k v ts us e s' m' c' : is_at s m k v ->
  In (Move spot ts (Some (us, Some (e, (s', (m', c')))))) (steps n claim (table n) s m (At k) ++ changes n claim s m k) ->
  all_hold ts v -> all_hold e v -> ~ negative us v /\ found (s', (m', c')) (set_all us v).
Proof.
  intros [I H] J A E. destruct (counted_in _ _ J 0%N) as (j & K).
  destruct (inside_move spot spot_eqb spot_eqb_eq (spot_initial n claim) (spot_inv n claim) (spot_delay n)
           (spot_moves n claim (table n)) (spot_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true) _ _ _ _ _ _ _ _ _ _ is_checked _ _ _ _ I K A)
    as (us2 & target & O & NN & Co).
  injection O as <- <-. split; [exact NN|]. exact (Co _ _ eq_refl E).
Qed.
Lemma change_at s m k v ts e m' : is_at s m k v -> In (Move spot ts (Some ([], Some (e, (s, (m', Hop k)))))) (changes n claim s m k) ->
  all_hold ts v -> all_hold e v -> fits_in s m' v -> exists k', (k' <= k)%N /\ is_at s m' k' v.
Proof.
  intros I J A E F. destruct (taken_at s m k v ts [] e s m' (Hop k) I) as [_ Fd]; trivial; [apply in_or_app; right; trivial|].
  destruct (found_at s m' (Hop k) v Fd) as (k' & G & Is); trivial; [apply I|apply I|].
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

Definition is_mode (m m' : mode) : Prop := match m with Free => m' = Free | In_ _ => exists j, m' = In_ j | _ => False end.
Lemma go_at s m k v s' v' m' : is_at s m k v -> takes n s v s' v' -> is_mode m m' -> fits_in s' m' v' ->
  exists k', grows_not n claim (t_missing c) (At k) m' s' k' = true /\ is_at s' m' k' v'.
Proof.
  intros I0 (es & us & J & G & Ro & F & Nn & S & H') Md Ft. pose proof I0 as [I H].
  destruct (judge_holds n _ _ _ G) as (ts & E & A). pose proof H' as H1. apply (holds_same n _ _ _ _ S) in H1.
  destruct (invariants_hold n _ _ H1) as (ts' & E' & A').
  destruct (moves_in n s v es ts (Some (us, Some (map (back (origins_of us)) ts', s'))) (proj1 I) (holds_inv n s v H) J (not_false_holds n _ _ _ G) Ro) as (j & mv & K & Tm & Om).
  { unfold result. rewrite E, F, E'. trivial. }
  { exact A. }
  assert (Ft' : fits_in s' m' (set_all us v)).
  { destruct m' as [|i|i|i]; try exact Logic.I. destruct Ft as (q & Eq & Q). exists q. split; [trivial|]. eapply all_hold_same; [exact S|exact Q]. }
  assert (Kx : exists e, all_hold e v /\ In (Move spot (m_tests _ mv) (Some (us, Some (e, (s', (m', At k)))))) (steps n claim (table n) s m (At k))).
  { unfold steps. destruct m as [|i|i|i]; cbn [is_mode] in Md; try tauto.
    - subst m'. exists (map (back (origins_of us)) ts'). split; [apply all_hold_back; trivial|]. apply in_flat_map. exists (j, mv). split; [exact K|].
      apply in_map. cbn [snd]. rewrite Om. cbn [outs]. right. left. trivial.
    - destruct Md as (i' & ->). destruct Ft' as (q & Eq & Q).
      exists (map (back (origins_of us)) ts' ++ map (back (origins_of us)) q). split; [apply all_hold_app; apply all_hold_back; trivial|].
      apply in_flat_map. exists (j, mv). split; [exact K|]. apply in_map. cbn [snd]. rewrite Om. cbn [outs]. right.
      apply (in_map (fun e => Some (us, Some e))). apply into_in; [trivial|discriminate]. }
  destruct Kx as (e & Ae & Ie).
  destruct (taken_at s m k v _ us e s' m' (At k) I0 (in_or_app _ _ _ (or_introl Ie)) Tm Ae) as [NN Co].
  apply (is_covered_same _ _ _ _ _ _ _ _ _ _ _ S) in Co.
  apply (found_at s' m' (At k) v' Co); trivial. intro x. rewrite (S x). apply nonneg_set; [apply I|trivial].
Qed.

Lemma good_at s m k v : is_at s m k v -> ~ meets_goal spot (spot_goal n claim true (table n)) (s, (m, At k)) v.
Proof.
  intros [I _]. eapply (inside_good spot spot_eqb spot_eqb_eq (spot_initial n claim) (spot_inv n claim) (spot_delay n)
           (spot_moves n claim (table n)) (spot_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true)); [exact is_checked|exact I].
Qed.

(* ---- Time ---- *)

Lemma after_delayed s d v : after (stopped n s) d v = delayed d v.
Proof. rewrite none. reflexivity. Qed.
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
Variables (s : state) (v : valuation) (D : Q) (k0 : N).
Hypothesis wait : waits n claim (may_be n) s v D.
Hypothesis positive : nonneg v.

Definition here (a : Q) : Prop := exists k i, (k <= k0)%N /\ is_at s (In_ i) k (delayed a v).
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
Lemma onward a b m k : is_at s m k (delayed a v) -> (0 <= a)%Q -> (a <= b)%Q -> (b <= D)%Q -> fits_in s m (delayed b v) -> is_at s m k (delayed b v).
Proof.
  intros I A B C F. apply (wait_at s m k (delayed a v) (b - a)); [trivial| | |trivial].
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
  2: { exists k, i. split; [trivial|]. apply same_at with (delayed a v); [intro x; unfold delayed; lra|trivial]. }
  set (m := ((a + b) * (1 # 2))%Q). assert (M1 : (a < m)%Q) by (unfold m; lra). assert (M2 : (m < b)%Q) by (unfold m; lra).
  pose proof (can_wait ltac:(lra)) as Cw.
  destruct (part_then m) as (j & q & Ej & Qj); [lra|lra|].
  assert (Lj : In j (seq 0 (length (parts n claim s)))).
  { apply in_seq. assert (X : nth_error (parts n claim s) j <> None) by congruence. apply nth_error_Some in X. lia. }
  assert (H1 : exists k1, (k1 <= k)%N /\ is_at s (In_ j) k1 (delayed m v)).
  { destruct (Nat.eq_dec i j) as [->|Ne].
    - exists k. split; [lia|]. apply (onward a m); trivial; try lra. exists q. auto.
    - destruct (change_at s (In_ i) k (delayed a v) (map weak_low q) [] (Enters j) I) as (k1 & L1 & I1).
      + cbn [changes]. rewrite Cw. apply in_or_app. right. apply in_flat_map. exists j. split; [trivial|]. rewrite Ej.
        destruct (Nat.eqb_spec i j); [congruence|]. left. trivial.
      + intros t T. apply in_map_iff in T. destruct T as (t' & <- & T). apply (low_at_once v a m b); [trivial|trivial|exact (Cl t' (of_part j q t' Ej T))|apply Qj; trivial].
      + apply all_hold_nil.
      + exact Logic.I.
      + apply (onward a m) in I1; [|trivial|lra|lra|exact Logic.I].
        destruct (change_at s (Enters j) k1 (delayed m v) [] (map (back (origins_of [])) q) (In_ j) I1) as (k2 & L2 & I2).
        * cbn [changes]. rewrite Ej. left. trivial.
        * apply all_hold_nil.
        * apply back_nil. trivial.
        * exists q. auto.
        * exists k2. split; [lia|trivial]. }
  destruct H1 as (k1 & L1 & I1). destruct (part_then b) as (l & r & El & Rl); [lra|lra|].
  destruct (Nat.eq_dec j l) as [->|Ne].
  - exists k1, l. split; [lia|]. apply (onward m b); trivial; try lra. exists r. auto.
  - destruct (change_at s (In_ j) k1 (delayed m v) [] [] (Leaves j) I1) as (k2 & L2 & I2).
    + cbn [changes]. rewrite Cw. left. trivial.
    + apply all_hold_nil.
    + apply all_hold_nil.
    + exact Logic.I.
    + apply (onward m b) in I2; [|lra|lra|trivial|exact Logic.I].
      destruct (change_at s (Leaves j) k2 (delayed b v) (map weak_up q) ([] ++ map (back (origins_of [])) r) (In_ l) I2) as (k3 & L3 & I3).
      * cbn [changes]. rewrite Ej. apply (in_map (fun e => Move spot (map weak_up q) (Some ([], Some e)))). apply into_in; [trivial|congruence].
      * intros t T. apply in_map_iff in T. destruct T as (t' & <- & T). apply (up_at_last v a m b); [trivial|trivial|exact (Cl t' (of_part j q t' Ej T))|apply Qj; trivial].
      * apply back_again. trivial.
      * exists r. auto.
      * exists k3, l. split; [lia|trivial].
Qed.
Lemma turns_pass L : forall a b, (0 <= a)%Q -> (a <= b)%Q -> (b <= D)%Q ->
  (forall t, In t every_test -> clear v a b t \/ In t L) -> here a -> here b.
Proof.
  induction L as [|t L IH]; intros a b A B C Cl H.
  - apply (no_turn a b); trivial. intros u U. destruct (Cl u U) as [X|[]]. exact X.
  - destruct (Qlt_le_dec a (turn v t)) as [X|X]; [destruct (Qlt_le_dec (turn v t) b) as [Y|Y]|].
    + assert (Both : forall u x y, (a <= x)%Q -> (y <= b)%Q -> clear v a b u -> clear v x y u) by (unfold clear; intros u x y U V [W|W]; [left|right]; lra).
      assert (H' : here (turn v t)).
      { apply (IH a (turn v t)); trivial; try lra. intros u U. destruct (Cl u U) as [W|[<-|W]]; [left; apply Both; trivial; lra|left; right; lra|right; trivial]. }
      apply (IH (turn v t) b); trivial; try lra. intros u U. destruct (Cl u U) as [W|[<-|W]]; [left; apply Both; trivial; lra|left; left; lra|right; trivial].
    + apply (IH a b); trivial. intros u U. destruct (Cl u U) as [W|[<-|W]]; [auto|left; right; trivial|auto].
    + apply (IH a b); trivial. intros u U. destruct (Cl u U) as [W|[<-|W]]; [auto|left; left; trivial|auto].
Qed.
Lemma all_turns : here 0 -> here D.
Proof. destruct wait as [[P _] _]. intro H. apply (turns_pass every_test 0%Q D); trivial; [lra|lra|auto]. Qed.
End Waits.

Lemma waits_at s v d k i : waits n claim (may_be n) s v d -> is_at s (In_ i) k v ->
  exists k' j, (k' <= k)%N /\ is_at s (In_ j) k' (delayed d v).
Proof.
  intros W I. apply (all_turns s v d k W); [apply I|]. exists k, i. split; [lia|].
  apply same_at with v; [intro x; unfold delayed; lra|trivial].
Qed.

(* ---- Runs ---- *)

Lemma reachable_at s v : first_mode claim = false -> reachable n s v -> exists k, is_at s Free k v.
Proof.
  intro HS. induction 1 as [s v S Z H|s v d v' R IH P S|s v s' v' R IH T].
  - apply start_at; trivial; [exact I|rewrite HS; trivial].
  - destruct IH as (k & I). exists k. apply (wait_at s Free k v d v'); trivial. exact Logic.I.
  - destruct IH as (k & I). destruct (go_at s Free k v s' v' Free) as (k' & _ & A); trivial; [reflexivity|exact Logic.I|exists k'; trivial].
Qed.

Section Staying.
Hypothesis stay : must_stay claim = true.

Lemma origin_at s v : origin n claim (may_be n) s v -> stays claim (may_be n) s v -> exists k i, is_at s (In_ i) k v.
Proof.
  unfold origin. intros O St. destruct (a_start claim) as [f|] eqn:A.
  - destruct O as [R M]. assert (HS : has_start claim = true) by (unfold has_start; rewrite A; trivial).
    destruct (reachable_at s v) as (k & I); [unfold first_mode; rewrite HS, stay; trivial|trivial|]. destruct (in_part n claim s v (proj1 (proj1 I)) (proj2 I) St) as (i & q & E & Q).
    destruct (clauses_of_met n f s v M) as (cs & Ic & C).
    destruct (change_at s Free k v cs ([] ++ map (back (origins_of [])) q) (In_ i) I) as (k' & _ & I').
    + cbn [changes]. rewrite HS, A. apply in_flat_map. exists cs. split; [trivial|].
      apply (in_map (fun e => Move spot cs (Some ([], Some e)))). apply into_in; [trivial|discriminate].
    + exact C.
    + apply back_again. exact Q.
    + exists q. auto.
    + exists k', i. exact I'.
  - assert (HS : has_start claim = false) by (unfold has_start; rewrite A; trivial). destruct O as (S & Z & H).
    assert (N : nonneg v) by (intro x; rewrite (Z x); lra). destruct (in_part n claim s v N H St) as (i & q & E & Q).
    destruct (start_at s (In_ i) v) as (k & I); trivial; [exists q; auto|unfold first_mode; rewrite HS, stay; exists i; trivial|exists k, i; trivial].
Qed.
Lemma waits_stays s v d : waits n claim (may_be n) s v d -> stays claim (may_be n) s v.
Proof.
  intros [(P & _) W]. specialize (W 0%Q ltac:(lra) P). rewrite after_delayed in W. eapply stays_same; [|exact W].
  intro x. unfold delayed. lra.
Qed.
Lemma next_at s v k i s' v' : is_at s (In_ i) k v -> takes n s v s' v' -> stays claim (may_be n) s' v' ->
  exists k' j, (k' < k)%N /\ is_at s' (In_ j) k' v'.
Proof.
  intros I T St. assert (N : nonneg v').
  { destruct T as (es & us & _ & _ & _ & _ & Nn & S & _). intro x. rewrite (S x). apply nonneg_set; [apply I|trivial]. }
  assert (H : holds n s' v' (invariant n s')) by (destruct T as (es & us & T); apply T).
  destruct (in_part n claim s' v' N H St) as (j & q & E & Q).
  destruct (go_at s (In_ i) k v s' v' (In_ j) I T) as (k' & G & I'); [exists j; trivial|exists q; auto|].
  exists k', j. cbn [grows_not] in G. rewrite andb_false_r, orb_false_r in G. split; [apply N.ltb_lt; exact G|trivial].
Qed.

Lemma never_on s v d : goes_on n claim (may_be n) s v d -> forall k i j, is_at (s j) (In_ i) k (v j) -> False.
Proof.
  intros [G _]. induction k as [k IH] using (well_founded_induction N.lt_wf_0). intros i j I.
  destruct (G j) as [W T]. destruct (G (S j)) as [W' _]. destruct (waits_at _ _ _ _ _ W I) as (k1 & i1 & L1 & I1).
  rewrite after_delayed in T. destruct (next_at _ _ _ _ _ _ I1 T (waits_stays _ _ _ W')) as (k2 & i2 & L2 & I2).
  apply (IH k2 ltac:(lia) i2 (S j) I2).
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
Lemma never_idle s v k i : (forall d, (0 <= d)%Q -> waits n claim (may_be n) s v d) -> is_at s (In_ i) k v -> False.
Proof.
  intros W I. destruct (far_off v (inv_tests n s ++ every_test s)) as (d & P & F).
  destruct (waits_at _ _ _ _ _ (W d P) I) as (k1 & j & _ & I1). pose proof (at_fits _ _ _ _ I1) as (q & E & Q).
  pose proof (good_at _ _ _ _ I1) as Gd. unfold meets_goal in Gd. cbn [spot_goal] in Gd. rewrite E in Gd.
  destruct (errs_somewhere n claim s); [tauto|]. destruct (time_stops n s q) eqn:T; [clear Gd|tauto].
  assert (MW : may_wait n s). { destruct (W 1%Q ltac:(lra)) as [(_ & [Z|M] & _) _]; [lra|trivial]. }
  unfold time_stops in T. rewrite (may_wait_b n s MW) in T. cbn [negb orb] in T.
  apply existsb_exists in T. destruct T as (t & It & T). apply andb_prop in T. destruct T as [U B]. apply Z.ltb_lt in B.
  apply in_app_or in It. destruct It as [It|It].
  - apply (F t (in_or_app _ _ _ (or_introl It)) U B). destruct (holds_inv n s _ (proj2 I1)) as (ts & Ei & A).
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

Lemma never_stuck s : forall m v k i, (length (filter (now v) (every_test s)) < m)%nat -> is_at s (In_ i) k v -> ~ alive n s v ->
  (forall e, passes n s v e -> waits n claim (may_be n) s v e) -> False.
Proof.
  induction m as [|m IH]; intros v k i Lm I D W; [lia|]. pose proof (at_fits _ _ _ _ I) as (q & E & Q).
  pose proof (good_at _ _ _ _ I) as Gd. unfold meets_goal in Gd. cbn [spot_goal] in Gd. rewrite E in Gd.
  destruct (errs_somewhere n claim s); [tauto|]. destruct (time_stops n s q); [|tauto].
  pose proof I as ((N & _) & H). destruct (invariants_hold n s v H) as (ts & J & A). unfold dead_in in Gd. rewrite J in Gd.
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
    destruct (waits_at _ _ _ _ _ (W d Pp) I) as (k1 & j & _ & I1).
    apply (IH (delayed d v) k1 j); [|exact I1| |apply waits_later; trivial].
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

Lemma never_ends s v : ends n claim (may_be n) s v -> forall k i, is_at s (In_ i) k v -> False.
Proof.
  intro E. induction E as [s v W|s v d W D L|s v d s' v' W G E IH]; intros k i I.
  - exact (never_idle s v k i W I).
  - destruct (waits_at _ _ _ _ _ W I) as (k1 & j & _ & I1). rewrite after_delayed in *.
    exact (never_stuck s _ _ k1 j (Nat.lt_succ_diag_r _) I1 D L).
  - destruct (waits_at _ _ _ _ _ W I) as (k1 & j & _ & I1). rewrite after_delayed in *.
    assert (St : stays claim (may_be n) s' v').
    { inversion E as [a b Wi|a b d' Wi|a b d' s2 v2 Wi]; subst; [apply (waits_stays s' v' 0), Wi; lra|eapply waits_stays; eauto|eapply waits_stays; eauto]. }
    destruct (next_at _ _ _ _ _ _ I1 G St) as (k2 & l & _ & I2). exact (IH k2 l I2).
Qed.

Lemma visited_at s v : visited n claim (may_be n) s v -> exists k i, is_at s (In_ i) k v.
Proof.
  induction 1 as [s v O M|s v d v' V (k & i & I) W S|s v s' v' V (k & i & I) T M].
  - apply origin_at; trivial.
  - destruct (waits_at _ _ _ _ _ W I) as (k1 & j & _ & I1). exists k1, j. apply same_at with (delayed d v); [|trivial].
    rewrite after_delayed in S. exact S.
  - destruct (next_at _ _ _ _ _ _ I T M) as (k' & j & _ & I'). exists k', j. exact I'.
Qed.
End Staying.

(* Without a condition to stay in: some mark is missing from some transition on. *)
Section Again.
Hypothesis stay : must_stay claim = false.
Hypothesis no_start : has_start claim = false.

Lemma visited_free s v : visited n claim (may_be n) s v -> exists k, is_at s Free k v.
Proof.
  assert (FM : first_mode claim = false) by (unfold first_mode; rewrite stay; trivial).
  induction 1 as [s v O M|s v d v' V (k & I) [P _] S|s v s' v' V (k & I) T M].
  - unfold origin in O. unfold has_start in no_start. destruct (a_start claim); [discriminate|]. destruct O as (S & Z & H).
    apply start_at; trivial; [exact I|rewrite FM; trivial].
  - exists k. eapply wait_at; eauto. exact Logic.I.
  - destruct (go_at s Free k v s' v' Free) as (k' & _ & A); trivial; [reflexivity|exact Logic.I|exists k'; trivial].
Qed.

Section Infinite.
Variables (s : nat -> state) (v : nat -> valuation) (d : nat -> Q).
Hypothesis on : goes_on n claim (may_be n) s v d.

Lemma next_free i k : is_at (s i) Free k (v i) -> exists k', is_at (s (S i)) Free k' (v (S i)) /\
  ((k' < k)%N \/ k' = k /\ exists f, In f (a_again claim) /\
     nth_error (a_again claim) (N.to_nat (t_missing c k - 1)) = Some f /\ is_out n (s (S i)) f = true).
Proof.
  intro I. destruct on as [G _]. destruct (G i) as [[P _] Go].
  pose proof (wait_at _ _ _ _ _ (after (stopped n (s i)) (d i) (v i)) I P ltac:(intro x; reflexivity) Logic.I) as I1.
  destruct (go_at _ _ _ _ _ _ Free I1 Go eq_refl Logic.I) as (k' & A & I2). exists k'. split; [trivial|].
  cbn [grows_not] in A. rewrite stay in A. cbn [orb] in A. apply orb_prop in A. destruct A as [A|A]; [left; apply N.ltb_lt; trivial|right].
  apply andb_prop in A. destruct A as [E L]. apply N.eqb_eq in E. split; [trivial|]. unfold lacks in L.
  destruct (t_missing c k) as [|l] eqn:Mi; [rewrite stay in L; discriminate|].
  destruct (nth_error (a_again claim) (N.to_nat (N.pos l - 1))) as [f|] eqn:Nt; [|discriminate].
  exists f. split; [eapply nth_error_In; eauto|]. auto.
Qed.
Lemma never_again k : forall i, is_at (s i) Free k (v i) -> False.
Proof.
  induction k as [k IH] using (well_founded_induction N.lt_wf_0). intros i I.
  destruct (next_free i k I) as (k1 & I1 & [L|(-> & f & F & Nt & O)]); [exact (IH _ L _ I1)|].
  destruct on as [_ Ag]. destruct (Ag f F (S i)) as (j & e & Le & _ & _ & M).
  assert (X : forall gap i, is_at (s i) Free k (v i) -> j = (S i + gap)%nat -> False).
  { induction gap as [|gap IHg]; intros i' I' E.
    - destruct (next_free i' k I') as (k2 & I2 & [L|(-> & f' & _ & Nt' & O')]); [exact (IH _ L _ I2)|].
      rewrite Nt in Nt'. injection Nt' as <-. rewrite Nat.add_0_r in E. subst j. apply M, is_out_means, O'.
    - destruct (next_free i' k I') as (k2 & I2 & [L|(-> & _)]); [exact (IH _ L _ I2)|]. apply (IHg (S i') I2). lia. }
  apply (X (j - S i)%nat i I). lia.
Qed.
End Infinite.
End Again.

Lemma visited_here s v : visited n claim (may_be n) s v -> exists m k, is_at s m k v /\ match m with Free | In_ _ => True | _ => False end.
Proof.
  intro V. pose proof well_asked as W. destruct (must_stay claim) eqn:MS.
  - destruct (visited_at MS s v V) as (k & i & I). exists (In_ i), k. auto.
  - destruct (visited_free MS (proj1 (negb_true_iff _) W) s v V) as (k & I). exists Free, k. auto.
Qed.
Lemma visited_fails s v : visited n claim (may_be n) s v -> ~ step_fails n s v.
Proof.
  intros V F. destruct (visited_here s v V) as (md & k & (I & H) & Md). apply fails_in in F; [|apply I|apply holds_inv; trivial]. destruct F as (j & m & J & A & O).
  apply (inside_good spot spot_eqb spot_eqb_eq (spot_initial n claim) (spot_inv n claim) (spot_delay n)
           (spot_moves n claim (table n)) (spot_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true) _ _ _ _ _ _ _ _ _ _ is_checked _ _ I).
  set (o := match m_out _ m with None => None | Some (us, _) => Some (us, @None (list test * spot)) end).
  assert (K : In (Move spot (m_tests _ m) o) (steps n claim (table n) s md (At k) ++ changes n claim s md k)).
  { apply in_or_app. left. assert (St : steps n claim (table n) s md (At k) = flat_map (fun x => map (Move spot (m_tests _ (snd x))) (outs n claim md (At k) (m_out _ (snd x)))) (net_moves n (table n) s)) by (destruct md; tauto). rewrite St. apply in_flat_map. exists (j, m). split; [exact J|]. cbn [snd]. apply in_map. unfold o.
    destruct (m_out _ m) as [[us [[ts s']|]]|]; left; trivial. }
  destruct (counted_in _ _ K 0%N) as (j' & K'). exists j', (Move spot (m_tests _ m) o). split; [exact K'|]. split; [exact A|].
  cbn [m_out]. unfold o. destruct (m_out state m) as [[us t]|]; [exact O|exact Logic.I].
Qed.

Lemma no_run : ~ run_exists n claim (may_be n).
Proof.
  intros [(s & v & d & O & G)|(s & v & A & O & E)].
  - assert (St : stays claim (may_be n) (s 0%nat) (v 0%nat)) by (destruct G as [G _]; destruct (G 0%nat) as [W _]; eapply waits_stays; eauto).
    pose proof well_asked as W. destruct (must_stay claim) eqn:MS.
    + destruct (origin_at MS (s 0%nat) (v 0%nat) O St) as (k & i & I). exact (never_on s v d G k i 0%nat I).
    + destruct (visited_free MS (proj1 (negb_true_iff _) W) (s 0%nat) (v 0%nat)) as (k & I); [apply visit_origin; trivial|].
      exact (never_again MS s v d G k 0%nat I).
  - assert (MS : must_stay claim = true) by (unfold must_stay; destruct (a_stay claim); [trivial|congruence]).
    destruct (origin_at MS s v O) as (k & i & I); [|exact (never_ends s v E k i I)].
    inversion E as [a b Wi|a b d' Wi|a b d' s2 v2 Wi]; subst; [apply (waits_stays s v 0), Wi; lra|eapply waits_stays; eauto|eapply waits_stays; eauto].
Qed.
End Correct.

Theorem accepts_timed_correct n claim c : accepts_timed n claim c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  (forall s v, visited n claim (may_be n) s v -> ~ step_fails n s v) /\ ~ run_exists n claim (may_be n).
Proof.
  unfold accepts_timed. intro H. apply andb_prop in H. destruct H as [H A]. apply andb_prop in H. destruct H as [H W].
  apply andb_prop in H. destruct H as [H U]. apply andb_prop in H. destruct H as [F B]. split; [apply forms_well_sound, F|]. split; [apply begins_sound, B|].
  split; [|split; [intros s v; apply (visited_fails n claim c); trivial|apply (no_run n claim c); trivial]].
  unfold spots_check in A. apply andb_prop in A. destruct A as [A _].
  intros (s & S & E). rewrite forallb_forall in A. specialize (A _ (starts_in _ _ S)).
  unfold starts_well in A. destruct (invariants_fail _ _ E) as (ts & J). rewrite J in A. discriminate.
Qed.

(* With conditions that compare clocks, or without. *)
Inductive numbers := Untimed (c : untimed) | Timed (c : timed).
Definition runs_check (n : net) (claim : asks) (also_dead : bool) (c : numbers) : bool :=
  match c with Untimed c => places_check n claim also_dead c | Timed c => spots_check n claim also_dead c end.
Definition accepts_endless (n : net) (claim : asks) (c : numbers) : bool :=
  match c with Untimed c => accepts_untimed n claim c | Timed c => accepts_timed n claim c end.
Theorem accepts_endless_correct n claim c : accepts_endless n claim c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  (forall s v, visited n claim (may_be n) s v -> ~ step_fails n s v) /\ ~ run_exists n claim (may_be n).
Proof. destruct c as [c|c]; [apply accepts_untimed_correct|apply accepts_timed_correct]. Qed.
