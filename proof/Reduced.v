(* Reduced sets of partial order: a node where time stands still may leave out the transitions in which no process of
   a set takes part. *)
From Coq Require Import List ZArith NArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones Simulation Checker Renaming Network Footprint Commute Ranges.
Import ListNotations.
Open Scope Z_scope.

Definition mem (k : nat) (l : list nat) : bool := existsb (Nat.eqb k) l.
Lemma mem_in k l : mem k l = true <-> In k l.
Proof.
  unfold mem. rewrite existsb_exists. split; [intros (x & I & E); apply Nat.eqb_eq in E; subst; trivial|].
  intro I. exists k. split; [trivial|apply Nat.eqb_refl].
Qed.
Lemma mem_not k l : mem k l = false <-> ~ In k l.
Proof. rewrite <- mem_in. destruct (mem k l); split; intro H; congruence. Qed.
Definition disjoint (a b : list nat) : bool := forallb (fun k => negb (mem k b)) a.
Lemma disjoint_clean a b : disjoint a b = true -> clean (fun k => In k b) a.
Proof. intros H k I J. unfold disjoint in H. rewrite forallb_forall in H. specialize (H k I). apply mem_in in J. rewrite J in H. discriminate. Qed.

Section Network.
Variable n : net.

Definition all_edges : list edge := flat_map (flat_map l_out) (n_processes n).
Definition bad_sets : list nat := flat_map (fun e => sb (e_update e)) all_edges.
Definition out_at (p l : nat) : list edge :=
  match nth_error (n_processes n) p with None => [] | Some ls => match nth_error ls l with None => [] | Some x => l_out x end end.
Definition inv_at (p l : nat) : list atom :=
  match nth_error (n_processes n) p with None => [] | Some ls => match nth_error ls l with None => [] | Some x => l_invariant x end end.

(* ---- What cannot fail at run time (Ranges.v) ---- *)

(* Invariants whatever the variables are: an update that may fail comes before them. *)
Definition safe : bool :=
  let t := ranges n in let u := declared n in
  forallb (fun e => forallb (sure n t) (e_guard e)) all_edges &&
  forallb (forallb (fun l => forallb (sure n u) (l_invariant l))) (n_processes n).
Definition strong_part (q : part) : bool := match p_kind q with Strong => true | _ => false end.
(* What the rules below are for. *)
Definition reducible : bool :=
  unrated n && is_nil (n_before n) && is_nil (n_after n) && negb (has_ranks n) && safe &&
  forallb (forallb strong_part) (n_syncs n) && forallb pedge all_edges &&
  forallb (forallb (fun l => forallb pa (l_invariant l))) (n_processes n).

(* Of a state: its variables are in the intervals that the rules count on. *)
Definition in_ranges : state -> bool :=
  let can_reduce := reducible in let t := ranges n in let u := declared n in
  fun s => can_reduce && bounded_b t (vars s) && bounded_b u (vars s).

(* ---- What a process can do in zero time ---- *)

(* An edge that asks a clock to be more than 0; which clock, how, and of what. *)
Definition lower (a : atom) : option (nat * cmp * Z) :=
  match a with
  | AClock (Clock y) (Clock O) o (EConst g) =>
    match o with
    | Ge => if 0 <? g then Some (y, o, g) else None
    | Eq => if 0 <? g then Some (y, Ge, g) else None
    | Gt => if 0 <=? g then Some (y, o, g) else None
    | _ => None
    end
  | _ => None
  end.
Definition lowers (e : edge) : list (nat * cmp * Z) := flat_map (fun a => match lower a with None => [] | Some x => [x] end) (e_guard e).
Definition blocks (zs : list nat) (e : edge) : bool := existsb (fun x => mem (fst (fst x)) zs) (lowers e).
Definition zeros (bad : list nat) (e : edge) : list nat := filter (fun y => negb (mem y bad)) (sm (e_update e)).

