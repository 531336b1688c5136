(* Parts of infinite runs that repeat at other times in each round.

   For each step of the part a zone is given, as a list of tests. From all of its valuations some delay and the joint transition of
   the step lead into the next zone, from the last one into the first: so the part can be repeated for ever. That there is a
   delay is seen by Fourier and Motzkin's elimination (past in Alive.v), and a delay is computed, so that no choice is needed to
   make a run of them. Time diverges if a clock is set to 0 in each round, to nothing else, and is at least 1 somewhere;
   or where nothing bounds a delay, as a unit more is waited then. Where a condition is a disjunction, hints say which part of it is to hold. They are not believed. *)
From Coq Require Import List ZArith NArith QArith Qround Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Replay Alive RunSpec.
Import ListNotations.
Open Scope Z_scope.

(* ---- Tests that follow from others, without clocks below zero ---- *)

Definition entails (ws : list test) (t : test) : bool :=
  ((t_i t =? t_j t)%nat || (t_i t =? 0)%nat) && (ONE <=? t_bound t) ||
  existsb (fun u => (t_i u =? t_i t)%nat && (t_j u =? t_j t)%nat && (t_bound u <=? t_bound t)) ws.
Lemma entails_sound ws t v : nonneg v -> all_hold ws v -> entails ws t = true -> meets t v.
Proof.
  intros N A E. unfold entails in E. apply orb_prop in E. destruct E as [E|E].
  - apply andb_prop in E. destruct E as [E O]. apply Z.leb_le in O. apply (sat_mono ONE); [exact O|]. apply (sat_within 0). unfold diff.
    change (inject_Z 0) with 0%Q. pose proof (nonneg_val v (t_j t) N) as P. apply orb_prop in E. destruct E as [E|E]; apply Nat.eqb_eq in E; rewrite E; simpl; lra.
  - apply existsb_exists in E. destruct E as (u & I & E). apply andb_prop in E. destruct E as [E B]. apply andb_prop in E. destruct E as [Ei Ej].
    apply Nat.eqb_eq in Ei, Ej. apply Z.leb_le in B. specialize (A u I). unfold meets in *. rewrite Ei, Ej in A. eapply sat_mono; eauto.
Qed.
Lemma entails_all ws ts v : nonneg v -> all_hold ws v -> forallb (entails ws) ts = true -> all_hold ts v.
Proof. intros N A E t I. rewrite forallb_forall in E. eapply entails_sound; eauto. Qed.
Lemma all_hold_part a ts v : all_hold ts v -> (forall t, In t a -> In t ts) -> all_hold a v.
Proof. intros A S t I. auto. Qed.

(* Updates that lower a clock are only made where it does not get below zero. *)
Definition drops (us : list upd) : list test :=
  flat_map (fun a => if snd a <? 0 then [Test 0 (fst a) (2 * snd a + 1)] else []) (assigned [] us).
Lemma drops_sound us v : nonneg v -> forallb modest (drops us) = true -> all_hold (drops us) v -> ~ negative us v.
Proof.
  intros N M A X. destruct (negative_assigned us [] v v (comes_nil v) X) as ([y d] & I & L). cbn [fst snd] in L.
  pose proof (nonneg_val v y N) as P.
  destruct (Z.ltb_spec d 0) as [D|D]; [|apply inj_le in D; change (inject_Z 0) with 0%Q in D; lra].
  assert (J : In (Test 0 y (2 * d + 1)) (drops us)).
  { unfold drops. apply in_flat_map. exists (y, d). split; [trivial|]. cbn [fst snd]. destruct (Z.ltb_spec d 0); [left; trivial|lia]. }
  rewrite forallb_forall in M. specialize (M _ J). specialize (A _ J). unfold modest in M. unfold meets, diff in A. cbn [t_bound t_i t_j val] in A, M.
  apply andb_prop in M. destruct M as [_ M]. apply Z.ltb_lt in M. destruct A as [A|A]; [unfold INF in A; lia|].
  pose proof (div2_eq (2 * d + 1)) as E. unfold half in A. destruct (Z.odd (2 * d + 1)); [|lia].
  replace (Z.div2 (2 * d + 1)) with d in A by lia. lra.
Qed.

(* ---- Time that diverges ---- *)

Section Elapsed.
Variable d : nat -> Q.
Hypothesis positive : forall i, (0 <= d i)%Q.
Lemma elapsed_grows i j : (i <= j)%nat -> (elapsed d i <= elapsed d j)%Q.
Proof. induction 1 as [|j _ IH]; [lra|]. cbn [elapsed]. specialize (positive j). lra. Qed.
Lemma diverges_again e : (0 < e)%Q -> (forall k, exists i j, (k <= i)%nat /\ (elapsed d i + e <= elapsed d j)%Q) -> diverges d.
Proof.
  intros E H. assert (M : forall m : nat, exists k, (inject_Z (Z.of_nat m) * e <= elapsed d k)%Q).
  { induction m as [|m (k & K)]; [exists O; change (inject_Z (Z.of_nat 0)) with 0%Q; cbn [elapsed]; lra|]. destruct (H k) as (i & j & L & G). exists j.
    pose proof (elapsed_grows k i L). rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. change (inject_Z 1) with 1%Q. lra. }
  intro b. destruct (M (Z.to_nat (Qceiling (b / e)))) as (k & K). exists k. pose proof (Qle_ceiling (b / e)) as C.
  assert (X : (inject_Z (Qceiling (b / e)) <= inject_Z (Z.of_nat (Z.to_nat (Qceiling (b / e)))))%Q) by (rewrite <- Zle_Qle; lia).
  assert (Y : (b / e * e == b)%Q) by (field; lra).
  assert (Z : (b / e * e <= inject_Z (Z.of_nat (Z.to_nat (Qceiling (b / e)))) * e)%Q) by (apply Qmult_le_compat_r; lra). lra.
