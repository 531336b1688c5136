(* Certificates that no infinite run is as asked (src/check/descent.h).

   A node has a mode (in mode true what is asked is to hold from now on) and a number. Numbers never grow
   along a step, and a step between nodes of one number lacks the mark that is missing for that number: a
   label, or, with the mark 0, a transition. The checker of certificates does not know this: for it, modes and
   numbers are part of the state, and the number of the covering node is a name under which it covers. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Replay Alive RunSpec.
Import ListNotations.
Open Scope Z_scope.

Section Endless.
Variable n : net.
Variable claim : asks.

(* ---- Conditions ---- *)

Definition is_out (s : state) (f : formula) : bool := match clauses n true s f with Some [] => true | _ => false end.
Lemma is_out_means s f v : is_out s f = true -> decided n false s v f.
Proof.
  unfold is_out. intro H. destruct (clauses_sound n s v f true) as [M|D]; [|exact D].
  destruct (clauses n true s f) as [[|c cs]|]; try discriminate. destruct M as (c & I & _). destruct I.
Qed.
Definition is_wrong (s : state) (f : formula) : bool := match clauses n true s f with None => true | _ => false end.
Definition list_of {A} (o : option A) : list A := match o with None => [] | Some a => [a] end.
Definition errs_somewhere (s : state) : bool :=
  existsb (is_wrong s) (list_of (a_start claim) ++ list_of (a_stay claim) ++ a_again claim).
Definition is_met (o : option formula) (s : state) : bool := match o with None => true | Some f => negb (is_out s f) end.
Lemma is_met_means f s v : may_be n f s v -> is_met (Some f) s = true.
Proof. intro M. simpl. destruct (is_out s f) eqn:E; [|trivial]. exfalso. apply M, is_out_means, E. Qed.
Definition must_stay : bool := match a_stay claim with None => false | Some _ => true end.
Definition has_start : bool := match a_start claim with None => false | Some _ => true end.
Definition first_mode : bool := must_stay && negb has_start.
Definition enters (m : bool) (s : state) : bool := negb m || is_met (a_stay claim) s.

(* ---- The system ---- *)

(* Where a number comes from: anything may begin; a step into the other mode; a node, or a transition from it, which may
   be a tick in Timed.v. *)
Inductive count := Start | Hop (k : N) | At (k : N) | Tick (k : N).
Definition place : Type := state * (bool * count).
Definition count_eqb (a b : count) : bool :=
  match a, b with Start, Start => true | Hop k, Hop l | At k, At l | Tick k, Tick l => (k =? l)%N | _, _ => false end.
Definition place_eqb (a b : place) : bool :=
  state_eqb (fst a) (fst b) && Bool.eqb (fst (snd a)) (fst (snd b)) && count_eqb (snd (snd a)) (snd (snd b)).
Lemma place_eqb_eq a b : place_eqb a b = true -> a = b.
Proof.
  destruct a as [s [m c]], b as [t [l d]]. unfold place_eqb; cbn [fst snd]. intro H. apply andb_prop in H. destruct H as [H C].
  apply andb_prop in H. destruct H as [H M]. apply state_eqb_eq in H. apply eqb_prop in M. subst.
  destruct c, d; simpl in C; try discriminate; trivial; apply N.eqb_eq in C; subst; trivial.
Qed.

Variable missing : N -> N.                            (* of a number; 0: a transition; k + 1: label k *)

(* A transition into s, in this mode, may join nodes of the number k. *)
Definition lacks (k : N) (m : bool) (s : state) : bool :=
  match missing k with
  | N0 => must_stay && negb m
  | l => match nth_error (a_again claim) (N.to_nat (l - 1)) with None => false | Some f => is_out s f end
  end.
Definition allowed (c : count) (m : bool) (s : state) (k' : N) : bool :=
  match c with
  | Start => true
  | Hop k => (k' <=? k)%N
  | At k | Tick k => (k' <? k)%N || (k' =? k)%N && lacks k m s
  end.
Definition numbered (k : N) (p : place) : option place :=
  let '(s, (m, c)) := p in if allowed c m s k then Some (s, (m, At k)) else None.

Definition place_inv (p : place) : option (list test) :=
  let '(s, (m, _)) := p in if enters m s then net_inv n s else None.
Definition place_delay (p : place) : option (list nat) := net_delay n (fst p).
Definition place_initial : list place := map (fun s => (s, (first_mode, Start))) (net_initial n).
Definition out_of (m : bool) (c : count) (o : option (list upd * option (list test * state))) : option (list upd * option (list test * place)) :=
  match o with
  | None => None
  | Some (us, None) => Some (us, None)
  | Some (us, Some (ts, s)) => Some (us, if enters m s then Some (ts, (s, (m, c))) else None)
  end.
Definition hop_ordinal : N := 4294967295.
Definition hops (s : state) (m : bool) : bool :=
  negb m && must_stay && has_start && is_met (a_start claim) s && is_met (a_stay claim) s.
Definition hop_of (s : state) (m : bool) (c : count) : list (N * move place) :=
  match c with
  | At k => if hops s m then [(hop_ordinal, Move _ [] (Some ([], Some ([], (s, (true, Hop k))))))] else []
  | _ => []
  end.
Definition place_moves (t : list (list (list edge))) (p : place) : list (N * move place) :=
  let '(s, (m, c)) := p in
  map (fun x => (fst x, Move place (m_tests _ (snd x)) (out_of m c (m_out _ (snd x))))) (net_moves n t s) ++ hop_of s m c.

(* Time does not pass for ever. *)
Definition time_ends (s : state) : bool :=
  negb (net_can_delay n s) ||
  match net_inv n s with None => true | Some ts => existsb (fun t => is_upper t && (t_bound t <? INF)) ts end.
(* What no node may stand for; without `also_dead` deadlocks are left out. *)
Definition place_goal (also_dead : bool) (t : list (list (list edge))) (p : place) : option (list (list test)) :=
  let '(s, (m, _)) := p in
  if errs_somewhere s then None
  else if must_stay && m then (if time_ends s then (if also_dead then dead n t s else Some []) else None)
  else Some [].

(* What is read from a file: the number of a covering node stands beside it. *)
Record untimed := Numbers {
  d_missing : N -> N;
  d_groups : N; d_group_at : N -> (state * (bool * N)) * (N * N); d_group_of : N -> N; d_frame_at : N -> frame;
  d_zone_at : N -> N * dbm; d_hints_at : N -> list (N * (N * N)); d_start_hints : list (N * (N * N)) }.
Definition place_at (c : untimed) (g : N) : place * (N * N) :=
  let '((s, (m, k)), ab) := d_group_at c g in ((s, (m, At k)), ab).
End Endless.

Definition places_check (n : net) (claim : asks) (also_dead : bool) (c : untimed) : bool :=
  let t := table n in
  forallb (starts_well n) (net_initial n) &&
  check place place_eqb (place_initial n claim) (place_inv n claim) (place_delay n) (place_moves n claim t)
        (place_goal n claim also_dead t) (Some 6%nat) (fun _ _ => true) N (numbered n claim (d_missing c)) (fun _ x => x)
        (d_groups c) (place_at c) (d_group_of c) (d_frame_at c) (d_zone_at c) (d_hints_at c) (d_start_hints c).
(* A start without a condition to stay in is asked by no query. *)
Definition accepts_untimed (n : net) (claim : asks) (c : untimed) : bool :=
  forms_well n && begins n && unrated n && (must_stay claim || negb (has_start claim)) && places_check n claim true c.

(* ---- Correctness ---- *)

Section Correct.
Variable n : net.
Variable claim : asks.
Variable c : untimed.
Hypothesis accepted : places_check n claim true c = true.
Hypothesis all_run : unrated n = true.
Hypothesis well_asked : must_stay claim || negb (has_start claim) = true.

Let checked := check place place_eqb (place_initial n claim) (place_inv n claim) (place_delay n) (place_moves n claim (table n))
        (place_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true) N (numbered n claim (d_missing c)) (fun _ x => x)
        (d_groups c) (place_at c) (d_group_of c) (d_frame_at c) (d_zone_at c) (d_hints_at c) (d_start_hints c).
Let inside_place := inside place (place_inv n claim) (place_delay n) (d_groups c) (place_at c) (d_frame_at c) (d_zone_at c).
Let found := is_covered place N (numbered n claim (d_missing c)) (fun _ x => x) (d_groups c) (place_at c) (d_frame_at c) (d_zone_at c).

Lemma is_checked : checked = true.
Proof. pose proof accepted as H. unfold places_check in H. apply andb_prop in H. apply H. Qed.

(* The run is here, in a node with this mode and number. *)
Definition is_at (s : state) (m : bool) (k : N) (v : valuation) : Prop :=
  inside_place (s, (m, At k)) v /\ holds n s v (invariant n s).

Lemma inv_place s m d v : holds n s v (invariant n s) -> enters n claim m s = true -> inv_holds place (place_inv n claim) (s, (m, d)) v.
Proof.
  intros H E. destruct (holds_inv n s v H) as (ts & I & A). exists ts. split; [|trivial]. cbn [place_inv]. rewrite E. exact I.
Qed.

Lemma found_at s m d v : found (s, (m, d)) v -> nonneg v -> holds n s v (invariant n s) -> enters n claim m s = true ->
  exists k, allowed n claim (d_missing c) d m s k = true /\ is_at s m k v.
Proof.
  intros F N H E.
  destruct (covered_inside place (place_inv n claim) (place_delay n) _ _ _ _ _ _ _ _ _ F N) as (k & p & R & K).
  cbn [numbered] in R. destruct (allowed n claim (d_missing c) d m s k) eqn:A; [|discriminate]. injection R as <-.
  exists k. split; [trivial|]. split; [|trivial]. apply K; [reflexivity|]. apply inv_place; trivial.
Qed.

Lemma start_at s v : starts n s -> zero v -> holds n s v (invariant n s) -> enters n claim (first_mode claim) s = true ->
  exists k, is_at s (first_mode claim) k v.
Proof.
  intros S Z H E. destruct (found_at s (first_mode claim) Start v) as (k & _ & A); trivial; [|intro x; rewrite (Z x); lra|exists k; trivial].
  apply (initial_covered place place_eqb place_eqb_eq (place_initial n claim) (place_inv n claim) (place_delay n)
           (place_moves n claim (table n)) (place_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true) _ _ _ _ _ _ _ _ _ _ is_checked); trivial.
  - unfold place_initial. apply (in_map (fun s => (s, (first_mode claim, Start)))). apply starts_in. trivial.
  - apply inv_place; trivial.
Qed.

Lemma same_at s m k v v' : same v' v -> is_at s m k v -> is_at s m k v'.
Proof.
  intros S [I H]. split; [eapply inside_same; eauto|]. eapply holds_same; [|exact H]. intro x. symmetry. apply S.
Qed.

Lemma wait_at s m k v d v' : is_at s m k v -> passes n s v d -> same v' (after (stopped n s) d v) -> is_at s m k v'.
Proof.
  intros I (P & W & H) S.
  assert (H' : holds n s v' (invariant n s)).
  { apply holds_same with (after (stopped n s) d v); [intro x; symmetry; apply S|]. apply H; lra. }
  destruct W as [Z|W].
  - apply same_at with v; [|trivial]. intro x. rewrite (S x). unfold after. destruct (existsb _ _); lra.
  - split; [|trivial]. destruct I as [I _]. pose proof I as (_ & (ts & E & _) & _).
    assert (Dl : place_delay n (s, (m, At k)) = Some (stopped n s)) by (apply may_wait_delay; exact W).
    eapply delay_inside; [exact I|exact Dl|exact P|exact S|].
    cbn [place_inv] in E. destruct (enters n claim m s) eqn:En; [|discriminate]. apply inv_place; trivial.
Qed.

Lemma hop_at s k v : is_at s false k v -> hops n claim s false = true -> exists k', is_at s true k' v.
Proof.
  intros [I H] Y.
  assert (In1 : In (hop_ordinal, Move place [] (Some ([], Some ([], (s, (true, Hop k)))))) (place_moves n claim (table n) (s, (false, At k)))).
  { cbn [place_moves hop_of]. rewrite Y. apply in_or_app. right. left. trivial. }
  destruct (inside_move place place_eqb place_eqb_eq (place_initial n claim) (place_inv n claim) (place_delay n)
           (place_moves n claim (table n)) (place_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true) _ _ _ _ _ _ _ _ _ _ is_checked _ _ _ _ I In1)
    as (us & target & O & _ & Co); [intros t []|].
  injection O as <- <-. specialize (Co _ _ eq_refl ltac:(intros t [])).
  destruct (found_at s true (Hop k) v Co) as (k' & _ & A); [apply I|trivial| |exists k'; trivial].
  unfold hops in Y. apply andb_prop in Y. unfold enters. apply Y.
Qed.

Lemma go_at s m k v s' v' : is_at s m k v -> takes n s v s' v' -> enters n claim m s' = true ->
  exists k', allowed n claim (d_missing c) (At k) m s' k' = true /\ is_at s' m k' v'.
Proof.
  intros [I H] (es & us & J & G & Ro & F & Nn & S & H') En.
  destruct (judge_holds n _ _ _ G) as (ts & E & A). pose proof H' as H1. apply (holds_same n _ _ _ _ S) in H1.
  destruct (invariants_hold n _ _ H1) as (ts' & E' & A').
  destruct (moves_in n s v es ts (Some (us, Some (map (back (origins_of us)) ts', s'))) (proj1 I) (holds_inv n s v H) J (not_false_holds n _ _ _ G) Ro) as (j & mv & K & Tm & Om).
  { unfold result. rewrite E, F, E'. trivial. }
  { exact A. }
  assert (K' : In (j, Move place (m_tests _ mv) (Some (us, Some (map (back (origins_of us)) ts', (s', (m, At k))))))
                  (place_moves n claim (table n) (s, (m, At k)))).
  { cbn [place_moves]. apply in_or_app. left.
    apply (in_map (fun x => (fst x, Move place (m_tests _ (snd x)) (out_of n claim m (At k) (m_out _ (snd x)))))) in K.
    cbn [fst snd m_tests m_out out_of] in K. rewrite Om in K. cbn [out_of] in K. rewrite En in K. exact K. }
  destruct (inside_move place place_eqb place_eqb_eq (place_initial n claim) (place_inv n claim) (place_delay n)
           (place_moves n claim (table n)) (place_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true) _ _ _ _ _ _ _ _ _ _ is_checked _ _ _ _ I K' Tm)
    as (us2 & target & O & NN & Co).
  injection O as <- <-. specialize (Co _ _ eq_refl (all_hold_back _ _ _ A')).
  apply (is_covered_same _ _ _ _ _ _ _ _ _ _ _ S) in Co.
  apply (found_at s' m (At k) v' Co); trivial. intro x. rewrite (S x). apply nonneg_set; [apply I|trivial].
Qed.

Lemma good_at s m k v : is_at s m k v -> ~ meets_goal place (place_goal n claim true (table n)) (s, (m, At k)) v.
Proof.
  intros [I _]. eapply (inside_good place place_eqb place_eqb_eq (place_initial n claim) (place_inv n claim) (place_delay n)
           (place_moves n claim (table n)) (place_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true)); [exact is_checked|exact I].
Qed.

(* ---- Runs ---- *)

Lemma reachable_at s v : first_mode claim = false -> reachable n s v -> exists k, is_at s false k v.
Proof.
  intros M. induction 1 as [s v S Z H|s v d v' R IH P S|s v s' v' R IH T].
  - rewrite <- M. apply start_at; trivial. rewrite M. trivial.
  - destruct IH as (k & I). exists k. apply (wait_at s false k v d v'); trivial.
  - destruct IH as (k & I). destruct (go_at s false k v s' v') as (k' & _ & A); [trivial|trivial|trivial|exists k'; trivial].
Qed.

Lemma stays_enters m s v : stays claim (may_be n) s v -> enters n claim m s = true.
Proof.
  unfold stays, enters. intro M. destruct (a_stay claim) as [f|]; [|apply orb_true_r].
  rewrite (is_met_means n f s v M). apply orb_true_r.
Qed.
Lemma waits_enters m s v d : waits n claim (may_be n) s v d -> enters n claim m s = true.
Proof. intros ((P & _) & W). apply (stays_enters m s (after (stopped n s) 0 v)). apply W; lra. Qed.

(* A run of which something is asked begins in the mode in which that is to hold. *)
Lemma origin_at s v : origin n claim (may_be n) s v -> enters n claim true s = true -> exists k, is_at s (must_stay claim) k v.
Proof.
  unfold origin. intros O E. pose proof well_asked as W. destruct (a_start claim) as [f|] eqn:A.
  - assert (HS : has_start claim = true) by (unfold has_start; rewrite A; trivial).
    rewrite HS in W. destruct (must_stay claim) eqn:MS; [|discriminate]. destruct O as [R M].
    destruct (reachable_at s v) as (k & I); [unfold first_mode; rewrite MS, HS; trivial|trivial|].
    apply (hop_at s k v I). unfold hops. rewrite MS, HS, A, (is_met_means n f s v M). exact E.
  - assert (HS : has_start claim = false) by (unfold has_start; rewrite A; trivial).
    assert (FM : first_mode claim = must_stay claim) by (unfold first_mode; rewrite HS; apply andb_true_r).
    rewrite <- FM. destruct O as (S & Z & H). apply start_at; trivial. rewrite FM.
    destruct (must_stay claim); [exact E|reflexivity].
Qed.

Section Infinite.
Variables (s : nat -> state) (v : nat -> valuation) (d : nat -> Q).
Hypothesis on : goes_on n claim (may_be n) s v d.

Lemma next_at i k : is_at (s i) (must_stay claim) k (v i) -> exists k', is_at (s (S i)) (must_stay claim) k' (v (S i)) /\
  ((k' < k)%N \/ k' = k /\ exists f, In f (a_again claim) /\ d_missing c k <> 0%N /\
     nth_error (a_again claim) (N.to_nat (d_missing c k - 1)) = Some f /\ is_out n (s (S i)) f = true).
Proof.
  intro I. destruct on as [G _]. destruct (G i) as [[P _] Go]. destruct (G (S i)) as [W' _].
  pose proof (wait_at _ _ _ _ _ (after (stopped n (s i)) (d i) (v i)) I P ltac:(intro x; reflexivity)) as I1.
  destruct (go_at _ _ _ _ _ _ I1 Go (waits_enters _ _ _ _ W')) as (k' & A & I2). exists k'. split; [trivial|].
  cbn [allowed] in A. apply orb_prop in A. destruct A as [A|A]; [left; apply N.ltb_lt; trivial|right].
  apply andb_prop in A. destruct A as [E L]. apply N.eqb_eq in E. split; [trivial|]. unfold lacks in L.
  destruct (d_missing c k) as [|l] eqn:Mi; [destruct (must_stay claim); discriminate|].
  destruct (nth_error (a_again claim) (N.to_nat (N.pos l - 1))) as [f|] eqn:Nt; [|discriminate].
  exists f. split; [eapply nth_error_In; eauto|]. split; [discriminate|]. auto.
Qed.

Lemma never_again k : forall i, is_at (s i) (must_stay claim) k (v i) -> False.
Proof.
  induction k as [k IH] using (well_founded_induction N.lt_wf_0). intros i I.
  destruct (next_at i k I) as (k1 & I1 & [L|(-> & f & F & Nz & Nt & O)]); [exact (IH _ L _ I1)|].
  destruct on as [_ Ag]. destruct (Ag f F (S i)) as (j & e & Le & _ & _ & M).
  assert (X : forall gap i, is_at (s i) (must_stay claim) k (v i) -> j = (S i + gap)%nat -> False).
  { induction gap as [|gap IHg]; intros i' I' E.
    - destruct (next_at i' k I') as (k2 & I2 & [L|(-> & f' & _ & _ & Nt' & O')]); [exact (IH _ L _ I2)|].
      rewrite Nt in Nt'. injection Nt' as <-. rewrite Nat.add_0_r in E. subst j. apply M, is_out_means, O'.
    - destruct (next_at i' k I') as (k2 & I2 & [L|(-> & _)]); [exact (IH _ L _ I2)|]. apply (IHg (S i') I2). lia. }
  apply (X (j - S i)%nat i I). lia.
Qed.
End Infinite.

Lemma never_ends s v : must_stay claim = true -> ends n claim (may_be n) s v -> forall k, is_at s true k v -> False.
Proof.
  intros MS E. induction E as [s v W|s v d W D _|s v d s' v' W G E IH]; intros k I.
  - pose proof (good_at _ _ _ _ I) as Gd. unfold meets_goal in Gd. cbn [place_goal] in Gd. rewrite MS in Gd. cbn [andb] in Gd.
    destruct (errs_somewhere n claim s); [tauto|]. destruct (time_ends n s) eqn:T; [clear Gd|tauto].
    assert (MW : may_wait n s). { destruct (W 1%Q ltac:(lra)) as [(_ & [Z|M] & _) _]; [lra|trivial]. }
    unfold time_ends in T. rewrite (may_wait_b n s MW) in T. cbn [negb orb] in T. unfold net_inv in T.
    destruct I as ((N & _) & H). destruct (invariants_hold n s v H) as (ts & J & _). rewrite J in T.
    apply existsb_exists in T. destruct T as (t & It & T). apply andb_prop in T. destruct T as [U B]. apply Z.ltb_lt in B.
    assert (K : forall d, (0 <= d)%Q -> high_ok v t d).
    { intros d P. destruct (W d P) as [(_ & _ & Hd) _]. rewrite unrated_stopped in Hd by exact all_run. destruct (invariants_hold n s (delayed d v) (Hd d P ltac:(lra))) as (ts' & J' & A).
      rewrite J in J'. injection J' as <-. apply upper_meets; [trivial|]. apply A. trivial. }
    pose proof (nonneg_val v (t_i t) N) as V. unfold high_ok, sat in K.
    destruct (Qlt_le_dec (half (t_bound t)) 0) as [L|L].
    + destruct (K 0%Q ltac:(lra)) as [X|X]; [lia|]. destruct (Z.odd (t_bound t)); lra.
    + destruct (K (half (t_bound t) + 1)%Q ltac:(lra)) as [X|X]; [lia|]. destruct (Z.odd (t_bound t)); lra.
  - destruct W as [P _]. pose proof (wait_at _ _ _ _ _ (after (stopped n s) d v) I P ltac:(intro x; reflexivity)) as I1.
    pose proof (good_at _ _ _ _ I1) as Gd. unfold meets_goal in Gd. cbn [place_goal] in Gd. rewrite MS in Gd. cbn [andb] in Gd.
    destruct (errs_somewhere n claim s); [tauto|]. destruct (time_ends n s); [|tauto].
    apply D. destruct I1 as ((N & _) & H). apply (dead_sound n all_run); trivial.
  - destruct W as [P W]. pose proof (wait_at _ _ _ _ _ (after (stopped n s) d v) I P ltac:(intro x; reflexivity)) as I1.
    assert (En : enters n claim true s' = true).
    { inversion E as [a b Wi|a b d' Wi|a b d' s2 v2 Wi]; subst.
      - apply (waits_enters true s' v' 0). apply Wi. lra.
      - apply (waits_enters true s' v' d'). trivial.
      - apply (waits_enters true s' v' d'). trivial. }
    destruct (go_at _ _ _ _ _ _ I1 G En) as (k' & _ & I2). exact (IH k' I2).
Qed.

Lemma visited_at s v : visited n claim (may_be n) s v -> exists k, is_at s (must_stay claim) k v.
Proof.
  induction 1 as [s v O M|s v d v' V (k & I) [P _] S|s v s' v' V (k & I) T M].
  - apply origin_at; [trivial|]. eapply stays_enters; eauto.
  - exists k. eapply wait_at; eauto.
  - destruct (go_at _ _ _ _ _ _ I T (stays_enters _ _ _ M)) as (k' & _ & I'). exists k'. exact I'.
Qed.
Lemma visited_fails s v : visited n claim (may_be n) s v -> ~ step_fails n s v.
Proof.
  intros V F. destruct (visited_at s v V) as (k & I & H). apply fails_in in F; [|apply I|apply holds_inv; trivial]. destruct F as (j & m & J & A & O).
  apply (inside_good place place_eqb place_eqb_eq (place_initial n claim) (place_inv n claim) (place_delay n)
           (place_moves n claim (table n)) (place_goal n claim true (table n)) (Some 6%nat) (fun _ _ => true) _ _ _ _ _ _ _ _ _ _ is_checked _ _ I).
  exists j, (Move place (m_tests _ m) (out_of n claim (must_stay claim) (At k) (m_out _ m))).
  split; [|split; [exact A|]].
  - cbn [place_moves]. apply in_or_app. left.
    exact (in_map (fun x => (fst x, Move place (m_tests _ (snd x)) (out_of n claim (must_stay claim) (At k) (m_out _ (snd x))))) _ _ J).
  - cbn [m_out]. destruct (m_out state m) as [[us [[ts s']|]]|]; simpl; trivial.
Qed.

Lemma no_run : ~ run_exists n claim (may_be n).
Proof.
  intros [(s & v & d & O & G)|(s & v & St & O & E)].
  - destruct (origin_at (s 0%nat) (v 0%nat) O) as (k & I).
    { destruct G as [G _]. destruct (G 0%nat) as [W _]. eapply waits_enters; eauto. }
    exact (never_again s v d G k 0%nat I).
  - assert (MS : must_stay claim = true) by (unfold must_stay; destruct (a_stay claim); [trivial|congruence]).
    assert (En : enters n claim true s = true).
    { inversion E as [a b Wi|a b d' Wi|a b d' s2 v2 Wi]; subst.
      - apply (waits_enters true s v 0). apply Wi. lra.
      - apply (waits_enters true s v d'). trivial.
      - apply (waits_enters true s v d'). trivial. }
    destruct (origin_at s v O En) as (k & I). rewrite MS in I. exact (never_ends s v MS E k I).
Qed.
End Correct.

Theorem accepts_untimed_correct n claim c : accepts_untimed n claim c = true ->
  well_formed n /\ (exists s v, reachable n s v) /\ ~ start_fails n /\
  (forall s v, visited n claim (may_be n) s v -> ~ step_fails n s v) /\ ~ run_exists n claim (may_be n).
Proof.
  unfold accepts_untimed. intro H. apply andb_prop in H. destruct H as [H A]. apply andb_prop in H. destruct H as [H W].
  apply andb_prop in H. destruct H as [H U]. apply andb_prop in H. destruct H as [F B]. split; [apply forms_well_sound, F|]. split; [apply begins_sound, B|].
  split; [|split; [intros s v; apply (visited_fails n claim c); trivial|apply (no_run n claim c); trivial]].
  unfold places_check in A. apply andb_prop in A. destruct A as [A _].
  intros (s & S & E). rewrite forallb_forall in A. specialize (A _ (starts_in _ _ S)).
  unfold starts_well in A. destruct (invariants_fail _ _ E) as (ts & J). rewrite J in A. discriminate.
Qed.