Definition subset (a b : list nat) : bool := forallb (fun k => mem k b) a.
Definition covers_pair (seen : list (nat * list nat)) (l : nat) (z : list nat) : bool :=
  existsb (fun x => Nat.eqb (fst x) l && subset (snd x) z) seen.
Fixpoint wander (k : nat) (bad : list nat) (p : nat) (todo seen : list (nat * list nat)) : list (nat * list nat) :=
  match k, todo with
  | S k, (l, z) :: todo =>
    if covers_pair seen l z then wander k bad p todo seen
    else wander k bad p (map (fun e => (e_target e, nodup Nat.eq_dec (z ++ zeros bad e))) (filter (fun e => negb (blocks z e)) (out_at p l)) ++ todo) ((l, z) :: seen)
  | _, _ => seen
  end.
Definition closed (bad : list nat) (p : nat) (seen : list (nat * list nat)) : bool :=
  forallb (fun x => forallb (fun y => negb (mem y bad)) (snd x) &&
                    forallb (fun e => blocks (snd x) e || covers_pair seen (e_target e) (snd x ++ zeros bad e)) (out_at p (fst x))) seen.

Record info := Info { i_edge : edge; i_reach : list (nat * list nat); i_edges : list edge;
                      i_reads : list nat; i_writes : list nat; i_creads : list nat; i_csets : list nat; i_events : list nat;
                      i_quiet : bool (* none of their updates can fail *) }.
Definition info_of (t : list interval) (bad : list nat) (p : nat) (e : edge) : option info :=
  let seen := wander 500 bad p [(e_target e, zeros bad e)] [] in
  if closed bad p seen && covers_pair seen (e_target e) (zeros bad e) then
    let es := e :: flat_map (fun x => filter (fun e => negb (blocks (snd x) e)) (out_at p (fst x))) seen in
    let invs := flat_map (fun x => inv_at p (fst x)) seen in
    Some (Info e seen es
      (nodup Nat.eq_dec (flat_map eR es ++ flat_map ar invs)) (nodup Nat.eq_dec (flat_map eW es))
      (nodup Nat.eq_dec (flat_map eC es ++ flat_map ac invs)) (nodup Nat.eq_dec (flat_map eX es))
      (nodup Nat.eq_dec (map e_event es))
      (forallb (edge_sure n t) es))
  else None.
Fixpoint infos_from (t : list interval) (bad : list nat) (p : nat) (pss : list (list location)) : list (list (list (option info))) :=
  match pss with
  | [] => []
  | ls :: pss => map (fun l => map (info_of t bad p) (l_out l)) ls :: infos_from t bad (S p) pss
  end.
Definition infos : list (list (list (option info))) := infos_from (ranges n) bad_sets 0 (n_processes n).
Definition infos_at (tb : list (list (list (option info)))) (s : state) (p : nat) : list (option info) :=
  match nth_error tb p, nth_error (locs s) p with
  | Some ls, Some l => match nth_error ls l with None => [] | Some x => x end
  | _, _ => []
  end.

(* ---- The rules ---- *)

(* The invariant of the process says that the clock is at most c. *)
Definition top_atom (s : state) (x : nat) (a : atom) : option Z :=
  match ask n s a with Asks i O Le c => if (i =? x)%nat && negb (i =? 0)%nat && small c then Some c else None | _ => None end.
Fixpoint find_top (s : state) (x : nat) (g : list atom) : option (atom * Z) :=
  match g with [] => None | a :: g => match top_atom s x a with Some c => Some (a, c) | None => find_top s x g end end.
Definition top_of (s : state) (cl : claim) : option (nat * (atom * Z)) :=
  match cl_top cl with
  | None => None
  | Some (p, x) => match find_top s x (invariant_of n s p) with None => None | Some t => Some (x, t) end
  end.
Definition at_top (s : state) (cl : claim) : list test :=
  match top_of s cl with None => [] | Some (x, (_, c)) => tests x 0 Ge c end.