Qed.
End Elapsed.

Section Rounds.
Variable n : net.
Variable D : positive.
Variable claim : asks.
Hypothesis all_run : unrated n = true.

(* ---- Parts of conditions ---- *)

Definition sat_b (b z : Z) : bool := (INF <=? b) || (if Z.odd b then z <=? Z.div2 b * Zpos D else z <? Z.div2 b * Zpos D).
Definition meets_b (r : moment) (t : test) : bool := sat_b (t_bound t) (ticks r (t_i t) - ticks r (t_j t)).
Lemma meets_b_sound r t : meets_b r t = true -> meets t (rval D r).
Proof.
  unfold meets_b, sat_b, meets, diff. intro H. apply sat_eq with (ticks r (t_i t) - ticks r (t_j t) # D)%Q.
  { rewrite !rval_ticks. symmetry. apply frac_sub. }
  apply orb_prop in H. destruct H as [H|H]; [left; apply Z.leb_le; exact H|right]. unfold half.
  pose proof (frac_whole D (Z.div2 (t_bound t))) as E. destruct (Z.odd (t_bound t)).
  - apply Z.leb_le in H. apply (frac_le D) in H. lra.
  - apply Z.ltb_lt in H. apply (frac_lt D) in H. lra.
Qed.

(* Tests under which the formula is b: where there are several ways, those which hold at all of these moments. *)
Fixpoint choose (rs : list moment) (b : bool) (s : state) (f : formula) : option (list test) :=
  let all x y := match x, y with Some ts, Some us => Some (ts ++ us) | _, _ => None end in
  let one (x y : option (list test)) := match x with Some ts => Some ts | None => y end in
  match f with
  | FAtom a =>
    match ask n s a with
    | Plain t => if Bool.eqb t b then Some [] else None
    | Asks i j o c => if small c then List.find (fun ts => forallb (fun r => forallb (meets_b r) ts) rs) (cases i j (if b then o else opposite o) c) else None
    | Wrong => None
    end
  | FNot f => choose rs (negb b) s f
  | FAnd f g => (if b then all else one) (choose rs b s f) (choose rs b s g)
  | FOr f g => (if b then one else all) (choose rs b s f) (choose rs b s g)
  end.

Lemma cases_exact i j o c v ts : small c = true -> In ts (cases i j o c) -> all_hold ts v -> clock_compare o (val v i - val v j) (inject_Z c).
Proof.
  intros S I A. assert (X : forall p, p <> Ne -> cases i j p c = [ts] -> clock_compare p (val v i - val v j) (inject_Z c)).
  { intros p N E. apply tests_exact; trivial. unfold tests. rewrite E. exact A. }
  destruct o; try (destruct I as [<-|[]]; apply X; [discriminate|reflexivity]).
  destruct I as [<-|[<-|[]]].
  - assert (L : clock_compare Lt (val v i - val v j) (inject_Z c)) by (apply tests_exact; [discriminate|trivial|exact A]). simpl in *. lra.
  - assert (L : clock_compare Gt (val v i - val v j) (inject_Z c)) by (apply tests_exact; [discriminate|trivial|exact A]). simpl in *. lra.
Qed.
Lemma opposite_false o d c : clock_compare (opposite o) d c -> ~ clock_compare o d c.
Proof. destruct o; simpl; intros H X; try lra; apply H; lra. Qed.
Lemma choose_sound rs s v f : forall b ts, choose rs b s f = Some ts -> all_hold ts v -> decided n b s v f.
Proof.
  induction f as [a|f IH|f IHf g IHg|f IHf g IHg]; intros b ts C A; cbn [choose decided] in *.
  - unfold is. destruct (ask n s a) as [t|i j o c|]; [| |discriminate].
    + destruct (Bool.eqb t b) eqn:E; [|discriminate]. apply eqb_prop in E. exact E.
    + destruct (small c) eqn:S; [|discriminate]. apply find_some in C. destruct C as [I _]. cbv zeta.
      pose proof (cases_exact _ _ _ _ v ts S I A) as X. destruct b; [exact X|apply opposite_false; exact X].
  - eapply IH; eauto.
  - destruct b.
    + destruct (choose rs true s f) as [fs|] eqn:F; [|discriminate]. destruct (choose rs true s g) as [gs|] eqn:G; [|discriminate]. injection C as <-.
      split; [apply (IHf true fs F)|apply (IHg true gs G)]; intros t I; apply A, in_or_app; auto.
    + destruct (choose rs false s f) as [fs|] eqn:F; [injection C as <-; left; apply (IHf false fs F A)|right; apply (IHg false ts C A)].
  - destruct b.
    + destruct (choose rs true s f) as [fs|] eqn:F; [injection C as <-; left; apply (IHf true fs F A)|right; apply (IHg true ts C A)].
    + destruct (choose rs false s f) as [fs|] eqn:F; [|discriminate]. destruct (choose rs false s g) as [gs|] eqn:G; [|discriminate]. injection C as <-.
      split; [apply (IHf false fs F)|apply (IHg false gs G)]; intros t I; apply A, in_or_app; auto.
Qed.

(* ---- Steps ---- *)

(* Which joint transition; two moments of a run that show the parts of the condition, the first before the delay; the zone before it; and
   tests that hold after the delay besides, so that it takes long enough. *)
Record hint := Hint { h_joint : nat; h_refs : list moment; h_zone : list test; h_more : list test }.
(* In this state tu_stay holds while time passes, and under tu_go the clocks are set and the next state is reached. *)
Record turn := Turn { tu_state : state; tu_waits : bool; tu_stay : list test; tu_go : list test; tu_updates : list upd; tu_next : state }.

Definition turn_of (t : list (list (list edge))) (s : state) (h : hint) : option turn :=
  match net_inv n s, nth_error (joints n t s) (h_joint h), match a_stay claim with None => Some [] | Some f => choose (h_refs h) true s f end with
  | Some inv, Some o, Some stay =>
    let es := o_edges o in
    match judge n s (guard es), fire n s es with
    | Some (false, ts), Ok (s', us) =>
      let go := (ts ++ o_tests o) ++ drops us ++ h_more h in
      let known := go ++ inv ++ stay in
      if forallb (sure_out n s known) (o_out o) && negb (is_nil es) && not_outranked n t s known es &&
         forallb (exact n s) (guard es) && forallb (forallb (exact n s)) (invariants n s)
      then Some (Turn s (net_can_delay n s) (inv ++ stay) go us s') else None
    | _, _ => None
    end
  | _, _, _ => None
  end.
(* From each valuation of the first zone the step leads into the second one. *)
Definition leads (tu : turn) (zone next : list test) : bool :=
  let all := (tu_stay tu ++ tu_go tu) ++ map (back (origins_of (tu_updates tu))) next in
  forallb modest all && forallb (entails zone) (tu_stay tu) && forallb (entails zone) (if tu_waits tu then past all else all).

(* Nothing bounds the delay before it: then it takes a unit more than it has to. *)
Definition leisurely (tu : turn) (next : list test) : bool :=
  tu_waits tu && forallb (fun t => negb (is_upper t)) ((tu_stay tu ++ tu_go tu) ++ map (back (origins_of (tu_updates tu))) next).
Lemma hold_later ts v d e : forallb (fun t => negb (is_upper t)) ts = true -> (d <= e)%Q -> all_hold ts (delayed d v) -> all_hold ts (delayed e v).
Proof.
  intros U L A t I. rewrite forallb_forall in U. specialize (U t I). apply negb_true_iff in U. specialize (A t I). destruct (is_lower t) eqn:Lo.
  - apply (lower_meets v t e Lo). apply (proj1 (lower_meets v t d Lo)) in A. unfold low_ok in *. eapply sat_down; [|exact A]. lra.
  - apply (proj2 (other_meets v t e Lo U)), (proj1 (other_meets v t d Lo U)), A.
Qed.

Notation waits := (waits n claim (must_be n)).
Notation stays := (stays claim (must_be n)).
Notation goes_on := (goes_on n claim (must_be n)).
Definition inside (ws : list test) (v : valuation) : Prop := nonneg v /\ all_hold ws v.

(* What tu_stay says. *)
Lemma turn_stays s h tu v : turn_of (table n) s h = Some tu -> all_hold (tu_stay tu) v ->
  tu_state tu = s /\ holds n s v (invariant n s) /\ stays s v.
Proof.
  unfold turn_of. intros T A. destruct (net_inv n s) as [inv|] eqn:I; [|discriminate]. destruct (nth_error _ _) as [o|]; [|discriminate].
  destruct (match a_stay claim with None => _ | Some _ => _ end) as [stay|] eqn:St; [|discriminate]. cbv zeta in T.
  destruct (judge n s _) as [[[|] ts]|]; try discriminate. destruct (fire n s _) as [| |[s' us]]; try discriminate.
  destruct (_ && _) eqn:E; [|discriminate]. injection T as <-. cbn [tu_stay tu_state] in *. apply andb_prop in E. destruct E as [_ E].
  split; [trivial|]. split.
  - unfold net_inv in I. destruct (judge_all n s (invariants n s)) as [[[|] ts']|] eqn:J; try discriminate. injection I as ->.
    eapply invariants_exact; eauto. intros t T. apply A, in_or_app. auto.
  - unfold RunSpec.stays, must_be. destruct (a_stay claim) as [f|]; [|trivial]. eapply choose_sound; [exact St|]. intros t T. apply A, in_or_app. auto.
Qed.
(* What tu_go says. *)
Lemma turn_goes s h tu w : turn_of (table n) s h = Some tu -> nonneg w -> forallb modest (tu_go tu) = true -> all_hold (tu_stay tu) w -> all_hold (tu_go tu) w ->
  (holds n (tu_next tu) (set_all (tu_updates tu) w) (invariant n (tu_next tu)) -> takes n s w (tu_next tu) (set_all (tu_updates tu) w)) /\
  nonneg (set_all (tu_updates tu) w).
Proof.
  unfold turn_of. intros T N M St A. destruct (net_inv n s) as [inv|]; [|discriminate]. destruct (nth_error _ _) as [o|] eqn:J; [|discriminate].
  destruct (match a_stay claim with None => _ | Some _ => _ end) as [stay|]; [|discriminate]. cbv zeta in T.
  destruct (judge n s _) as [[[|] ts]|] eqn:Ju; try discriminate. destruct (fire n s _) as [| |[s' us]] eqn:F; try discriminate.
  destruct (_ && _) eqn:E; [|discriminate]. injection T as <-. cbn [tu_stay tu_go tu_updates tu_next] in *.
  apply andb_prop in E. destruct E as [E _]. apply andb_prop in E. destruct E as [E Ex]. apply andb_prop in E. destruct E as [E Ro].
  apply andb_prop in E. destruct E as [Out Ne].
  apply nth_error_In, joints_offer in J. destruct J as (o' & J & Ee & Eo). rewrite <- Ee in *. rewrite <- Eo in Out. set (es := o_edges o') in *.
  assert (K : all_hold (((ts ++ o_tests o) ++ drops us ++ h_more h) ++ inv ++ stay) w) by (apply all_hold_app; trivial).
  assert (Ng : ~ negative us w).
  { apply drops_sound; trivial; [|intros t I; apply A, in_or_app; right; apply in_or_app; auto]. rewrite !forallb_app in M. apply andb_prop in M.
    destruct M as [_ M]. apply andb_prop in M. tauto. }
  split; [|apply nonneg_set; trivial]. intro H.
  assert (G : holds n s w (guard es)) by (eapply judge_exact; eauto; intros t I; apply A, in_or_app; left; apply in_or_app; auto).
  exists es, us. split; [|split; [trivial|split]].
  - apply offer_joint; trivial. intros e I. rewrite forallb_forall in Out. eapply sure_out_sound; eauto.
  - eapply not_outranked_sound; eauto. destruct es; discriminate.
  - split; [trivial|]. split; [trivial|]. split; [intro k; reflexivity|trivial].
Qed.

Lemma delayed_nonneg v d : nonneg v -> (0 <= d)%Q -> nonneg (delayed d v).
Proof. intros N P k. unfold delayed. specialize (N k). lra. Qed.
Lemma delayed_none v : same v (delayed 0 v).
Proof. intro k. unfold delayed. lra. Qed.

Lemma turn_leads s h tu zone next v : turn_of (table n) s h = Some tu -> leads tu zone next = true ->
  (forall w, inside next w -> holds n (tu_next tu) w (invariant n (tu_next tu))) -> inside zone v ->
  {d | waits s v d /\ takes n s (delayed d v) (tu_next tu) (set_all (tu_updates tu) (delayed d v)) /\ inside next (set_all (tu_updates tu) (delayed d v)) /\
       all_hold (tu_go tu) (delayed d v) /\ (leisurely tu next = true -> 1 <= d)%Q}.
Proof.
  intros T L Nx [N Z]. unfold leads in L. cbv zeta in L. set (all := (tu_stay tu ++ tu_go tu) ++ map (back (origins_of (tu_updates tu))) next) in *.
  destruct (forallb modest all) eqn:M; [|discriminate]. destruct (forallb (entails zone) (tu_stay tu)) eqn:E0; [|discriminate]. cbn [andb] in L.
  pose proof (entails_all _ _ _ N Z E0) as S0.
  (* What follows after a delay. *)
  assert (Go : forall d, (0 <= d)%Q -> (d == 0)%Q \/ may_wait n s -> all_hold all (delayed d v) ->
    waits s v d /\ takes n s (delayed d v) (tu_next tu) (set_all (tu_updates tu) (delayed d v)) /\ inside next (set_all (tu_updates tu) (delayed d v)) /\
    all_hold (tu_go tu) (delayed d v)).
  { intros d P W A. pose proof (delayed_nonneg _ _ N P) as Nd.
    assert (Sd : all_hold (tu_stay tu) (delayed d v)) by (intros t I; apply A; apply in_or_app; left; apply in_or_app; auto).
    assert (Gd : all_hold (tu_go tu) (delayed d v)) by (intros t I; apply A; apply in_or_app; left; apply in_or_app; auto).
    assert (Mg : forallb modest (tu_go tu) = true).
    { unfold all in M. rewrite !forallb_app in M. apply andb_prop in M. destruct M as [M _]. apply andb_prop in M. tauto. }
    destruct (turn_goes _ _ _ _ T Nd Mg Sd Gd) as [Ta Nn].
    assert (In' : inside next (set_all (tu_updates tu) (delayed d v))).
    { split; [trivial|]. intros t I. assert (Ib : In (back (origins_of (tu_updates tu)) t) all) by (apply in_or_app; right; apply in_map; trivial).
      eapply back_complete; [apply comes_all|apply A; trivial|]. rewrite forallb_forall in M. apply M. trivial. }
    split; [|split; [apply Ta, Nx; trivial|split; trivial]].
    assert (Way : forall e, (0 <= e)%Q -> (e <= d)%Q -> holds n s (delayed e v) (invariant n s) /\ stays s (delayed e v)).
    { intros e Pe Le. apply (turn_stays s h tu); trivial. exact (on_the_way _ _ _ _ Pe Le S0 Sd). }
    unfold RunSpec.waits, passes. rewrite none_stopped by trivial. change (after []) with delayed.
    split; [split; [trivial|split; [trivial|]]|]; intros e Pe Le; apply Way; trivial. }
  assert (Ts : tu_waits tu = true -> may_wait n s).
  { intro W. apply can_delay_sound; [|apply unrated_fails, all_run]. unfold turn_of in T. destruct (net_inv n s) as [inv|]; [|discriminate]. destruct (nth_error _ _) as [o|]; [|discriminate].
    destruct (match a_stay claim with None => _ | Some _ => _ end) as [stay|]; [|discriminate]. cbv zeta in T.
    destruct (judge n s _) as [[[|] ts]|]; try discriminate. destruct (fire n s _) as [| |[s' us]]; try discriminate.
    destruct (_ && _); [|discriminate]. injection T as <-. exact W. }
  destruct (tu_waits tu) eqn:W.
  - destruct (past_sound all v M (entails_all _ _ _ N Z L)) as (d & P & A). destruct (leisurely tu next) eqn:Le.
    + exists (d + 1)%Q. assert (G : all_hold all (delayed (d + 1) v)).
      { apply (hold_later all v d); [|lra|exact A]. unfold leisurely in Le. apply andb_prop in Le. apply Le. }
      destruct (Go (d + 1)%Q ltac:(lra) (or_intror (Ts eq_refl)) G) as (X1 & X2 & X3 & X4). repeat (split; [assumption|]). intros _. lra.
    + exists d. destruct (Go d P (or_intror (Ts eq_refl)) A) as (X1 & X2 & X3 & X4). repeat (split; [assumption|]). discriminate.
  - exists 0%Q. assert (Le : leisurely tu next = false) by (unfold leisurely; rewrite W; reflexivity). rewrite Le.
    assert (X : all_hold all (delayed 0 v)); [|destruct (Go 0%Q ltac:(lra) (or_introl (Qeq_refl 0)) X) as (X1 & X2 & X3 & X4); repeat (split; [assumption|]); discriminate]. eapply all_hold_same; [apply delayed_none|]. exact (entails_all _ _ _ N Z L).
Qed.

(* ---- The part that repeats ---- *)

Fixpoint turns (t : list (list (list edge))) (s : state) (hs : list hint) : option (list (turn * hint)) :=
  match hs with
  | [] => Some []
  | h :: hs =>
    match turn_of t s h with
    | None => None
    | Some tu => match turns t (tu_next tu) hs with None => None | Some l => Some ((tu, h) :: l) end
    end
  end.
(* Each zone leads into the next one, and the last into the zone of `first`, where its state is. *)
Fixpoint chain (first : turn * hint) (l : list (turn * hint)) : bool :=
  match l with
  | [] => true
  | (tu, h) :: l =>
    let next := match l with [] => first | x :: _ => x end in
    state_eqb (tu_next tu) (tu_state (fst next)) && leads tu (h_zone h) (h_zone (snd next)) && chain first l
  end.
(* The clock is set to 0 in each round, to nothing else, and it is at least 1 at a step, before the delay or after it. *)
Definition keeps_or_clears (x : nat) (y : turn * hint) : bool :=
  let (z, c) := Checker.origin (origins_of (tu_updates (fst y))) x in ((z =? x)%nat || (z =? 0)%nat) && (c =? 0).
Definition clears (x : nat) (y : turn * hint) : bool :=
  let (z, c) := Checker.origin (origins_of (tu_updates (fst y))) x in (z =? 0)%nat && (c =? 0).
Definition sees_one (x : nat) (y : turn * hint) : bool := entails (h_zone (snd y)) (Test 0 x (-1)) || entails (tu_go (fst y)) (Test 0 x (-1)).
Definition takes_time (x : nat) (l : list (turn * hint)) : bool :=
  negb (x =? 0)%nat && forallb (keeps_or_clears x) l && existsb (clears x) l && existsb (sees_one x) l.
(* It holds where a step begins, in all of its zone. *)
Definition is_met_at (f : formula) (x : turn * hint) : bool :=
  match choose (firstn 1 (h_refs (snd x))) true (tu_state (fst x)) f with
  | None => false
  | Some ts => forallb (entails (h_zone (snd x))) ts
  end.
Definition varies (t : list (list (list edge))) (hs : list hint) (r : moment) : bool :=
  match turns t (r_state r) hs with
  | None | Some [] => false
  | Some (first :: rest) =>
    let l := first :: rest in
    chain first l && forallb (fun f => existsb (is_met_at f) l) (a_again claim) &&
    (forallb (fun z => 0 <=? z) (r_clocks r) && (0 <=? r_time r)) && forallb (meets_b r) (h_zone (snd first))
  end.

Lemma turns_in t hs : forall s l, turns t s hs = Some l -> forall x, In x l -> turn_of t (tu_state (fst x)) (snd x) = Some (fst x).
Proof.
  induction hs as [|h hs IH]; intros s l E x I; cbn [turns] in E; [injection E as <-; destruct I|].
  destruct (turn_of t s h) as [tu|] eqn:T; [|discriminate]. destruct (turns t (tu_next tu) hs) as [l'|] eqn:R; [|discriminate]. injection E as <-.
  destruct I as [<-|I]; [|eapply IH; eauto]. cbn [fst snd]. assert (S : tu_state tu = s).
  { unfold turn_of in T. destruct (net_inv n s) as [inv|]; [|discriminate]. destruct (nth_error _ _) as [o|]; [|discriminate].
    destruct (match a_stay claim with None => _ | Some _ => _ end) as [stay|]; [|discriminate]. cbv zeta in T.
    destruct (judge n s _) as [[[|] ts]|]; try discriminate. destruct (fire n s _) as [| |[s' us]]; try discriminate.
    destruct (_ && _); [|discriminate]. injection T as <-. trivial. }
  rewrite S. exact T.
Qed.
Lemma turns_first t hs s x l : turns t s hs = Some (x :: l) -> tu_state (fst x) = s.
Proof.
  destruct hs as [|h hs]; cbn [turns]; [discriminate|]. destruct (turn_of t s h) as [tu|] eqn:T; [|discriminate].
  destruct (turns t (tu_next tu) hs) as [l'|]; [|discriminate]. intro E. injection E as <- <-. cbn [fst].
  unfold turn_of in T. destruct (net_inv n s) as [inv|]; [|discriminate]. destruct (nth_error _ _) as [o|]; [|discriminate].
  destruct (match a_stay claim with None => _ | Some _ => _ end) as [stay|]; [|discriminate]. cbv zeta in T.
  destruct (judge n s _) as [[[|] ts]|]; try discriminate. destruct (fire n s _) as [| |[s' us]]; try discriminate.
  destruct (_ && _); [|discriminate]. injection T as <-. trivial.
Qed.
Lemma chain_nth first l : chain first l = true -> forall k, (k < length l)%nat ->
  let x := nth k l first in let y := nth (S k) l first in
  tu_next (fst x) = tu_state (fst y) /\ leads (fst x) (h_zone (snd x)) (h_zone (snd y)) = true.
Proof.
  induction l as [|[tu h] l IH]; intros C k K; [simpl in K; lia|]. cbn [chain] in C. cbv zeta in C.
  apply andb_prop in C. destruct C as [C R]. apply andb_prop in C. destruct C as [S L]. apply state_eqb_eq in S.
  destruct k as [|k].
  - cbn [nth]. destruct l as [|y l]; cbn [nth fst snd] in *; auto.
  - cbn [nth]. cbn [length] in K. apply (IH R k). lia.
Qed.

Section Run.
Variables (first : turn * hint) (rest : list (turn * hint)).
Let l := first :: rest.
Hypothesis good_turns : forall x, In x l -> turn_of (table n) (tu_state (fst x)) (snd x) = Some (fst x).
Hypothesis linked : chain first l = true.
Let len := length l.
Let at_ (i : nat) : turn * hint := nth (i mod len) l first.
Lemma len_pos : len <> O.
Proof. discriminate. Qed.
Lemma at_in i : In (at_ i) l.
Proof. apply nth_In. apply Nat.mod_upper_bound, len_pos. Qed.
Lemma at_succ i : at_ (S i) = nth (S (i mod len)) l first.
Proof.
  pose proof len_pos as P. unfold at_. pose proof (Nat.div_mod i len P) as Q. pose proof (Nat.mod_upper_bound i len P) as U. destruct (Nat.eq_dec (S (i mod len)) len) as [X|X].
  - rewrite X. assert (M : (S i mod len = 0)%nat) by (symmetry; apply (Nat.mod_unique (S i) len (S (i / len))); lia).
    rewrite M. symmetry. apply nth_overflow. trivial.
  - assert (M : (S i mod len = S (i mod len))%nat) by (symmetry; apply (Nat.mod_unique (S i) len (i / len)); lia). rewrite M. trivial.
Qed.
Lemma at_next i : tu_next (fst (at_ i)) = tu_state (fst (at_ (S i))) /\ leads (fst (at_ i)) (h_zone (snd (at_ i))) (h_zone (snd (at_ (S i)))) = true.
Proof.
  pose proof (Nat.mod_upper_bound i len len_pos) as U. rewrite at_succ. apply (chain_nth first l linked). exact U.
Qed.
Definition fine (i : nat) (v : valuation) : Prop := inside (h_zone (snd (at_ i))) v.
Definition lands (i : nat) (d : Q) (v : valuation) : valuation := set_all (tu_updates (fst (at_ i))) (delayed d v).
Lemma fine_holds i v : fine i v -> holds n (tu_state (fst (at_ i))) v (invariant n (tu_state (fst (at_ i)))).
Proof.
  intros [N A]. destruct (at_next i) as [_ L]. unfold leads in L. apply andb_prop in L. destruct L as [L _]. apply andb_prop in L. destruct L as [_ L].
  apply (turn_stays _ _ _ v (good_turns _ (at_in i))). eapply entails_all; eauto.
Qed.
Lemma step_on i v : fine i v -> {d | waits (tu_state (fst (at_ i))) v d /\
  takes n (tu_state (fst (at_ i))) (delayed d v) (tu_state (fst (at_ (S i)))) (lands i d v) /\ fine (S i) (lands i d v) /\ all_hold (tu_go (fst (at_ i))) (delayed d v) /\
  (leisurely (fst (at_ i)) (h_zone (snd (at_ (S i)))) = true -> 1 <= d)%Q}.
Proof.
  intro F. destruct (at_next i) as [E L].
  destruct (turn_leads _ _ _ _ _ v (good_turns _ (at_in i)) L) as (d & W & T & I); [|exact F|].
  - intros w I. rewrite E. apply fine_holds. exact I.
  - exists d. rewrite E in T. auto.
Qed.
Variable v0 : valuation.
Hypothesis fine0 : fine 0 v0.
Fixpoint run_at (i : nat) : {v | fine i v} :=
  match i with
  | O => exist _ v0 fine0
  | S i => let (v, f) := run_at i in let (d, p) := step_on i v f in exist _ (lands i d v) (proj1 (proj2 (proj2 p)))
  end.
Definition run_v i := proj1_sig (run_at i).
Definition run_d i := proj1_sig (step_on i (run_v i) (proj2_sig (run_at i))).
Lemma run_next i : run_v (S i) = lands i (run_d i) (run_v i).
Proof. unfold run_v, run_d, run_v. cbn [run_at]. destruct (run_at i) as [v f]. cbn [proj1_sig proj2_sig]. destruct (step_on i v f) as [d p]. reflexivity. Qed.
Lemma run_goes_on : (forall f, In f (a_again claim) -> exists k, (k < len)%nat /\ is_met_at f (nth k l first) = true) ->
  goes_on (fun i => tu_state (fst (at_ i))) run_v run_d.
Proof.
  intro Again. assert (Each : forall i, waits (tu_state (fst (at_ i))) (run_v i) (run_d i) /\
    takes n (tu_state (fst (at_ i))) (delayed (run_d i) (run_v i)) (tu_state (fst (at_ (S i)))) (run_v (S i))).
  { intro i. rewrite run_next. unfold run_d. destruct (step_on i (run_v i) (proj2_sig (run_at i))) as (d & W & T & R). auto. }
  split.
  - intro i. rewrite none_stopped by trivial. apply Each.
  - intros f I k. destruct (Again f I) as (j & J & M). pose proof len_pos as P. exists (k * len + j)%nat, 0%Q.
    assert (Q : ((k * len + j) mod len = j)%nat) by (symmetry; apply (Nat.mod_unique _ len k); lia).
    split; [nia|]. split; [lra|]. split; [apply (Each (k * len + j)%nat)|]. rewrite none_stopped by trivial. change (after []) with delayed.
    unfold must_be. unfold is_met_at in M. pose proof (proj2_sig (run_at (k * len + j))) as [N A]. fold (run_v (k * len + j)) in N, A.
    unfold at_ in *. rewrite Q in *. destruct (choose _ true _ f) as [ts|] eqn:C; [|discriminate]. eapply choose_sound; [exact C|].
    eapply all_hold_same; [apply delayed_none|]. exact (entails_all _ _ _ N A M).
Qed.

Lemma run_d_positive i : (0 <= run_d i)%Q.
Proof. exact (proj1 (proj1 (proj1 (proj2_sig (step_on i (run_v i) (proj2_sig (run_at i))))))). Qed.
Lemma run_nonneg i : nonneg (run_v i).
Proof. exact (proj1 (proj2_sig (run_at i))). Qed.
Lemma run_gone i : all_hold (tu_go (fst (at_ i))) (delayed (run_d i) (run_v i)).
Proof. exact (proj1 (proj2 (proj2 (proj2 (proj2_sig (step_on i (run_v i) (proj2_sig (run_at i)))))))). Qed.
Lemma run_waits i : leisurely (fst (at_ i)) (h_zone (snd (at_ (S i)))) = true -> (1 <= run_d i)%Q.
Proof. exact (proj2 (proj2 (proj2 (proj2 (proj2_sig (step_on i (run_v i) (proj2_sig (run_at i)))))))). Qed.
Lemma in_round y : In y l -> forall k, exists i, (k <= i)%nat /\ at_ i = y.
Proof.
  intros I k. destruct (In_nth _ _ first I) as (j & J & E). pose proof len_pos as P. exists (k * len + j)%nat. split; [nia|].
  unfold at_. assert (Q : ((k * len + j) mod len = j)%nat) by (symmetry; apply (Nat.mod_unique (k * len + j) len k j); unfold len; lia). rewrite Q. exact E.
Qed.
Lemma at_least_one x v : meets (Test 0 x (-1)) v -> (1 <= val v x)%Q.
Proof.
  intros [B|B]; [exfalso; unfold INF in B; cbn in B; lia|]. unfold half, diff in B. cbn in B. change (inject_Z (-1)) with (-1)%Q in B. lra.
Qed.
Lemma run_diverges x : takes_time x l = true -> diverges run_d.
Proof.
  unfold takes_time. intro H. apply andb_prop in H. destruct H as [H One]. apply andb_prop in H. destruct H as [H Clear]. apply andb_prop in H. destruct H as [Nz Keep].
  apply negb_true_iff, Nat.eqb_neq in Nz. rewrite forallb_forall in Keep. apply existsb_exists in Clear. destruct Clear as (yc & Ic & Clear).
  apply existsb_exists in One. destruct One as (y1 & I1 & One).
  assert (Val : forall i, (val (delayed (run_d i) (run_v i)) x == val (run_v i) x + run_d i)%Q) by (intro i; destruct x as [|x]; [tauto|reflexivity]).
  assert (Next : forall i, (val (run_v (S i)) x == val (delayed (run_d i) (run_v i)) (fst (Checker.origin (origins_of (tu_updates (fst (at_ i)))) x)) +
                                                  inject_Z (snd (Checker.origin (origins_of (tu_updates (fst (at_ i)))) x)))%Q) by (intro i; rewrite run_next; apply comes_all).
  assert (Grows : forall i gap, at_ i = yc -> (val (run_v (S i + gap)) x <= elapsed run_d (S i + gap) - elapsed run_d (S i))%Q).
  { intros i gap E. induction gap as [|gap IH].
    - rewrite Nat.add_0_r. specialize (Next i). rewrite E in Next. unfold clears in Clear. destruct (Checker.origin _ x) as [z c]. cbn [fst snd] in Next.
      apply andb_prop in Clear. destruct Clear as [Z C]. apply Nat.eqb_eq in Z. apply Z.eqb_eq in C. subst z c. rewrite Next. change (inject_Z 0) with 0%Q. cbn [val]. lra.
    - replace (S i + S gap)%nat with (S (S i + gap)) by lia. set (j := (S i + gap)%nat) in *. specialize (Next j). pose proof (Val j) as V.
      specialize (Keep (at_ j) (at_in j)). unfold keeps_or_clears in Keep. destruct (Checker.origin _ x) as [z c]. cbn [fst snd] in Next.
      apply andb_prop in Keep. destruct Keep as [Z C]. apply Z.eqb_eq in C. subst c. change (inject_Z 0) with 0%Q in Next. pose proof (run_d_positive j).
      pose proof (elapsed_grows run_d run_d_positive (S i) j ltac:(unfold j; lia)). change (elapsed run_d (S j)) with (elapsed run_d j + run_d j)%Q.
      apply orb_prop in Z. destruct Z as [Z|Z]; apply Nat.eqb_eq in Z; subst z; [lra|]. cbn [val] in Next. lra. }
  apply (diverges_again run_d run_d_positive 1); [lra|]. intro k. destruct (in_round yc Ic k) as (i & K & E). destruct (in_round y1 I1 (S i)) as (j & J & F).
  exists (S i), (S j). split; [lia|]. pose proof (Grows i (j - S i)%nat E) as G. replace (S i + (j - S i))%nat with j in G by lia.
  assert (M : (1 <= val (run_v j) x + run_d j)%Q).
  { unfold sees_one in One. rewrite <- F in One. apply orb_prop in One. destruct One as [One|One].
    - pose proof (proj2_sig (run_at j)) as [N A]. fold (run_v j) in N, A. pose proof (at_least_one _ _ (entails_sound _ _ _ N A One)). pose proof (run_d_positive j). lra.
    - rewrite <- Val. apply at_least_one. eapply entails_sound; [|apply run_gone|exact One]. apply delayed_nonneg; [apply run_nonneg|apply run_d_positive]. }
  change (elapsed run_d (S j)) with (elapsed run_d j + run_d j)%Q. lra.
Qed.
Lemma run_rests k : (k < len)%nat -> leisurely (fst (nth k l first)) (h_zone (snd (nth (S k) l first))) = true -> diverges run_d.
Proof.
  intros K Le. apply (diverges_again run_d run_d_positive 1); [lra|]. intro b. exists (b * len + k)%nat, (S (b * len + k)). pose proof len_pos as P. split; [nia|].
  assert (Q : ((b * len + k) mod len = k)%nat) by (symmetry; apply (Nat.mod_unique (b * len + k) len b k); lia).
  assert (W : (1 <= run_d (b * len + k))%Q) by (apply run_waits; rewrite at_succ; unfold at_; rewrite Q; exact Le).
  cbn [elapsed]. lra.
Qed.
End Run.

(* There is such a clock, or such a delay. *)
Definition time_passes (t : list (list (list edge))) (hs : list hint) (r : moment) : bool :=
  match turns t (r_state r) hs with
  | None | Some [] => false
  | Some (first :: rest) =>
    let l := first :: rest in
    existsb (fun x => takes_time x l) (seq 1 (length (r_clocks r))) ||
    existsb (fun k => leisurely (fst (nth k l first)) (h_zone (snd (nth (S k) l first)))) (seq 0 (length l))
  end.
Theorem varies_sound hs r : varies (table n) hs r = true -> exists s v d, s O = r_state r /\ v O = rval D r /\ goes_on s v d /\
  (time_passes (table n) hs r = true -> diverges d).
Proof.
  unfold varies. intro H. destruct (turns (table n) (r_state r) hs) as [[|first rest]|] eqn:T; try discriminate. cbv zeta in H.
  apply andb_prop in H. destruct H as [H Z]. apply andb_prop in H. destruct H as [H N]. apply andb_prop in H. destruct H as [C A].
  pose proof (turns_in _ _ _ _ T) as G.
  assert (First : nth (0 mod length (first :: rest)) (first :: rest) first = first) by (rewrite Nat.mod_0_l by discriminate; trivial).
  assert (F : fine first rest 0 (rval D r)).
  { split; [apply nonneg_b; exact N|]. rewrite forallb_forall in Z. intros t I. apply meets_b_sound, Z. rewrite First in I. exact I. }
  exists (fun i => tu_state (fst (nth (i mod length (first :: rest)) (first :: rest) first))), (run_v first rest G C (rval D r) F), (run_d first rest G C (rval D r) F).
  split; [rewrite First; exact (turns_first _ _ _ _ _ T)|]. split; [reflexivity|]. split.
  2: { unfold time_passes. rewrite T. cbv zeta. intro X. apply orb_prop in X. destruct X as [X|X]; apply existsb_exists in X; destruct X as (x & Ix & X).
       - apply (run_diverges _ _ _ _ _ _ x X).
       - apply (run_rests _ _ _ _ _ _ x); [apply in_seq in Ix; lia|exact X]. }
  apply run_goes_on. intros f I. rewrite forallb_forall in A. specialize (A f I).
  apply existsb_exists in A. destruct A as (x & Ix & M). destruct (In_nth _ _ first Ix) as (k & K & E). exists k. rewrite E. auto.
Qed.
End Rounds.