Record deeds := Deeds { d_reads : list nat; d_writes : list nat; d_creads : list nat; d_csets : list nat; d_offers : list (nat * nat) }.
Section Rules.
Variable bad : list nat.
Variable tb : list (list (list (option info))).
Variable s : state.
Variable cl : claim.
Variable misses : list test -> bool.

Definition is_in (p : nat) : bool := mem p (cl_in cl).
Definition miss (ts : list test) : bool := misses (at_top s cl ++ ts).
Definition never (e : edge) : bool :=
  existsb (fun x => let '(y, o, g) := x in negb (mem y bad) && miss (tests y 0 o g)) (lowers e).
Definition refuted_guard (e : edge) : bool := match judge n s (e_guard e) with None => true | Some (_, ts) => miss ts end.
Definition guard_kept (w x : list nat) (e : edge) : bool := disjoint (flat_map ar (e_guard e)) w && disjoint (flat_map ac (e_guard e)) x.
Definition dead (w x : list nat) (e : edge) : bool := guard_kept w x e && refuted_guard e || never e.
Definition pair_in (p ev : nat) (l : list (nat * nat)) : bool := existsb (fun q => Nat.eqb (fst q) p && Nat.eqb (snd q) ev) l.
Definition outsiders : list nat := filter (fun p => negb (is_in p)) (processes n).
Definition candidates : list (option info) := flat_map (infos_at tb s) outsiders.
Definition known : list info := flat_map (fun i => match i with None => [] | Some i => [i] end) candidates.
Definition sum_up (can : list info) : deeds :=
  let w := flat_map i_writes can in let x := flat_map i_csets can in
  Deeds (flat_map i_reads can) w (flat_map i_creads can) x
    (flat_map (fun i => map (fun ev => (e_process (i_edge i), ev)) (i_events i)) can ++
     flat_map (fun i => if dead w x (i_edge i) then [] else [(e_process (i_edge i), e_event (i_edge i))]) known).
Definition offered (d : deeds) (p ev : nat) : bool :=
  if is_in p then existsb (fun e => Nat.eqb (e_event e) ev && negb (dead (d_writes d) (d_csets d) e)) (out_edges n s p)
  else pair_in p ev (d_offers d).
Definition takes_part (e : edge) (ps : list part) : bool :=
  existsb (fun q => Nat.eqb (p_process q) (e_process e) && Nat.eqb (p_event q) (e_event e)) ps.
Definition all_offered (d : deeds) (e : edge) (ps : list part) : bool :=
  forallb (fun q => Nat.eqb (p_process q) (e_process e) || offered d (p_process q) (p_event q)) ps.
(* Of an edge of another process: it cannot be taken without P. *)
Definition lonely (d : deeds) (e : edge) : bool :=
  shared_b n (e_process e) (e_event e) &&
  forallb (fun ps => negb (takes_part e ps) || existsb (fun q => is_in (p_process q)) ps || negb (all_offered d e ps)) (n_syncs n).
Definition live (d : deeds) (i : info) : bool :=
  negb (dead (d_writes d) (d_csets d) (i_edge i)) && negb (lonely d (i_edge i)).
Fixpoint iterate (k : nat) (d : deeds) : deeds := match k with O => d | S k => iterate k (sum_up (filter (live d) known)) end.

(* Of an edge of P. *)
Definition alone_here (d : deeds) (e : edge) : bool :=
  shared_b n (e_process e) (e_event e) &&
  forallb (fun ps => negb (takes_part e ps) || negb (all_offered d e ps)) (n_syncs n).
Definition loc_at (p : nat) : nat := nth p (locs s) 0%nat.
Definition target_of (e : edge) : option location :=
  match nth_error (n_processes n) (e_process e) with None => None | Some ls => nth_error ls (e_target e) end.
Definition good_edge (d : deeds) (e : edge) : bool :=
  disjoint (eR e) (d_writes d) && disjoint (eC e) (d_csets d) &&
  disjoint (eW e) (d_writes d) && disjoint (eX e) (d_csets d) &&
  disjoint (eW e) (d_reads d) && disjoint (eX e) (d_creads d) &&
  match target_of e with
  | None => false
  | Some l => disjoint (flat_map ar (l_invariant l)) (d_writes d) && disjoint (flat_map ac (l_invariant l)) (d_csets d) &&
              (negb (l_committed l) || some_committed n s)
  end &&
  (is_nil (eW e) && is_nil (eX e) ||
   forallb (fun p => Nat.eqb p (e_process e) ||
                     disjoint (flat_map ar (invariant_of n s p)) (eW e) && disjoint (flat_map ac (invariant_of n s p)) (eX e)) (processes n)) &&
  forallb (fun ps => negb (takes_part e ps) || negb (all_offered d e ps) || forallb (fun q => is_in (p_process q)) ps) (n_syncs n).
Definition edge_ok (d : deeds) (e : edge) : bool := dead (d_writes d) (d_csets d) e || alone_here d e || good_edge d e.

(* The goal stays false. *)
Definition surely (b : bool) (f : formula) : bool := match clauses n (negb b) s f with None => false | Some cs => forallb miss cs end.
Definition atom_kept (d : deeds) (b : bool) (can : list info) (a : atom) : bool :=
  pa a && disjoint (ar a) (d_writes d) && disjoint (ac a) (d_csets d) ||
  match a with
  | AInt (EAt p l) => is_in p || negb b && (p <? length (n_processes n))%nat && forallb (fun i => negb (Nat.eqb (e_process (i_edge i)) p) || forallb (fun x => negb (Nat.eqb (fst x) l)) (i_reach i)) can
  | _ => false
  end.
Fixpoint keeps (d : deeds) (can : list info) (b : bool) (f : formula) : bool :=
  match f with
  | FAtom a => atom_kept d b can a
  | FNot f => keeps d can (negb b) f
  | FAnd f g =>
    if b then keeps d can b f && keeps d can b g
    else keeps d can b f && keeps d can b g || surely b f && keeps d can b f || surely b g && keeps d can b g
  | FOr f g =>
    if b then keeps d can b f && keeps d can b g || surely b f && keeps d can b f || surely b g && keeps d can b g
    else keeps d can b f && keeps d can b g
  end.

Definition stands_still (d : deeds) : bool :=
  match cl_top cl with
  | None => existsb (fun p => match location_of n s p with None => false | Some l => l_committed l || l_urgent l end) (cl_in cl)
  | Some (p, _) =>
    is_in p &&
    match top_of s cl with
    | None => false
    | Some (x, (a, _)) => disjoint (ar a) (d_writes d) && negb (mem x (d_csets d))
    end
  end &&
  (negb (some_committed n s) || existsb (committed_b n s) (cl_in cl)).

(* `last` is about what is asked for. *)
Definition stubborn (last : deeds -> list info -> bool) : bool :=
  forallb (fun p => (p <? length (n_processes n))%nat) (cl_in cl) &&
  (length (vars s) =? length (n_variables n))%nat &&
  forallb (fun i : option info => match i with None => false | Some _ => true end) candidates &&
  (let d0 := iterate 4 (Deeds [] [] [] [] []) in
   let can := filter (live d0) known in
   let d := sum_up can in
   forallb i_quiet can &&
   forallb (fun i => live d0 i || negb (live d i)) known &&
   stands_still d &&
   forallb (fun p => forallb (edge_ok d) (out_edges n s p)) (cl_in cl) &&
   last d can).
End Rules.

(* ---- What is checked: states with the number of a group, which may have a claim ---- *)

Definition place := (state * N)%type.
Definition place_eqb (a b : place) : bool := state_eqb (fst a) (fst b) && N.eqb (snd a) (snd b).
Definition verdict (cl : claim) (s : state) (es : list edge) : option (list test) :=
  if existsb (fun e => mem (e_process e) (cl_in cl)) es then Some []
  else match cl_top cl with
       | None => None
       | Some _ => match top_of s cl with None => Some [] | Some (x, (_, c)) => Some (tests x 0 Lt c) end
       end.
Fixpoint sift (cl : claim) (k : N) (s : state) (l : list offer) : list (N * move state) :=
  match l with
  | [] => []
  | o :: l =>
    match verdict cl s (o_edges o) with
    | None => sift cl (N.succ k) s l
    | Some ts =>
      match move_of n s o with
      | None => sift cl (N.succ k) s l
      | Some m => (k, Move _ (ts ++ m_tests _ m) (m_out _ m)) :: sift cl (N.succ k) s l
      end
    end
  end.
Definition raised (m : move state) : move place :=
  Move place (m_tests _ m)
    (match m_out _ m with
     | None => None
     | Some (us, None) => Some (us, None)
     | Some (us, Some (ts, s)) => Some (us, Some (ts, (s, 0%N)))
     end).
Variable sets : N -> option claim.
Definition place_moves (t : list (list (list edge))) (p : place) : list (N * move place) :=
  map (fun x => (fst x, raised (snd x)))
    (match sets (snd p) with None => net_moves n t (fst p) | Some cl => sift cl 0 (fst p) (joints n t (fst p)) end).
Definition place_extra (bad : list nat) (tb : list (list (list (option info)))) (can_reduce : state -> bool)
    (last : state -> claim -> (list test -> bool) -> deeds -> list info -> bool) (p : place) (misses : list test -> bool) : bool :=
  match sets (snd p) with None => true | Some cl => can_reduce (fst p) && stubborn bad tb (fst p) cl misses (last (fst p) cl misses) end.
Definition place_named (called : names -> state -> option state) (a : names * N) (p : place) : option place :=
  match called (fst a) (fst p) with None => None | Some s => Some (s, snd a) end.
Definition placed_hints (c : certificate) (hs : list (N * (N * names))) : list (N * (N * (names * N))) :=
  map (fun h => (fst h, (fst (snd h), (snd (snd h), c_group_of c (fst (snd h)))))) hs.

(* Nodes may cover under other names. *)
Definition reduced_check_by (called : names -> state -> option state) (clock_of_name : names -> nat -> nat)
    (goal : state -> option (list (list test))) (many : option nat)
    (last : state -> claim -> (list test -> bool) -> deeds -> list info -> bool) (c : certificate) : bool :=
  let t := table n in
  let bad := bad_sets in
  let tb := infos in
  let can_reduce := in_ranges in
  forallb (starts_well n) (net_initial n) &&
  check place place_eqb (map (fun s => (s, 0%N)) (net_initial n)) (fun p => net_inv n (fst p)) (fun p => net_delay n (fst p))
        (place_moves t) (fun p => goal (fst p)) many (place_extra bad tb can_reduce last)
        (names * N) (place_named called) (fun a => clock_of_name (fst a))
        (c_groups c) (fun g => let (s, ab) := c_group_at c g in ((s, g), ab)) (c_group_of c) (c_frame_at c) (c_zone_at c)
        (fun k => placed_hints c (c_hints_at c k)) (placed_hints c (c_start_hints c)).
Definition reduced_check_for (goal : state -> option (list (list test))) (many : option nat)
    (last : state -> claim -> (list test -> bool) -> deeds -> list info -> bool) (q : formula) (c : certificate) : bool :=
  forallb (fun r => symmetry n r q) (c_renamings c) &&
  reduced_check_by (state_called (c_renamings c)) (clock_called (c_renamings c)) goal many last c.
Definition reduced_check (q : formula) (c : certificate) : bool :=
  reduced_check_for (fun s => clauses n true s q) None (fun s cl misses d can => keeps s cl misses d can false q) q c.
End Network.
