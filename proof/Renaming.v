(* Renamings: other names for processes, clocks, variables, values and events, under which a network
   is itself again. What a state can do, the renamed state can do, too.

   A search that is reduced by symmetry keeps one state of several that differ in names only. Its
   certificate comes with the renamings. `symmetry` checks one, and the theorems at the end say what
   that is good for. Nothing is said about what renamings do together: who uses two of them, one
   after the other, uses the theorems twice. *)
From Coq Require Import List Permutation ZArith QArith Lqa Lia Bool Arith.
From Tarn Require Import Spec Zones.
Import ListNotations.
Open Scope Z_scope.

(* ---- Networks in which all clocks run ---- *)

Definition unrated (n : net) : bool := forallb (forallb (fun l => match l_rates l with [] => true | _ => false end)) (n_processes n).
Lemma unrated_rated n s : unrated n = true -> rated n s = [].
Proof.
  unfold unrated, rated. intro H. rewrite forallb_forall in H. induction (processes n) as [|p ps IH]; [trivial|]. simpl. rewrite IH, app_nil_r.
  unfold location_of. destruct (nth_error (n_processes n) p) as [ls|] eqn:E; [|trivial]. destruct (nth_error (locs s) p) as [k|]; [|trivial].
  destruct (nth_error ls k) as [l|] eqn:K; [|trivial]. specialize (H _ (nth_error_In _ _ E)). rewrite forallb_forall in H.
  specialize (H _ (nth_error_In _ _ K)). destruct (l_rates l); [trivial|discriminate].
Qed.
Lemma unrated_stopped n s : unrated n = true -> stopped n s = [].
Proof. intro H. unfold stopped. rewrite unrated_rated by trivial. trivial. Qed.
Lemma unrated_fails n s : unrated n = true -> ~ rates_fail n s.
Proof. intros H [_ [(r & I & _)|(x & I & _)]]; rewrite unrated_rated in I by trivial; destruct I. Qed.

(* ---- Names ---- *)

(* Where numbers go, as a list; those beyond its end stay. *)
Definition goes (l : list nat) (k : nat) : nat := nth k l k.
Definition inverse (a b : list nat) : bool :=
  (length a =? length b)%nat &&
  forallb (fun k => (goes b (goes a k) =? k)%nat && (goes a (goes b k) =? k)%nat) (seq 0 (length a)).

Lemma goes_beyond l k : (length l <= k)%nat -> goes l k = k.
Proof. intro L. unfold goes. apply nth_overflow. trivial. Qed.
Lemma inverse_sound a b : inverse a b = true -> forall k, goes b (goes a k) = k /\ goes a (goes b k) = k.
Proof.
  unfold inverse. intros H k. apply andb_prop in H. destruct H as [E H]. apply Nat.eqb_eq in E.
  destruct (Nat.lt_ge_cases k (length a)) as [L|L].
  - rewrite forallb_forall in H. specialize (H k). rewrite in_seq in H. specialize (H ltac:(lia)).
    apply andb_prop in H. destruct H as [A B]. apply Nat.eqb_eq in A, B. auto.
  - rewrite (goes_beyond a k) by trivial. rewrite (goes_beyond b k) by lia. rewrite (goes_beyond a k) by trivial. auto.
Qed.
Lemma inverse_swap a b : inverse a b = true -> inverse b a = true.
Proof.
  unfold inverse. intro H. apply andb_prop in H. destruct H as [E H]. apply Nat.eqb_eq in E.
  rewrite E, Nat.eqb_refl, <- E. apply forallb_forall. intros k I. rewrite forallb_forall in H.
  specialize (H k I). rewrite andb_comm. trivial.
Qed.
Lemma inverse_below a b k : inverse a b = true -> (k < length a)%nat -> (goes a k < length a)%nat.
Proof.
  intros H L. destruct (Nat.lt_ge_cases (goes a k) (length a)) as [G|G]; [trivial|exfalso].
  pose proof (inverse_sound _ _ H (goes a k)) as [_ X]. pose proof (inverse_sound _ _ H k) as [Y _].
  unfold inverse in H. apply andb_prop in H. destruct H as [E _]. apply Nat.eqb_eq in E.
  rewrite goes_beyond in Y by lia. lia.
Qed.
Lemma inverse_injective a b x y : inverse a b = true -> goes a x = goes a y -> x = y.
Proof.
  intros H E. rewrite <- (proj1 (inverse_sound _ _ H x)), <- (proj1 (inverse_sound _ _ H y)), E. trivial.
Qed.

(* Values: pairs of a value and its new one; others stay. *)
Fixpoint swap (l : list (Z * Z)) (z : Z) : Z :=
  match l with [] => z | (a, b) :: l => if a =? z then b else swap l z end.
Fixpoint once (l : list Z) : bool :=
  match l with [] => true | z :: l => negb (existsb (Z.eqb z) l) && once l end.
Definition permutes (l : list (Z * Z)) : bool :=
  once (map snd l) && forallb (fun p => existsb (Z.eqb (snd p)) (map fst l)) l.

Lemma swap_cases l z : (~ In z (map fst l) /\ swap l z = z) \/ In (z, swap l z) l.
Proof.
  induction l as [|[a b] l IH]; simpl; [auto|].
  destruct (Z.eqb_spec a z) as [->|N]; [auto|]. destruct IH as [[A B]|A]; [left|auto].
  split; [|trivial]. intros [X|X]; [congruence|tauto].
Qed.
Lemma existsb_Z z l : existsb (Z.eqb z) l = true <-> In z l.
Proof.
  rewrite existsb_exists. split; [intros (x & I & E); apply Z.eqb_eq in E; subst; trivial|].
  intro I. exists z. split; [trivial|apply Z.eqb_refl].
Qed.
Lemma once_pair (l : list (Z * Z)) x y z : once (map snd l) = true -> In (x, z) l -> In (y, z) l -> x = y.
Proof.
  induction l as [|[a b] l IH]; intros O X Y; [destruct X|]. simpl in O. apply andb_prop in O. destruct O as [A O].
  apply negb_true_iff in A. assert (N : forall w, In (w, b) l -> False).
  { intros w W. apply in_map with (f := snd) in W. apply existsb_Z in W. simpl in W. congruence. }
  destruct X as [X|X], Y as [Y|Y].
  - congruence.
  - injection X as <- <-. exfalso; eauto.
  - injection Y as <- <-. exfalso; eauto.
  - auto.
Qed.
Lemma swap_injective l x y : permutes l = true -> swap l x = swap l y -> x = y.
Proof.
  unfold permutes. intros H E. apply andb_prop in H. destruct H as [O K]. rewrite forallb_forall in K.
  destruct (swap_cases l x) as [[X X']|X], (swap_cases l y) as [[Y Y']|Y].
  - congruence.
  - exfalso. specialize (K _ Y). apply existsb_Z in K. simpl in K. rewrite <- E, X' in K. tauto.
  - exfalso. specialize (K _ X). apply existsb_Z in K. simpl in K. rewrite E, Y' in K. tauto.
  - rewrite E in X. eapply once_pair; eauto.
Qed.

Fixpoint event_goes (l : list (nat * nat)) (e : nat) : nat :=
  match l with [] => e | (a, b) :: l => if (a =? e)%nat then b else event_goes l e end.

(* Values have sorts: those of sort 0 stay, those of sort S k go where the k-th list says. *)
Record renaming := Renaming {
  r_process : list nat; r_process_back : list nat;
  r_clock : list nat; r_clock_back : list nat;
  r_slot : list nat; r_slot_back : list nat;
  r_sorts : list nat; r_values : list (list (Z * Z)); r_events : list (list (nat * nat));
  r_excluded : list (list nat) }.                   (* by process: locations in which it does not hold *)

(* ---- Results side by side ---- *)

Definition alike_res {A B} (R : A -> B -> Prop) (a : res A) (b : res B) : Prop :=
  match a, b with Fails, Fails => True | Err, Err => True | Ok x, Ok y => R x y | _, _ => False end.
Lemma alike_bind {A B C D} (R : A -> B -> Prop) (Q : C -> D -> Prop) a b f g :
  alike_res R a b -> (forall x y, R x y -> alike_res Q (f x) (g y)) -> alike_res Q (bind a f) (bind b g).
Proof. destruct a, b; simpl; tauto || auto. Qed.

Fixpoint all2 {A} (f : A -> A -> bool) (a b : list A) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => f x y && all2 f a b
  | _, _ => false
  end.
Lemma all2_sound {A} (f : A -> A -> bool) a : forall b, all2 f a b = true -> Forall2 (fun x y => f x y = true) a b.
Proof.
  induction a as [|x a IH]; intros [|y b] H; simpl in H; try discriminate; [constructor|].
  apply andb_prop in H. destruct H. constructor; auto.
Qed.

(* Side by side, with their numbers. *)
Fixpoint all2_from {A} (f : nat -> A -> A -> bool) (k : nat) (a b : list A) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => f k x y && all2_from f (S k) a b
  | _, _ => false
  end.
Lemma all2_nth {A} (f : nat -> A -> A -> bool) a : forall b i k, all2_from f i a b = true ->
  match nth_error a k, nth_error b k with Some x, Some y => f (i + k)%nat x y = true | None, None => True | _, _ => False end.
Proof.
  induction a as [|x a IH]; intros [|y b] i k H; simpl in H; try discriminate; [destruct k; exact I|].
  apply andb_prop in H. destruct H as [H1 H2]. destruct k as [|k]; simpl; [rewrite Nat.add_0_r; trivial|].
  specialize (IH b (S i) k H2). replace (i + S k)%nat with (S i + k)%nat by lia. exact IH.
Qed.

Definition same_cmp (a b : cmp) : bool :=
  match a, b with Eq, Eq | Ne, Ne | Lt, Lt | Le, Le | Gt, Gt | Ge, Ge => true | _, _ => false end.
Definition same_op (a b : binop) : bool :=
  match a, b with
  | Add, Add | Sub, Sub | Mul, Mul | Div, Div | Mod, Mod | Min, Min | Max, Max
  | BitAnd, BitAnd | BitOr, BitOr | BitXor, BitXor | Shl, Shl | Shr, Shr => true
  | Cmp a, Cmp b => same_cmp a b
  | _, _ => false
  end.
Lemma same_cmp_eq a b : same_cmp a b = true -> a = b.
Proof. destruct a, b; simpl; congruence. Qed.
Lemma same_op_eq a b : same_op a b = true -> a = b.
Proof. destruct a, b; simpl; try congruence. intro H. apply same_cmp_eq in H. congruence. Qed.

Definition same_kind (a b : kind) : bool :=
  match a, b with Strong, Strong | Weak, Weak | Receiver, Receiver => true | _, _ => false end.
Lemma same_kind_eq a b : same_kind a b = true -> a = b.
Proof. destruct a, b; simpl; congruence. Qed.

Ltac split_and := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_prop in H; destruct H
  | H : (_ =? _)%nat = true |- _ => apply Nat.eqb_eq in H
  | H : (_ =? _) = true |- _ => apply Z.eqb_eq in H
  | H : (_ <=? _) = true |- _ => apply Z.leb_le in H
  | H : (_ <? _) = true |- _ => apply Z.ltb_lt in H
  | H : Bool.eqb _ _ = true |- _ => apply Bool.eqb_prop in H
  | H : same_op _ _ = true |- _ => apply same_op_eq in H
  | H : same_cmp _ _ = true |- _ => apply same_cmp_eq in H
  | H : same_kind _ _ = true |- _ => apply same_kind_eq in H
  end.

Section Renaming.
Variable n : net.
Variable r : renaming.

Definition process (p : nat) : nat := goes (r_process r) p.
Definition clock_to (x : nat) : nat := goes (r_clock r) x.
Definition slot (k : nat) : nat := goes (r_slot r) k.
Definition sort (k : nat) : nat := nth k (r_sorts r) O.
Definition pairs (t : nat) : list (Z * Z) := match t with O => [] | S t => nth t (r_values r) [] end.
Definition value (t : nat) (z : Z) : Z := swap (pairs t) z.
Definition excluded (p l : nat) : bool := existsb (Nat.eqb l) (nth p (r_excluded r) []).
Definition event (p e : nat) : nat := event_goes (nth p (r_events r) []) e.

(* ---- What is checked: expressions ---- *)

Definition small (z : Z) : bool := (-2147483648 <=? z) && (z <=? 2147483647).
Definition in_array (size i : Z) : bool := (0 <=? i) && (i <? size).
(* The elements of an array go where the index does; an index outside stays outside. *)
Definition moves_along (to : nat -> nat) (b b' : nat) (size : Z) (t : nat) : bool :=
  forallb (fun j => let i := Z.of_nat j in let i' := value t i in
             in_array size i' && (to (b + j) =? b' + Z.to_nat i')%nat) (seq 0 (Z.to_nat size)) &&
  forallb (fun p => in_array size (fst p) || negb (in_array size (value t (fst p)))) (pairs t).
Definition all_sorts (b : nat) (size : Z) (t : nat) : bool :=
  forallb (fun k => (sort k =? t)%nat) (seq b (Z.to_nat size)).
Definition same_element (to : nat -> nat) (b b' : nat) (size i i' : Z) : bool :=
  small i && small i' && in_array size i && in_array size i' && (to (b + Z.to_nat i) =? b' + Z.to_nat i')%nat.

Definition sort_of (e : expr) : nat :=
  match e with EVar k => sort k | EElem b _ _ => sort b | _ => O end.
Definition label_stays (a : nat) : bool :=
  forallb (fun p =>
    match nth_error (n_processes n) p, nth_error (n_processes n) (process p) with
    | Some ls, Some ls' =>
      all2_from (fun k l l' => excluded p k || Bool.eqb (existsb (Nat.eqb a) (l_labels l)) (existsb (Nat.eqb a) (l_labels l'))) 0 ls ls'
    | _, _ => false
    end) (processes n).

(* e' is e under the new names; t is the sort of its value. Values that move are compared for
   being equal, copied, and used as indices of arrays that move along. *)
Fixpoint alike (t : nat) (e e' : expr) : bool :=
  match e, e' with
  | EConst z, EConst z' => (value t z =? z') && small z && small z'
  | EVar k, EVar k' => (slot k =? k')%nat && (sort k =? t)%nat
  | EElem b size i, EElem b' size' i' =>
    (size =? size') &&
    match i, i' with
    | EConst z, EConst z' => same_element slot b b' size z z' && (sort (b + Z.to_nat z) =? t)%nat
    | _, _ => alike (sort_of i) i i' && moves_along slot b b' size (sort_of i) && all_sorts b size t
    end
  | ELocal k, ELocal k' => (k =? k')%nat && (t =? 0)%nat
  | ELocalElem b size i, ELocalElem b' size' i' => (b =? b')%nat && (size =? size') && alike 0 i i' && (t =? 0)%nat
  | EAt p l, EAt p' l' => (process p =? p')%nat && (l =? l')%nat && (t =? 0)%nat
  | ELabel a, ELabel a' => (a =? a')%nat && label_stays a && (t =? 0)%nat
  | ENeg a, ENeg a' | ENot a, ENot a' => alike 0 a a' && (t =? 0)%nat
  | EBin o a b, EBin o' a' b' =>
    same_op o o' && (t =? 0)%nat &&
    (let u := match o with
              | Cmp Eq | Cmp Ne => match sort_of a with O => sort_of b | u => u end
              | _ => O end in
     alike u a a' && alike u b b')
  | EAnd a b, EAnd a' b' | EOr a b, EOr a' b' => alike 0 a a' && alike 0 b b' && (t =? 0)%nat
  | ECond a b c, ECond a' b' c' => alike 0 a a' && alike t b b' && alike t c c'
  | EWithin low high a, EWithin low' high' a' =>
    (low =? low') && (high =? high') && alike t a a' &&
    forallb (fun p => (low <=? fst p) && (fst p <=? high) && (low <=? snd p) && (snd p <=? high)) (pairs t)
  | _, _ => false
  end.
Definition clock_alike (x x' : clock) : bool :=
  match x, x' with
  | Clock x, Clock x' => (clock_to x =? x')%nat
  | ClockElem b size i, ClockElem b' size' i' =>
    (size =? size') &&
    match i, i' with
    | EConst z, EConst z' => same_element clock_to b b' size z z'
    | _, _ => alike (sort_of i) i i' && moves_along clock_to b b' size (sort_of i)
    end
  | _, _ => false
  end.
Fixpoint atom_alike (a a' : atom) : bool :=
  match a, a' with
  | AInt e, AInt e' => alike 0 e e'
  | AClock x y o c, AClock x' y' o' c' => clock_alike x x' && clock_alike y y' && same_cmp o o' && alike 0 c c'
  | AUnless e a, AUnless e' a' => alike 0 e e' && atom_alike a a'
  | _, _ => false
  end.

(* Sums that are compared in a query: e' has the terms of e in some order. Sums wrap around, or their
   terms are truths and few enough. *)
Fixpoint terms (e : expr) : list expr := match e with EBin Add a b => terms a ++ terms b | e => [e] end.
Fixpoint take (e : expr) (l : list expr) : option (list expr) :=    (* without the first that is alike *)
  match l with
  | [] => None
  | e' :: l => if alike 0 e e' then Some l else match take e l with Some l => Some (e' :: l) | None => None end
  end.
Fixpoint paired (l l' : list expr) : bool :=
  match l with
  | [] => match l' with [] => true | _ => false end
  | e :: l => match take e l' with Some l' => paired l l' | None => false end
  end.
Definition truth (e : expr) : bool :=
  match e with EAt _ _ | ELabel _ | ENot _ | EBin (Cmp _) _ _ | EAnd _ _ | EOr _ _ => true | _ => false end.
Definition summable (l : list expr) : bool := n_wraps n || forallb truth l && (Z.of_nat (length l) <=? 2147483647).
Definition is_sum (e : expr) : bool := match e with EBin Add _ _ => true | _ => false end.
Definition sum_alike (e e' : expr) : bool :=
  alike 0 e e' || is_sum e && is_sum e' && summable (terms e) && summable (terms e') && paired (terms e) (terms e').
Definition sums_alike (a a' : atom) : bool :=
  match a, a' with
  | AInt (EBin (Cmp o) a b), AInt (EBin (Cmp o') a' b') => same_cmp o o' && sum_alike a a' && sum_alike b b'
  | _, _ => false
  end.

Fixpoint stmt_alike (c c' : stmt) : bool :=
  match c, c' with
  | SNop, SNop => true
  | SSeq a b, SSeq a' b' => stmt_alike a a' && stmt_alike b b'
  | SVar k e, SVar k' e' => (slot k =? k')%nat && alike (sort k) e e'
  | SElem b size i e, SElem b' size' i' e' =>
    (size =? size') &&
    match i, i' with
    | EConst z, EConst z' => same_element slot b b' size z z' && alike (sort (b + Z.to_nat z)) e e'
    | _, _ => alike (sort_of i) i i' && moves_along slot b b' size (sort_of i) && all_sorts b size (sort b) && alike (sort b) e e'
    end
  | SLocal k e, SLocal k' e' => (k =? k')%nat && alike 0 e e'
  | SLocalElem b size i e, SLocalElem b' size' i' e' => (b =? b')%nat && (size =? size') && alike 0 i i' && alike 0 e e'
  | SClock x y e, SClock x' y' e' => clock_alike x x' && clock_alike y y' && alike 0 e e'
  | SIf e a b, SIf e' a' b' => alike 0 e e' && stmt_alike a a' && stmt_alike b b'
  | SWhile e a, SWhile e' a' => alike 0 e e' && stmt_alike a a'
  | _, _ => false
  end.

(* ---- What is checked: the network ---- *)

Definition is_shared (p ev : nat) : bool :=
  existsb (existsb (fun q => Nat.eqb (p_process q) p && Nat.eqb (p_event q) ev)) (n_syncs n).
(* The event of an edge that is taken alone has no meaning. *)
Definition edge_alike (p : nat) (e e' : edge) : bool :=
  (e_process e =? p)%nat && (e_process e' =? process p)%nat && (e_target e =? e_target e')%nat && negb (excluded p (e_target e)) &&
  Bool.eqb (is_shared p (e_event e)) (is_shared (process p) (e_event e')) &&
  (negb (is_shared p (e_event e)) || (event p (e_event e) =? e_event e')%nat) &&
  all2 atom_alike (e_guard e) (e_guard e') && (e_locals e =? e_locals e')%nat && stmt_alike (e_update e) (e_update e').
(* Invariants that are never false whatever the clocks are: none hides an error of another process, and the order of the
   processes does not matter. *)
Definition harmless (a : atom) : bool := match a with AClock _ _ _ _ => true | _ => false end.
Definition location_alike (p : nat) (l l' : location) : bool :=
  Bool.eqb (l_committed l) (l_committed l') && Bool.eqb (l_urgent l) (l_urgent l') &&
  all2 atom_alike (l_invariant l) (l_invariant l') &&
  forallb (fun e => existsb (edge_alike p e) (l_out l')) (l_out l) &&
  forallb (fun e' => existsb (fun e => edge_alike p e e') (l_out l)) (l_out l').
Definition processes_alike : bool :=
  forallb (fun p =>
    match nth_error (n_processes n) p, nth_error (n_processes n) (process p) with
    | Some ls, Some ls' => all2_from (fun k l l' => excluded p k || location_alike p l l') 0 ls ls'
    | _, _ => false
    end) (processes n).
Definition all_harmless : bool := forallb (forallb (fun l => forallb harmless (l_invariant l))) (n_processes n).
Definition part_alike (a a' : part) : bool :=
  (process (p_process a) =? p_process a')%nat && (event (p_process a) (p_event a) =? p_event a')%nat &&
  same_kind (p_kind a) (p_kind a').
(* A synchronisation whose parts have another order under the new names: all that its edges do is
   to set clocks, each of which is set by one process only. *)
Definition image (a : part) : part := Part (process (p_process a)) (event (p_process a) (p_event a)) (p_kind a).
Definition same_part (a b : part) : bool :=
  (p_process a =? p_process b)%nat && (p_event a =? p_event b)%nat && same_kind (p_kind a) (p_kind b).
Fixpoint remove_part (a : part) (l : list part) : option (list part) :=
  match l with
  | [] => None
  | b :: l => if same_part a b then Some l else match remove_part a l with None => None | Some l => Some (b :: l) end
  end.
Fixpoint permuted (a b : list part) : bool :=
  match a with
  | [] => match b with [] => true | _ => false end
  | x :: a => match remove_part x b with None => false | Some b => permuted a b end
  end.
Fixpoint resets (c : stmt) : option (list upd) :=
  match c with
  | SNop => Some []
  | SSeq a b => match resets a, resets b with Some a, Some b => Some (a ++ b) | _, _ => None end
  | SClock (Clock x) (Clock O) (EConst c) => if small c && (0 <=? c) then Some [Upd x 0 c] else None
  | _ => None
  end.
Definition sets (e : edge) : list upd := match resets (e_update e) with Some l => l | None => [] end.
Definition is_calm (e : edge) : bool :=
  forallb simple (e_guard e) && match resets (e_update e) with None => false | Some _ => true end.
Definition edges_of (a : part) : list edge :=
  filter (fun e => (e_event e =? p_event a)%nat) (flat_map l_out (nth (p_process a) (n_processes n) [])).
Definition disjoint (e e' : edge) : bool :=
  forallb (fun u => forallb (fun u' => negb (u_x u =? u_x u')%nat) (sets e')) (sets e).
Fixpoint distinct (l : list nat) : bool :=
  match l with [] => true | x :: l => negb (existsb (Nat.eqb x) l) && distinct l end.
Definition calm (ps : list part) : bool :=
  distinct (map p_process ps) &&
  forallb (fun a => forallb is_calm (edges_of a)) ps &&
  forallb (fun a => forallb (fun b => (p_process a =? p_process b)%nat ||
    forallb (fun e => forallb (disjoint e) (edges_of b)) (edges_of a)) ps) ps.
Definition sync_alike (ps ps' : list part) : bool :=
  all2 part_alike ps ps' || permuted (map image ps) ps' && calm ps'.
Definition syncs_alike : bool :=
  forallb (fun ps => existsb (sync_alike ps) (n_syncs n)) (n_syncs n).
(* Different events of a process become different ones. *)
Definition events_apart : bool :=
  let parts := concat (n_syncs n) in
  forallb (fun a => forallb (fun b =>
    negb ((p_process a =? p_process b)%nat && (event (p_process a) (p_event a) =? event (p_process b) (p_event b))%nat) ||
    (p_event a =? p_event b)%nat) parts) parts.
Definition variables_alike : bool :=
  forallb (fun k =>
    match nth_error (n_variables n) k, nth_error (n_variables n) (slot k) with
    | Some v, Some v' =>
      (v_low v =? v_low v') && (v_high v =? v_high v') &&
      forallb (fun p => (v_low v <=? fst p) && (fst p <=? v_high v) && (v_low v <=? snd p) && (snd p <=? v_high v))
              (pairs (sort k))
    | _, _ => false
    end) (seq 0 (length (n_variables n))).

(* ---- What is checked: the query ---- *)

Fixpoint ands (f : formula) : list formula := match f with FAnd f g => ands f ++ ands g | f => [f] end.
Fixpoint ors (f : formula) : list formula := match f with FOr f g => ors f ++ ors g | f => [f] end.
(* If f' is b in the renamed state, then f is in the state. Operands may be in another order. *)
Fixpoint follows (depth : nat) (b : bool) (f f' : formula) : bool :=
  match depth with
  | O => false
  | S depth =>
    let any := fun l l' => forallb (fun g' => existsb (fun g => follows depth b g g') l) l' in
    let all := fun l l' => forallb (fun g => existsb (fun g' => follows depth b g g') l') l in
    match f, f' with
    | FAtom a, FAtom a' => atom_alike a a' || sums_alike a a'
    | FNot f, FNot f' => follows depth (negb b) f f'
    | FAnd _ _, FAnd _ _ => (if b then all else any) (ands f) (ands f')
    | FOr _ _, FOr _ _ => (if b then any else all) (ors f) (ors f')
    | _, _ => false
    end
  end.
Fixpoint depth (f : formula) : nat :=
  match f with FAtom _ => 1 | FNot f => S (depth f) | FAnd f g | FOr f g => S (Nat.max (depth f) (depth g)) end.

(* Nothing is proved of renamings in networks with these. *)
Definition without {A} (l : list A) : bool := match l with [] => true | _ => false end.
Definition plain : bool :=
  without (n_urgent n) && without (n_channel_ranks n) && without (n_process_ranks n) && without (n_before n) && without (n_after n) && unrated n.
Definition symmetry (q : formula) : bool :=
  inverse (r_process r) (r_process_back r) && (length (r_process r) =? length (n_processes n))%nat &&
  inverse (r_clock r) (r_clock_back r) && (clock_to 0 =? 0)%nat &&
  inverse (r_slot r) (r_slot_back r) && (length (r_slot r) =? length (n_variables n))%nat &&
  forallb permutes (r_values r) &&
  variables_alike && events_apart && syncs_alike && processes_alike && follows (S (depth q)) false q q && all_harmless && plain.

(* ---- Renamed states ---- *)

Definition renamed (s : state) : option state :=
  if (length (locs s) =? length (r_process r))%nat && (length (vars s) =? length (r_slot r))%nat &&
     forallb (fun p => negb (excluded p (nth p (locs s) O))) (seq 0 (length (locs s)))
  then Some (State (map (fun p => nth (goes (r_process_back r) p) (locs s) O) (seq 0 (length (locs s))))
                   (map (fun k => let k := goes (r_slot_back r) k in value (sort k) (nth k (vars s) 0)) (seq 0 (length (vars s)))))
  else None.
Definition clock_from (x : nat) : nat := goes (r_clock_back r) x.
Definition renamed_clocks (v : valuation) : valuation := fun k => val v (clock_from (S k)).

Definition linked (s s' : state) : Prop :=
  (forall p, nth_error (locs s') (process p) = nth_error (locs s) p) /\
  (forall k, nth_error (vars s') (slot k) = option_map (value (sort k)) (nth_error (vars s) k)) /\
  (forall p l, nth_error (locs s) p = Some l -> excluded p l = false).
Definition linked_clocks (v v' : valuation) : Prop := forall x, (val v' (clock_to x) == val v x)%Q.

(* ---- Why it is enough ---- *)

Variable q : formula.
Hypothesis checked : symmetry q = true.

Lemma symmetry_means :
  inverse (r_process r) (r_process_back r) = true /\ length (r_process r) = length (n_processes n) /\
  inverse (r_clock r) (r_clock_back r) = true /\ clock_to 0 = 0%nat /\
  inverse (r_slot r) (r_slot_back r) = true /\ length (r_slot r) = length (n_variables n) /\
  forallb permutes (r_values r) = true /\
  variables_alike = true /\ events_apart = true /\ syncs_alike = true /\ processes_alike = true /\
  follows (S (depth q)) false q q = true /\ all_harmless = true /\ plain = true.
Proof. pose proof checked as H. unfold symmetry in H. split_and. auto 20. Qed.

Lemma process_back p : goes (r_process_back r) (process p) = p /\ process (goes (r_process_back r) p) = p.
Proof. apply inverse_sound, symmetry_means. Qed.
Lemma process_injective p p' : process p = process p' -> p = p'.
Proof. apply inverse_injective with (r_process_back r), symmetry_means. Qed.
Lemma clock_injective x y : clock_to x = clock_to y -> x = y.
Proof. apply inverse_injective with (r_clock_back r), symmetry_means. Qed.
Lemma slot_injective x y : slot x = slot y -> x = y.
Proof. apply inverse_injective with (r_slot_back r), symmetry_means. Qed.
Lemma in_processes p : In (process p) (processes n) <-> In p (processes n).
Proof.
  destruct symmetry_means as (I & L & _). unfold processes. rewrite !in_seq. simpl. rewrite <- L. split; intros [_ H]; split; try lia.
  - destruct (Nat.lt_ge_cases p (length (r_process r))) as [|G]; [trivial|]. unfold process in H. rewrite goes_beyond in H by trivial. trivial.
  - apply inverse_below with (r_process_back r); trivial.
Qed.
Lemma value_injective t x y : value t x = value t y -> x = y.
Proof.
  unfold value, pairs. destruct t as [|t]; [trivial|]. apply swap_injective.
  destruct symmetry_means as (_ & _ & _ & _ & _ & _ & V & _). rewrite forallb_forall in V.
  destruct (nth_in_or_default t (r_values r) []) as [I| ->]; [auto|reflexivity].
Qed.
Lemma value_0 z : value 0 z = z.
Proof. reflexivity. Qed.

Lemma small_fit w z : small z = true -> fit w z = Ok z.
Proof. unfold small, fit. intros ->. trivial. Qed.

Lemma index_alike (to : nat -> nat) b b' size t z : moves_along to b b' size t = true ->
  alike_res (fun m m' => m' = to m /\ (b <= m < b + Z.to_nat size)%nat) (index b size z) (index b' size (value t z)).
Proof.
  unfold moves_along. intro H. apply andb_prop in H. destruct H as [A B]. rewrite forallb_forall in A, B.
  unfold index. change ((0 <=? z) && (z <? size)) with (in_array size z).
  change ((0 <=? value t z) && (value t z <? size)) with (in_array size (value t z)).
  destruct (in_array size z) eqn:E.
  - specialize (A (Z.to_nat z)). unfold in_array in E. split_and. rewrite in_seq in A. specialize (A ltac:(lia)).
    cbv zeta in A. rewrite Z2Nat.id in A by lia. apply andb_prop in A. destruct A as [A1 A2]. rewrite A1. simpl.
    apply Nat.eqb_eq in A2. split; [auto|]. lia.
  - unfold value in *. destruct (swap_cases (pairs t) z) as [[_ ->]|I]; [rewrite E; exact Logic.I|].
    specialize (B _ I). simpl in B. rewrite E in B. simpl in B. apply negb_true_iff in B. rewrite B. exact Logic.I.
Qed.
Lemma element_index (to : nat -> nat) b b' size i i' : same_element to b b' size i i' = true ->
  fit false i = Ok i /\ fit false i' = Ok i' /\ index b size i = Ok (b + Z.to_nat i)%nat /\ index b' size i' = Ok (to (b + Z.to_nat i)%nat).
Proof.
  unfold same_element. intro H. apply andb_prop in H. destruct H as [H E]. apply Nat.eqb_eq in E.
  apply andb_prop in H. destruct H as [H B]. apply andb_prop in H. destruct H as [H A]. apply andb_prop in H. destruct H as [F G].
  rewrite E. unfold index. change ((0 <=? i) && (i <? size)) with (in_array size i). rewrite A.
  change ((0 <=? i') && (i' <? size)) with (in_array size i'). rewrite B. auto using small_fit.
Qed.
Lemma all_sorts_in b size t m : all_sorts b size t = true -> (b <= m < b + Z.to_nat size)%nat -> sort m = t.
Proof. unfold all_sorts. rewrite forallb_forall. intros H L. apply Nat.eqb_eq, H, in_seq. trivial. Qed.

(* States. *)
Section States.
Variables s s' : state.
Hypothesis link : linked s s'.

Lemma get_alike k : alike_res (fun z z' => z' = value (sort k) z) (get (vars s) k) (get (vars s') (slot k)).
Proof. unfold get. rewrite (proj1 (proj2 link) k). destruct (nth_error (vars s) k); simpl; trivial. Qed.

Lemma process_nth p : In p (processes n) -> exists ls ls', nth_error (n_processes n) p = Some ls /\
  nth_error (n_processes n) (process p) = Some ls' /\ forall k,
  match nth_error ls k, nth_error ls' k with
  | Some l, Some l' => excluded p k || location_alike p l l' = true | None, None => True | _, _ => False end.
Proof.
  intro I. destruct symmetry_means as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & P & _).
  unfold processes_alike in P. rewrite forallb_forall in P. specialize (P p I).
  destruct (nth_error (n_processes n) p) as [ls|]; [|discriminate].
  destruct (nth_error (n_processes n) (process p)) as [ls'|]; [|discriminate].
  exists ls, ls'. split; [trivial|split; [trivial|]]. intro k. exact (all2_nth _ _ _ O k P).
Qed.

Lemma location_linked p :
  match location_of n s p, location_of n s' (process p) with
  | Some l, Some l' => location_alike p l l' = true
  | None, None => True
  | _, _ => False
  end.
Proof.
  unfold location_of. destruct (in_dec Nat.eq_dec p (processes n)) as [I|I].
  - destruct (process_nth p I) as (ls & ls' & -> & -> & F). rewrite (proj1 link p).
    destruct (nth_error (locs s) p) as [k|] eqn:K; [|trivial]. specialize (F k). rewrite (proj2 (proj2 link) _ _ K) in F. exact F.
  - assert (O : forall p, ~ In p (processes n) -> nth_error (n_processes n) p = None).
    { intros k K. apply nth_error_None. unfold processes in K. rewrite in_seq in K. lia. }
    rewrite (O p I), (O (process p)); [trivial|]. rewrite in_processes. trivial.
Qed.

Lemma existsb_permuted f g : (forall p, In p (processes n) -> f p = g (process p)) ->
  existsb f (processes n) = existsb g (processes n).
Proof.
  intro H. apply eq_iff_eq_true. rewrite !existsb_exists. split; intros (p & I & E).
  - exists (process p). rewrite in_processes, <- H; auto.
  - exists (goes (r_process_back r) p). destruct (process_back p) as [_ B].
    assert (J : In (goes (r_process_back r) p) (processes n)) by (apply in_processes; rewrite B; trivial).
    split; [trivial|]. rewrite H, B; trivial.
Qed.
Lemma labels_alike a : label_stays a = true -> is_labelled n s a = is_labelled n s' a.
Proof.
  unfold label_stays. intro L. rewrite forallb_forall in L. apply existsb_permuted. intros p I. specialize (L p I).
  unfold location_of. destruct (nth_error (n_processes n) p) as [ls|]; [|discriminate].
  destruct (nth_error (n_processes n) (process p)) as [ls'|]; [|discriminate]. rewrite (proj1 link p).
  destruct (nth_error (locs s) p) as [k|] eqn:K; [|trivial]. apply all2_nth with (k := k) in L. rewrite Nat.add_0_l, (proj2 (proj2 link) _ _ K) in L.
  destruct (nth_error ls k), (nth_error ls' k); try tauto. apply Bool.eqb_prop. trivial.
Qed.

Lemma alike_eq (t : nat) (a b : res Z) : alike_res (fun z z' => z' = value 0 z) a b -> a = b.
Proof. destruct a, b; simpl; try tauto. intros ->. trivial. Qed.

Lemma eval_alike f e : forall t e', alike t e e' = true ->
  alike_res (fun z z' => z' = value t z) (eval n s f e) (eval n s' f e').
Proof.
  induction e as [z|k|b size i IH|k|b size i IH|p l|a|a IH|a IH|o a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb c IHc|low high a IH| | | | |];
    intros t e' H; destruct e'; try discriminate; cbn [alike] in H; cbn [eval].
  - split_and. rewrite !small_fit by trivial. simpl. auto.
  - split_and. subst. apply get_alike.
  - assert (G : (alike (sort_of i) i e' && moves_along slot b base size (sort_of i) && all_sorts b size t = true /\ size = size0) ->
      alike_res (fun z z' => z' = value t z) (k <- eval n s f i ; m <- index b size k ; get (vars s) m)
                (k <- eval n s' f e' ; m <- index base size0 k ; get (vars s') m)).
    { clear H. intros [H <-]. split_and. eapply alike_bind; [apply IH; eassumption|]. cbv beta. intros z z' ->.
      eapply alike_bind; [apply index_alike; eassumption|]. cbv beta. intros m m' [-> L].
      rewrite <- (all_sorts_in _ _ _ _ H0 L). apply get_alike. }
    apply andb_prop in H. destruct H as [E H]. apply Z.eqb_eq in E. destruct i; try (apply G; split; trivial; fail).
    destruct e'; try (apply G; split; trivial; fail). subst size0. clear G IH.
    apply andb_prop in H. destruct H as [H S]. apply Nat.eqb_eq in S. subst t.
    destruct (element_index _ _ _ _ _ _ H) as (A & B & C & D). cbn [eval]. rewrite A, B. cbn [bind]. rewrite C, D. cbn [bind]. apply get_alike.
  - split_and. subst. simpl. destruct (get f slot0); simpl; trivial.
  - split_and. subst. eapply alike_bind; [apply IH; eassumption|]. cbv beta. intros z z' ->. rewrite value_0.
    destruct (index base size0 z); simpl; trivial. destruct (get f a); simpl; trivial.
  - split_and. subst. rewrite (proj1 link p). destruct (nth_error (locs s) p); simpl; trivial.
  - split_and. subst. simpl. rewrite (labels_alike a0); trivial.
  - split_and. subst. eapply alike_bind; [apply IH; eassumption|]. cbv beta. intros z z' ->. rewrite value_0.
    destruct (fit (n_wraps n) (- z)); simpl; trivial.
  - split_and. subst. eapply alike_bind; [apply IH; eassumption|]. cbv beta. intros z z' ->. reflexivity.
  - apply andb_prop in H. destruct H as [H K]. split_and. subst o0 t. cbv zeta in *.
    set (u := match o with Cmp Eq | Cmp Ne => _ | _ => O end) in *.
    eapply alike_bind; [apply IHa; eassumption|]. cbv beta. intros x x' ->.
    eapply alike_bind; [apply IHb; eassumption|]. cbv beta. intros y y' ->.
    assert (V : u = 0%nat \/ o = Cmp Eq \/ o = Cmp Ne) by (subst u; destruct o as [| | | | | | | | | | | |[]]; auto).
    destruct V as [V|V].
    + rewrite V, !value_0. destruct (binary (n_wraps n) o x y); simpl; trivial.
    + assert (Q : (value u x =? value u y) = (x =? y)).
      { destruct (Z.eqb_spec (value u x) (value u y)) as [E|E].
        - apply value_injective in E. subst. rewrite Z.eqb_refl. trivial.
        - destruct (Z.eqb_spec x y); [congruence|trivial]. }
      destruct V as [-> | ->]; simpl; rewrite Q; trivial.
  - split_and. subst. eapply alike_bind; [apply IHa; eassumption|]. cbv beta. intros x x' ->. rewrite value_0.
    destruct (is_true x); [|reflexivity]. eapply alike_bind; [apply IHb; eassumption|]. cbv beta. intros y y' ->. reflexivity.
  - split_and. subst. eapply alike_bind; [apply IHa; eassumption|]. cbv beta. intros x x' ->. rewrite value_0.
    destruct (is_true x); [reflexivity|]. eapply alike_bind; [apply IHb; eassumption|]. cbv beta. intros y y' ->. reflexivity.
  - split_and. eapply alike_bind; [apply IHa; eassumption|]. cbv beta. intros x x' ->. rewrite value_0.
    destruct (is_true x); [apply IHb|apply IHc]; trivial.
  - apply andb_prop in H. destruct H as [H R]. split_and. subst. eapply alike_bind; [apply IH; eassumption|]. cbv beta. intros z z' ->.
    assert (V : (low0 <=? value t z) && (value t z <=? high0) = (low0 <=? z) && (z <=? high0)).
    { rewrite forallb_forall in R. unfold value. destruct (swap_cases (pairs t) z) as [[_ ->]|J]; [trivial|].
      specialize (R _ J). cbn [fst snd] in R. apply andb_prop in R. destruct R as [R R4]. apply andb_prop in R. destruct R as [R R3].
      rewrite R, R3, R4. trivial. }
    rewrite V. destruct ((low0 <=? z) && (z <=? high0)); simpl; trivial.
Qed.
Lemma eval_same f e e' : alike 0 e e' = true -> eval n s' f e' = eval n s f e.
Proof.
  intro H. apply eval_alike with (f := f) in H. destruct (eval n s f e), (eval n s' f e'); simpl in H; try tauto. rewrite H. trivial.
Qed.

Lemma clock_of_alike f x x' : clock_alike x x' = true ->
  alike_res (fun i i' => i' = clock_to i) (clock_of n s f x) (clock_of n s' f x').
Proof.
  destruct x as [x|b size i], x' as [x'|b' size' i']; simpl; try discriminate; intro H.
  - split_and. auto.
  - assert (G : (alike (sort_of i) i i' && moves_along clock_to b b' size (sort_of i) = true /\ size = size') ->
      alike_res (fun i i' => i' = clock_to i) (k <- eval n s f i ; index b size k) (k <- eval n s' f i' ; index b' size' k)).
    { clear H. intros [H <-]. split_and. eapply alike_bind; [apply eval_alike; eassumption|]. cbv beta. intros z z' ->.
      eapply index_alike with (z := z) in H0. destruct (index b size z), (index b' size _); simpl in *; tauto. }
    apply andb_prop in H. destruct H as [E H]. apply Z.eqb_eq in E. destruct i; try (apply G; split; trivial; fail).
    destruct i'; try (apply G; split; trivial; fail). subst size'. clear G.
    destruct (element_index _ _ _ _ _ _ H) as (A & B & C & D). cbn [clock_of eval]. rewrite A, B. cbn [bind]. rewrite C, D. reflexivity.
Qed.

Definition ask_alike (a a' : asked) : Prop :=
  match a, a' with
  | Plain b, Plain b' => b = b'
  | Asks i j o c, Asks i' j' o' c' => i' = clock_to i /\ j' = clock_to j /\ o = o' /\ c = c'
  | Wrong, Wrong => True
  | _, _ => False
  end.
Lemma atom_asks a a' : atom_alike a a' = true -> ask_alike (ask n s a) (ask n s' a').
Proof.
  revert a'. induction a as [e|x y o c|e a IH]; intros [e'|x' y' o' c'|e' a']; simpl; try discriminate; intro H.
  - rewrite (eval_same [] _ _ H). destruct (eval n s [] e); simpl; trivial.
  - split_and. pose proof (clock_of_alike [] _ _ H) as X. pose proof (clock_of_alike [] _ _ H2) as Y.
    rewrite (eval_same [] _ _ H0).
    destruct (clock_of n s [] x), (clock_of n s' [] x'); simpl in X; try tauto;
    destruct (clock_of n s [] y), (clock_of n s' [] y'); simpl in Y; try tauto; simpl; trivial.
    destruct (eval n s [] c); simpl; auto.
  - apply andb_prop in H. destruct H as [E H]. rewrite (eval_same [] _ _ E). destruct (eval n s [] e); simpl; trivial.
    destruct (is_true a0); [reflexivity|]. apply IH. trivial.
Qed.

(* Sums. *)
Definition modulus : Z := 4294967296.
Lemma wrapped_mod z : wrapped z mod modulus = z mod modulus /\ small (wrapped z) = true.
Proof.
  unfold wrapped, small, modulus. change 4294967295 with (Z.ones 32). rewrite Z.land_ones by lia. change (2 ^ 32) with 4294967296.
  pose proof (Z.mod_pos_bound z 4294967296 ltac:(lia)) as B. cbv zeta. destruct (Z.leb_spec (z mod 4294967296) 2147483647).
  - rewrite Z.mod_mod by lia. split; [trivial|]. apply andb_true_intro. split; apply Z.leb_le; lia.
  - replace (z mod 4294967296 - 4294967296) with (z mod 4294967296 + (-1) * 4294967296) by lia. rewrite Z.mod_add, Z.mod_mod by lia.
    split; [trivial|]. apply andb_true_intro. split; apply Z.leb_le; lia.
Qed.
Lemma fit_mod w z y : fit w z = Ok y -> y mod modulus = z mod modulus /\ small y = true.
Proof.
  unfold fit. destruct (_ && _) eqn:E; [intro H; injection H as <-; auto|]. destruct w; [|discriminate].
  intro H. injection H as <-. apply wrapped_mod.
Qed.
Lemma small_unique y z : small y = true -> small z = true -> y mod modulus = z mod modulus -> y = z.
Proof.
  unfold small, modulus. intros A B E. split_and.
  pose proof (Z.div_mod y 4294967296 ltac:(lia)). pose proof (Z.div_mod z 4294967296 ltac:(lia)). lia.
Qed.

Definition sum_of (l : list Z) : Z := fold_right Z.add 0 l.
Lemma sum_app l m : sum_of (l ++ m) = sum_of l + sum_of m.
Proof. unfold sum_of. induction l as [|z l IH]; simpl; [trivial|]. rewrite IH. lia. Qed.
Definition valued (t : state) (l : list expr) (zs : list Z) : Prop := Forall2 (fun e z => eval n t [] e = Ok z) l zs.

Lemma terms_leaf e : is_sum e = false -> terms e = [e].
Proof. destruct e as [| | | | | | | | |o a b| | | | | | | | |]; trivial. destruct o; trivial. discriminate. Qed.
Lemma sum_forth t e : forall z, eval n t [] e = Ok z -> exists zs, valued t (terms e) zs /\ z mod modulus = sum_of zs mod modulus.
Proof.
  assert (Leaf : forall e, is_sum e = false -> forall z, eval n t [] e = Ok z ->
    exists zs, valued t (terms e) zs /\ z mod modulus = sum_of zs mod modulus).
  { intros x X z H. rewrite terms_leaf by trivial. exists [z]. split; [repeat constructor; trivial|]. simpl. f_equal. lia. }
  induction e as [| | | | | | | | |o a IHa b IHb| | | | | | | | |]; try (apply Leaf; reflexivity).
  destruct o; try (apply Leaf; reflexivity). intros z H. cbn [eval] in H.
  destruct (eval n t [] a) as [| |x]; try discriminate. destruct (eval n t [] b) as [| |y]; try discriminate. cbn [bind binary] in H.
  destruct (IHa _ eq_refl) as (xs & X & Ex). destruct (IHb _ eq_refl) as (ys & Y & Ey). exists (xs ++ ys).
  split; [apply Forall2_app; trivial|]. apply fit_mod in H. rewrite (proj1 H), sum_app. unfold modulus in *.
  rewrite Z.add_mod, Ex, Ey, <- Z.add_mod by lia. trivial.
Qed.
Lemma truth_value t e z : truth e = true -> eval n t [] e = Ok z -> 0 <= z <= 1.
Proof.
  assert (B : forall b, 0 <= of_bool b <= 1) by (intros []; simpl; lia).
  destruct e as [| | | | |p l|a| |a|o a b|a b|a b| | | | | | |]; try discriminate; intros T H; cbn [eval] in H.
  - destruct (nth_error (locs t) p); [|discriminate]. injection H as <-. apply B.
  - injection H as <-. apply B.
  - destruct (eval n t [] a); try discriminate. injection H as <-. apply B.
  - destruct o; try discriminate. destruct (eval n t [] a); try discriminate. destruct (eval n t [] b); try discriminate. injection H as <-. apply B.
  - destruct (eval n t [] a) as [| |x]; try discriminate. cbn [bind] in H. destruct (is_true x); [|injection H as <-; lia].
    destruct (eval n t [] b); try discriminate. injection H as <-. apply B.
  - destruct (eval n t [] a) as [| |x]; try discriminate. cbn [bind] in H. destruct (is_true x); [injection H as <-; lia|].
    destruct (eval n t [] b); try discriminate. injection H as <-. apply B.
Qed.
Lemma sum_back t e : summable (terms e) = true -> forall zs, valued t (terms e) zs ->
  exists z, eval n t [] e = Ok z /\ (n_wraps n = true \/ 0 <= z <= Z.of_nat (length (terms e))).
Proof.
  assert (Leaf : forall e, is_sum e = false -> summable (terms e) = true -> forall zs, valued t (terms e) zs ->
    exists z, eval n t [] e = Ok z /\ (n_wraps n = true \/ 0 <= z <= Z.of_nat (length (terms e)))).
  { intros x X S zs V. rewrite terms_leaf in * by trivial. inversion V as [|? z ? ? E R]; subst. exists z. split; [trivial|].
    unfold summable in S. apply orb_prop in S. destruct S as [S|S]; [auto|]. right. cbn [forallb] in S. split_and.
    simpl. apply (truth_value t x); trivial. }
  induction e as [| | | | | | | | |o a IHa b IHb| | | | | | | | |]; try (apply Leaf; reflexivity).
  destruct o; try (apply Leaf; reflexivity). cbn [terms]. intros S zs V.
  apply Forall2_app_inv_l in V. destruct V as (xs & ys & X & Y & ->). unfold summable in *. rewrite forallb_app, app_length in *.
  assert (K : forall l, (length l <= length (terms a) + length (terms b))%nat ->
    (forallb truth (terms a) && forallb truth (terms b) = true -> forallb truth l = true) ->
    n_wraps n || forallb truth l && (Z.of_nat (length l) <=? 2147483647) = true).
  { intros l L T. apply orb_prop in S. destruct S as [->|S]; [trivial|]. apply orb_true_intro. right. apply andb_prop in S. destruct S as [S1 S2].
    rewrite T by trivial. apply Z.leb_le in S2. apply Z.leb_le. lia. }
  destruct (IHa ltac:(apply K; [lia|intro T; apply andb_prop in T; tauto]) _ X) as (x & Ex & Bx).
  destruct (IHb ltac:(apply K; [lia|intro T; apply andb_prop in T; tauto]) _ Y) as (y & Ey & By).
  cbn [eval]. rewrite Ex, Ey. cbn [bind binary].
  destruct (n_wraps n) eqn:W.
  - unfold fit. destruct ((-2147483648 <=? x + y) && (x + y <=? 2147483647)); [exists (x + y)|exists (wrapped (x + y))]; auto.
  - cbn [orb] in S. split_and. destruct Bx as [|Bx]; [discriminate|]. destruct By as [|By]; [discriminate|].
    exists (x + y). split; [apply small_fit; unfold small; apply andb_true_intro; split; apply Z.leb_le; lia|right; lia].
Qed.
Lemma valued_permuted t l m : Permutation l m -> forall zs, valued t l zs -> exists ws, valued t m ws /\ sum_of ws = sum_of zs.
Proof.
  unfold valued. induction 1 as [|e l m P IH|x y l|l m o P IH Q JH]; intros zs V.
  - exists zs. auto.
  - inversion V as [|? z ? us E R]; subst. destruct (IH _ R) as (ws & A & B). exists (z :: ws). split; [constructor; trivial|]. simpl. lia.
  - inversion V as [|? z ? us E R]; subst. inversion R as [|? z' ? us' E' R']; subst. exists (z' :: z :: us').
    split; [repeat constructor; trivial|]. simpl. lia.
  - destruct (IH _ V) as (ws & A & B). destruct (JH _ A) as (us & C & D). exists us. split; [trivial|]. congruence.
Qed.
Lemma take_permutes e l m : take e l = Some m -> exists e', alike 0 e e' = true /\ Permutation (e' :: m) l.
Proof.
  revert m. induction l as [|x l IH]; intros m H; simpl in H; [discriminate|]. destruct (alike 0 e x) eqn:A.
  - injection H as <-. exists x. auto.
  - destruct (take e l) as [k|]; [|discriminate]. injection H as <-. destruct (IH _ eq_refl) as (y & B & P). exists y. split; [trivial|].
    eapply perm_trans; [apply perm_swap|]. apply perm_skip. trivial.
Qed.
Lemma paired_permutes l : forall l', paired l l' = true -> exists m, Forall2 (fun e e' => alike 0 e e' = true) l m /\ Permutation m l'.
Proof.
  induction l as [|e l IH]; intros l' H; simpl in H; [destruct l'; [|discriminate]; exists []; auto|].
  destruct (take e l') as [k|] eqn:T; [|discriminate]. destruct (take_permutes _ _ _ T) as (e' & A & P). destruct (IH _ H) as (m & F & Q).
  exists (e' :: m). split; [constructor; trivial|]. eapply perm_trans; [apply perm_skip; exact Q|]. trivial.
Qed.
Lemma valued_alike l m zs : Forall2 (fun e e' => alike 0 e e' = true) l m -> valued s l zs <-> valued s' m zs.
Proof.
  intro F. revert zs. unfold valued. induction F as [|e e' l m A F IH]; intro zs.
  - split; intro V; inversion V; constructor.
  - split; intro V; inversion V as [|? z ? us E R]; subst; constructor; try (apply IH; trivial).
    + rewrite (eval_same [] _ _ A). trivial.
    + rewrite <- (eval_same [] _ _ A). trivial.
Qed.
Definition no_value (a : res Z) : Prop := forall z, a <> Ok z.
Lemma sum_same e e' : sum_alike e e' = true ->
  (exists z, eval n s [] e = Ok z /\ eval n s' [] e' = Ok z) \/ (no_value (eval n s [] e) /\ no_value (eval n s' [] e')).
Proof.
  intro H. apply orb_prop in H. destruct H as [H|H].
  - rewrite (eval_same [] _ _ H). destruct (eval n s [] e) as [| |z]; [right|right|left; exists z; auto]; split; intro z; discriminate.
  - split_and. rename H0 into P. destruct (paired_permutes _ _ P) as (m & F & Q).
    destruct (eval n s [] e) as [| |z] eqn:E; [right|right|left; exists z; split; [trivial|]].
    3: { destruct (sum_forth s e z E) as (zs & V & M). apply (valued_alike _ _ _ F) in V. destruct (valued_permuted _ _ _ Q _ V) as (ws & V' & Es).
         destruct (sum_back s' e' ltac:(trivial) _ V') as (z' & E' & _). rewrite E'. f_equal.
         destruct (sum_forth s' e' z' E') as (us & U & M'). 
         assert (Eu : us = ws). { clear - U V'. unfold valued in *. revert ws V'. induction U as [|e z l us E U IH]; intros ws V; inversion V; subst; [trivial|]. f_equal; [congruence|auto]. }
         subst us. destruct e as [| | | | | | | | |o a b| | | | | | | | |]; try discriminate. destruct o; try discriminate.
         destruct e' as [| | | | | | | | |o a' b'| | | | | | | | |]; try discriminate. destruct o; try discriminate.
         cbn [eval] in E, E'. destruct (eval n s [] a), (eval n s [] b); try discriminate. destruct (eval n s' [] a'), (eval n s' [] b'); try discriminate.
         apply fit_mod in E, E'. apply small_unique; try tauto. rewrite M', Es, <- M. trivial. }
    all: split; [intro; discriminate|]; intros z E'; destruct (sum_forth s' e' z E') as (zs & V & _);
      apply Permutation_sym in Q; destruct (valued_permuted _ _ _ Q _ V) as (ws & V' & _); apply (valued_alike _ _ _ F) in V';
      destruct (sum_back s e ltac:(trivial) _ V') as (y & Y & _); congruence.
Qed.
Lemma sums_ask a a' : sums_alike a a' = true -> ask_alike (ask n s a) (ask n s' a').
Proof.
  destruct a as [e| |]; try discriminate. destruct e as [| | | | | | | | |o a b| | | | | | | | |]; try discriminate. destruct o; try discriminate.
  destruct a' as [e'| |]; try discriminate. destruct e' as [| | | | | | | | |o a' b'| | | | | | | | |]; try discriminate. destruct o; try discriminate.
  cbn [sums_alike]. intro H. split_and. subst. cbn [ask eval].
  destruct (sum_same _ _ H1) as [(x & -> & ->)|[X X']]; destruct (sum_same _ _ H0) as [(y & -> & ->)|[Y Y']]; cbn [bind binary]; simpl; trivial;
  repeat match goal with
  | N : no_value (eval n ?t [] ?e) |- _ => destruct (eval n t [] e); [clear N|clear N|destruct (N _ eq_refl)]
  end; simpl; trivial.
Qed.

Section Clocks.
Variables v v' : valuation.
Hypothesis clocks : linked_clocks v v'.

Lemma asks_is b a a' : ask_alike (ask n s a) (ask n s' a') -> is n b s v a <-> is n b s' v' a'.
Proof.
  intro H. unfold is. destruct (ask n s a) as [t|i j o c|], (ask n s' a') as [t'|i' j' o' c'|]; simpl in H; try tauto.
  - subst. tauto.
  - destruct H as (-> & -> & <- & <-). pose proof (clocks i) as X. pose proof (clocks j) as Y.
    assert (E : clock_compare o (val v i - val v j) (inject_Z c) <-> clock_compare o (val v' (clock_to i) - val v' (clock_to j)) (inject_Z c)).
    { destruct o; simpl; rewrite X, Y; reflexivity. }
    destruct b; tauto.
Qed.
Lemma is_alike b a a' : atom_alike a a' = true -> is n b s v a <-> is n b s' v' a'.
Proof. intro H. apply asks_is, atom_asks, H. Qed.
Lemma holds_alike g g' : Forall2 (fun a a' => atom_alike a a' = true) g g' -> holds n s v g -> holds n s' v' g'.
Proof.
  intros F H a' I. induction F as [|a b g g' A F IH]; [destruct I|]. destruct I as [->|I].
  - apply (is_alike true _ _ A). apply H. left; trivial.
  - apply IH; trivial. intros x X. apply H. right; trivial.
Qed.
End Clocks.

Lemma never_alike a a' : atom_alike a a' = true -> never n s a <-> never n s' a'.
Proof.
  intro H. apply atom_asks in H. unfold never. destruct (ask n s a), (ask n s' a'); simpl in H; try tauto; subst; try tauto; split; discriminate.
Qed.
Lemma constant_alike e : forall t e', alike t e e' = true -> constant e = constant e'.
Proof.
  induction e as [z|k|b size i IH|k|b size i IH|p l|a|a IH|a IH|o a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb c IHc|low high a IH| | | | |];
    intros t e' H; destruct e'; try discriminate; cbn [alike] in H; cbn [constant]; trivial; cbv zeta in H; split_and; eauto.
  - erewrite IHa, IHb by eassumption. trivial.
  - erewrite IHa, IHb by eassumption. trivial.
  - erewrite IHa, IHb by eassumption. trivial.
  - erewrite IHa, IHb, IHc by eassumption. trivial.
Qed.
Lemma fixed_alike e t e' : alike t e e' = true -> fixed e = fixed e'.
Proof.
  destruct e, e'; try discriminate; trivial. cbn [alike fixed]. intro H. split_and.
  destruct e; try (split_and; eapply constant_alike; eassumption).
  destruct e'; trivial; split_and; eapply constant_alike with (e := EConst z); eassumption.
Qed.
Lemma simple_expr_alike e : forall t e', alike t e e' = true -> simple_expr e = simple_expr e'.
Proof.
  induction e; intros t e' H; destruct e'; try discriminate; trivial.
  - exact (fixed_alike _ _ _ H).
  - cbn [alike] in H. cbn [simple_expr]. split_and. eauto.
  - cbn [alike] in H. cbn [simple_expr]. cbv zeta in H. split_and. subst. destruct o0; trivial.
    erewrite (constant_alike e1), (constant_alike e2), (fixed_alike e1), (fixed_alike e2) by eassumption. trivial.
Qed.
Lemma fixed_clock_alike x x' : clock_alike x x' = true -> fixed_clock x = fixed_clock x'.
Proof.
  destruct x as [x|b size i], x' as [x'|b' size' i']; simpl; try discriminate; trivial. intro H. split_and.
  destruct i; try (split_and; eapply constant_alike; eassumption).
  destruct i'; trivial; split_and; eapply constant_alike with (e := EConst z); eassumption.
Qed.
Lemma simple_alike a a' : atom_alike a a' = true -> simple a = simple a'.
Proof.
  destruct a, a'; simpl; try discriminate; intro H; [eapply simple_expr_alike; eassumption| |trivial]. split_and.
  erewrite (fixed_clock_alike x), (fixed_clock_alike y), (constant_alike c) by eassumption. trivial.
Qed.

Lemma forall2_in_r {A B} (R : A -> B -> Prop) a b y : Forall2 R a b -> In y b -> exists x, In x a /\ R x y.
Proof.
  intros F I. induction F as [|x z a b H F IH]; [destruct I|]. destruct I as [->|I]; [exists x; simpl; auto|].
  destruct (IH I) as (w & W & E). exists w; simpl; auto.
Qed.
Lemma forall2_in_l {A B} (R : A -> B -> Prop) a b x : Forall2 R a b -> In x a -> exists y, In y b /\ R x y.
Proof.
  intros F I. induction F as [|z y a b H F IH]; [destruct I|]. destruct I as [->|I]; [exists y; simpl; auto|].
  destruct (IH I) as (w & W & E). exists w; simpl; auto.
Qed.

Lemma errs_alike (no no' : atom -> Prop) g g' : (forall a a', atom_alike a a' = true -> no a <-> no' a') ->
  Forall2 (fun a a' => atom_alike a a' = true) g g' -> errs n s no g -> errs n s' no' g'.
Proof.
  intros N F [H (b & a & c & E & W & B)]. split.
  - intros a' I S. destruct (forall2_in_r _ _ _ _ F I) as (x & X & A). rewrite <- (N _ _ A). apply H; trivial.
    rewrite (simple_alike _ _ A). trivial.
  - subst g. apply Forall2_app_inv_l in F. destruct F as (b' & c' & F & G & ->).
    inversion G as [|x a' l c'' A G' E1 E2]; subst. exists b', a', c''. split; [trivial|]. split.
    + apply atom_asks in A. rewrite W in A. destruct (ask n s' a'); simpl in A; tauto.
    + intros x' I. destruct (forall2_in_r _ _ _ _ F I) as (x & X & A'). rewrite <- (N _ _ A'). auto.
Qed.
Lemma errs_back (no no' : atom -> Prop) g g' : (forall a a', atom_alike a a' = true -> no a <-> no' a') ->
  Forall2 (fun a a' => atom_alike a a' = true) g g' -> errs n s' no' g' -> errs n s no g.
Proof.
  intros N F [H (b & a & c & E & W & B)]. split.
  - intros x I S. destruct (forall2_in_l _ _ _ _ F I) as (x' & X & A). rewrite (N _ _ A). apply H; trivial.
    rewrite <- (simple_alike _ _ A). trivial.
  - subst g'. apply Forall2_app_inv_r in F. destruct F as (b' & c' & F & G & ->).
    inversion G as [|x a' l c'' A G' E1 E2]; subst. exists b', x, l. split; [trivial|]. split.
    + apply atom_asks in A. rewrite W in A. destruct (ask n s x); simpl in A; tauto.
    + intros y I. destruct (forall2_in_l _ _ _ _ F I) as (y' & X & A'). rewrite (N _ _ A'). auto.
Qed.
End States.

(* ---- Statements ---- *)

Lemma put_nth l z : forall k, match put l k z with
  | Ok l' => nth_error l k <> None /\ forall j, nth_error l' j = if (j =? k)%nat then Some z else nth_error l j
  | Err => nth_error l k = None
  | Fails => False
  end.
Proof.
  induction l as [|a l IH]; intros [|k]; simpl; trivial.
  - split; [discriminate|]. intros [|j]; trivial.
  - specialize (IH k). destruct (put l k z) as [| |l']; simpl; trivial. destruct IH as [A B].
    split; [trivial|]. intros [|j]; simpl; trivial.
Qed.

Definition upd_alike (u u' : upd) : Prop :=
  u_x u' = clock_to (u_x u) /\ u_y u' = clock_to (u_y u) /\ u_c u' = u_c u.
Definition linked_env (e e' : env) : Prop :=
  linked (en_state e) (en_state e') /\ en_frame e = en_frame e' /\ Forall2 upd_alike (en_updates e) (en_updates e').

Lemma variable_nth k :
  match nth_error (n_variables n) k, nth_error (n_variables n) (slot k) with
  | Some v, Some v' => v_low v = v_low v' /\ v_high v = v_high v' /\
      forall z, (v_low v <=? value (sort k) z) && (value (sort k) z <=? v_high v) = (v_low v <=? z) && (z <=? v_high v)
  | None, None => True
  | _, _ => False
  end.
Proof.
  destruct symmetry_means as (_ & _ & _ & _ & I & L & _ & V & _).
  destruct (Nat.lt_ge_cases k (length (n_variables n))) as [B|B].
  - unfold variables_alike in V. rewrite forallb_forall in V. specialize (V k). rewrite in_seq in V. specialize (V ltac:(lia)).
    destruct (nth_error (n_variables n) k) as [v|]; [|discriminate].
    destruct (nth_error (n_variables n) (slot k)) as [v'|]; [|discriminate].
    apply andb_prop in V. destruct V as [V R]. split_and. split; [trivial|split; [trivial|]]. intro z.
    rewrite forallb_forall in R. unfold value. destruct (swap_cases (pairs (sort k)) z) as [[_ ->]|J]; [trivial|].
    specialize (R _ J). cbn [fst snd] in R. apply andb_prop in R. destruct R as [R R4]. apply andb_prop in R. destruct R as [R R3].
    rewrite R, R3, R4. trivial.
  - unfold slot. rewrite goes_beyond by lia. rewrite (proj2 (nth_error_None _ _)); trivial.
Qed.

Lemma store_alike e e' k z : linked_env e e' ->
  alike_res linked_env (store n e k z) (store n e' (slot k) (value (sort k) z)).
Proof.
  intros (S & F & U). unfold store. pose proof (variable_nth k) as V.
  destruct (nth_error (n_variables n) k) as [x|], (nth_error (n_variables n) (slot k)) as [x'|]; try tauto.
  destruct V as (<- & <- & V). rewrite V. destruct ((v_low x <=? z) && (z <=? v_high x)); [|exact I].
  pose proof (put_nth (vars (en_state e)) z k) as A. pose proof (put_nth (vars (en_state e')) (value (sort k) z) (slot k)) as B.
  destruct S as (S1 & S2 & S3). rewrite (S2 k) in B.
  destruct (put (vars (en_state e)) k z) as [| |l]; [tauto| |]; destruct (put (vars (en_state e')) _ _) as [| |l']; simpl; try tauto.
  - destruct B as [B _]. rewrite A in B. simpl in B. congruence.
  - destruct A as [A _]. destruct (nth_error (vars (en_state e)) k); simpl in B; congruence.
  - destruct A as [_ A], B as [_ B]. split; [|auto]. split; [exact S1|]. simpl. split; [|exact S3]. intro j. rewrite A, B.
    destruct (Nat.eqb_spec j k) as [->|N]; [rewrite Nat.eqb_refl; trivial|].
    destruct (Nat.eqb_spec (slot j) (slot k)) as [E|_]; [apply slot_injective in E; tauto|apply S2].
Qed.
Lemma store_local_alike e e' k z : linked_env e e' -> alike_res linked_env (store_local e k z) (store_local e' k z).
Proof.
  intros (S & F & U). unfold store_local. rewrite <- F. destruct (put (en_frame e) k z); simpl; trivial. split; [exact S|auto].
Qed.

Definition linked_turn (x y : env * bool) : Prop := linked_env (fst x) (fst y) /\ snd x = snd y.
Lemma turns_alike step step' : (forall e e', linked_env e e' -> alike_res linked_turn (step e) (step' e')) ->
  forall k e e', linked_env e e' -> alike_res linked_turn (turns k step e) (turns k step' e').
Proof.
  intros H k. induction k as [|k IH]; intros e e' L; simpl; [auto|].
  eapply alike_bind; [apply IH; exact L|]. intros [x b] [y b'] [X Y]. simpl in *. subst b'.
  destruct b; [apply IH; trivial|split; trivial].
Qed.

Lemma element_step {e e'} (b b' : nat) (size : Z) i i' (f : nat -> res env) f' : linked_env e e' ->
  match i, i' with
  | EConst z, EConst z' => same_element slot b b' size z z'
  | _, _ => alike (sort_of i) i i' && moves_along slot b b' size (sort_of i)
  end = true ->
  (forall m, match i with EConst z => m = (b + Z.to_nat z)%nat | _ => (b <= m < b + Z.to_nat size)%nat end ->
             alike_res linked_env (f m) (f' (slot m))) ->
  alike_res linked_env (k <- eval n (en_state e) (en_frame e) i ; m <- index b size k ; f m)
                       (k <- eval n (en_state e') (en_frame e') i' ; m <- index b' size k ; f' m).
Proof.
  intros (S & F & U) H K.
  assert (G : (forall m, (b <= m < b + Z.to_nat size)%nat -> alike_res linked_env (f m) (f' (slot m))) ->
              alike (sort_of i) i i' && moves_along slot b b' size (sort_of i) = true ->
              alike_res linked_env (k <- eval n (en_state e) (en_frame e) i ; m <- index b size k ; f m)
                       (k <- eval n (en_state e') (en_frame e') i' ; m <- index b' size k ; f' m)).
  { intros K' J. apply andb_prop in J. destruct J as [J1 J2]. rewrite <- F.
    eapply alike_bind; [apply eval_alike; [exact S|exact J1]|]. cbv beta. intros z z' ->.
    eapply alike_bind; [apply index_alike; exact J2|]. cbv beta. intros m m' [-> L]. auto. }
  destruct i; try (apply G; [exact K|exact H]; fail). destruct i'; try discriminate.
  destruct (element_index _ _ _ _ _ _ H) as (A & B & C & D). cbn [eval]. rewrite A, B. cbn [bind]. rewrite C, D. cbn [bind]. auto.
Qed.

Opaque turns.
Lemma run_step c e : run n c e =
  match c with
  | SNop => Ok e
  | SSeq a b => e' <- run n a e ; run n b e'
  | SVar k a => z <- eval n (en_state e) (en_frame e) a ; store n e k z
  | SElem b size i a =>
      k <- eval n (en_state e) (en_frame e) i ; m <- index b size k ; z <- eval n (en_state e) (en_frame e) a ; store n e m z
  | SLocal k a => z <- eval n (en_state e) (en_frame e) a ; store_local e k z
  | SLocalElem b size i a =>
      k <- eval n (en_state e) (en_frame e) i ; m <- index b size k ; z <- eval n (en_state e) (en_frame e) a ; store_local e m z
  | SClock x y a =>
      i <- clock_of n (en_state e) (en_frame e) x ; j <- clock_of n (en_state e) (en_frame e) y ; z <- eval n (en_state e) (en_frame e) a ;
      if (j =? 0)%nat && (z <? 0) then Err
      else Ok (Env (en_state e) (en_frame e) (Upd i j z :: en_updates e))
  | SIf c a b => z <- eval n (en_state e) (en_frame e) c ; if is_true z then run n a e else run n b e
  | SWhile c a =>
      r <- turns 24 (fun e => z <- eval n (en_state e) (en_frame e) c ;
                              if is_true z then e' <- run n a e ; Ok (e', true) else Ok (e, false)) e ;
      if snd r : bool then Err else Ok (fst r)
  end.
Proof. destruct c; reflexivity. Qed.
Lemma run_alike c : forall c' e e', stmt_alike c c' = true -> linked_env e e' -> alike_res linked_env (run n c e) (run n c' e').
Proof.
  induction c as [|a IHa b IHb|k x|b size i x|k x|b size i x|x y z|x a IHa b IHb|x a IHa];
    intros c' e e' H L; destruct c'; try discriminate; cbn [stmt_alike] in H; rewrite (run_step _ e), (run_step _ e'); cbv iota beta; pose proof L as (S & F & U).
  - exact L.
  - split_and. eapply alike_bind; [apply IHa; eassumption|]. auto.
  - split_and. subst. rewrite <- F. eapply alike_bind; [apply eval_alike; eassumption|]. cbv beta. intros z z' ->. apply store_alike; trivial.
  - apply andb_prop in H. destruct H as [E H]. apply Z.eqb_eq in E. subst size0.
    apply (@element_step e e' b base size i i0 (fun m => z <- eval n (en_state e) (en_frame e) x ; store n e m z)
             (fun m => z <- eval n (en_state e') (en_frame e') e0 ; store n e' m z)); [exact L| |].
    + destruct i; try (split_and; rewrite H, H2; trivial; fail). destruct i0; split_and; trivial; rewrite H, H2; trivial.
    + intros m M. rewrite <- F.
      assert (X : alike (sort m) x e0 = true).
      { destruct i; try (split_and; rewrite (all_sorts_in _ _ _ _ H1 M); trivial; fail).
        destruct i0; try discriminate. subst m. split_and. trivial. }
      eapply alike_bind; [apply eval_alike; eassumption|]. cbv beta. intros z z' ->. apply store_alike; trivial.
  - split_and. subst. rewrite <- F. eapply alike_bind; [apply eval_alike; eassumption|]. cbv beta. intros z z' ->. apply store_local_alike; trivial.
  - split_and. subst. rewrite <- F, (eval_same _ _ S _ _ _ H1), (eval_same _ _ S _ _ _ H0).
    destruct (eval n (en_state e) (en_frame e) i) as [| |k]; simpl; trivial. destruct (index base size0 k); simpl; trivial.
    destruct (eval n (en_state e) (en_frame e) x); simpl; trivial. apply store_local_alike; trivial.
  - split_and. rewrite <- F. eapply alike_bind; [apply clock_of_alike; eassumption|]. cbv beta. intros j j' ->.
    eapply alike_bind; [apply clock_of_alike; eassumption|]. cbv beta. intros k k' ->.
    rewrite (eval_same _ _ S _ _ _ H0). destruct (eval n (en_state e) (en_frame e) z) as [| |w]; simpl; trivial.
    assert (Z0 : (clock_to k =? 0)%nat = (k =? 0)%nat).
    { destruct symmetry_means as (_ & _ & _ & C0 & _). destruct (Nat.eqb_spec k 0) as [->|N]; [rewrite C0; trivial|].
      destruct (Nat.eqb_spec (clock_to k) 0) as [E|_]; [|trivial]. rewrite <- C0 in E. apply clock_injective in E. tauto. }
    rewrite Z0. destruct ((k =? 0)%nat && (w <? 0)); simpl; trivial. split; [exact S|split; [reflexivity|]].
    constructor; [|exact U]. repeat split.
  - split_and. rewrite <- F, (eval_same _ _ S _ _ _ H). destruct (eval n (en_state e) (en_frame e) x) as [| |w]; simpl; trivial.
    destruct (is_true w); auto.
  - split_and. eapply alike_bind; [eapply turns_alike; [|exact L]|].
    + intros e1 e1' L1. pose proof L1 as (S1 & F1 & _). rewrite <- F1, (eval_same _ _ S1 _ _ _ H).
      destruct (eval n (en_state e1) (en_frame e1) x) as [| |w]; simpl; trivial. destruct (is_true w); [|split; trivial].
      eapply alike_bind; [apply IHa; eassumption|]. intros e2 e2' L2. split; trivial.
    + intros [x1 b1] [y1 b2] [A B]. simpl in *. subst b2. destruct b1; simpl; trivial.
Qed.
Transparent turns.

(* ---- Joint transitions ---- *)

Definition edges_alike (e e' : edge) : Prop := edge_alike (e_process e) e e' = true.
Lemma edge_means p e e' : edge_alike p e e' = true ->
  e_process e = p /\ edges_alike e e' /\ e_process e' = process p /\ (e_target e = e_target e' /\ excluded p (e_target e) = false) /\
  is_shared p (e_event e) = is_shared (process p) (e_event e') /\
  (is_shared p (e_event e) = true -> event p (e_event e) = e_event e') /\
  Forall2 (fun a a' => atom_alike a a' = true) (e_guard e) (e_guard e') /\ e_locals e = e_locals e' /\
  stmt_alike (e_update e) (e_update e') = true.
Proof.
  intro H. assert (E : e_process e = p) by (unfold edge_alike in H; split_and; trivial).
  split; [trivial|]. split; [unfold edges_alike; rewrite E; trivial|]. unfold edge_alike in H.
  apply andb_prop in H. destruct H as [H Up]. apply andb_prop in H. destruct H as [H Lo]. apply andb_prop in H. destruct H as [H Gu].
  apply andb_prop in H. destruct H as [H Ev]. apply andb_prop in H. destruct H as [H Sh]. apply andb_prop in H. destruct H as [H Ex].
  apply negb_true_iff in Ex. split_and. split; [trivial|]. split; [auto|]. split; [trivial|]. split; [|split; [apply all2_sound; trivial|auto]].
  intro T. rewrite T in Ev. simpl in Ev. apply Nat.eqb_eq. trivial.
Qed.

Lemma is_shared_iff p ev : is_shared p ev = true <-> shared n p ev.
Proof.
  unfold is_shared, shared. split.
  - intro H. apply existsb_exists in H. destruct H as (ps & I & H). apply existsb_exists in H. destruct H as (x & J & H).
    split_and. eauto 6.
  - intros (ps & x & I & J & <- & <-). apply existsb_exists. exists ps. split; [trivial|]. apply existsb_exists. exists x.
    rewrite !Nat.eqb_refl. auto.
Qed.

Lemma guards_alike es es' : Forall2 edges_alike es es' -> Forall2 (fun a a' => atom_alike a a' = true) (guard es) (guard es').
Proof.
  intro F. induction F as [|e e' es es' E F IH]; [constructor|]. unfold guard. simpl. apply Forall2_app; [|exact IH].
  apply edge_means in E. apply E.
Qed.

Section Joint.
Variables s s' : state.
Hypothesis link : linked s s'.

Lemma here_alike p e : here n s p e -> exists e', here n s' (process p) e' /\ edge_alike p e e' = true.
Proof.
  intros (l & E & I). pose proof (location_linked s s' link p) as L. rewrite E in L.
  destruct (location_of n s' (process p)) as [l'|] eqn:E'; [|tauto]. unfold location_alike in L.
  apply andb_prop in L. destruct L as [L _]. apply andb_prop in L. destruct L as [_ L].
  rewrite forallb_forall in L. specialize (L _ I). apply existsb_exists in L. destruct L as (e' & J & A).
  exists e'. split; [exists l'; auto|trivial].
Qed.
Lemma here_back p e' : here n s' (process p) e' -> exists e, here n s p e /\ edge_alike p e e' = true.
Proof.
  intros (l' & E & I). pose proof (location_linked s s' link p) as L. rewrite E in L.
  destruct (location_of n s p) as [l|] eqn:E'; [|tauto]. unfold location_alike in L. apply andb_prop in L. destruct L as [_ L].
  rewrite forallb_forall in L. specialize (L _ I). apply existsb_exists in L. destruct L as (e & J & A).
  exists e. split; [exists l; auto|trivial].
Qed.
Lemma committed_alike p : committed n s p <-> committed n s' (process p).
Proof.
  pose proof (location_linked s s' link p) as L. unfold committed. split; intros (l & E & C).
  - rewrite E in L. destruct (location_of n s' (process p)) as [l'|]; [|tauto]. exists l'. split; [trivial|].
    unfold location_alike in L. split_and. congruence.
  - rewrite E in L. destruct (location_of n s p) as [l'|]; [|tauto]. exists l'. split; [trivial|].
    unfold location_alike in L. split_and. congruence.
Qed.

Lemma part_means a a' : part_alike a a' = true ->
  process (p_process a) = p_process a' /\ event (p_process a) (p_event a) = p_event a' /\ p_kind a = p_kind a'.
Proof. unfold part_alike. intro H. split_and. auto. Qed.
Variables v v' : valuation.
Hypothesis clocks : linked_clocks v v'.
Lemma refuses_alike p e e' : edge_alike p e e' = true -> refuses n s v e <-> refuses n s' v' e'.
Proof.
  intro E. apply edge_means in E. destruct E as (_ & _ & _ & _ & _ & _ & G & _). unfold refuses. split; intros [(a & I & F) E].
  - destruct (forall2_in_l _ _ _ _ G I) as (a' & I' & A). split.
    + exists a'. split; [trivial|]. apply (is_alike s s' link v v' clocks false _ _ A). trivial.
    + intro X. apply E. eapply errs_back; [exact link| |exact G|exact X]. intros x x' B. apply (is_alike s s' link v v' clocks false _ _ B).
  - destruct (forall2_in_r _ _ _ _ G I) as (a' & I' & A). split.
    + exists a'. split; [trivial|]. apply (is_alike s s' link v v' clocks false _ _ A). trivial.
    + intro X. apply E. eapply errs_alike; [exact link| |exact G|exact X]. intros x x' B. apply (is_alike s s' link v v' clocks false _ _ B).
Qed.
Lemma joins_alike all ps' : In ps' (n_syncs n) -> In all (n_syncs n) -> forall ps es, incl ps all ->
  joins n s v ps es -> forall qs, incl qs ps' ->
  Forall2 (fun a b => part_alike a b = true) ps qs -> exists es', joins n s' v' qs es' /\ Forall2 edges_alike es es'.
Proof.
  intros P A ps es In_ J. induction J as [|p ps e es H E Nr J IH|p ps es W N J IH]; intros qs Iq F.
  - inversion F; subst. exists []. split; constructor.
  - inversion F as [|x x' l l' X F' E1 E2]; subst. destruct (IH (fun x y => In_ x (or_intror y)) l' (fun x y => Iq x (or_intror y)) F') as (es' & J' & G).
    destruct (here_alike _ _ H) as (e' & H' & Ed). exists (e' :: es').
    apply part_means in X. destruct X as (X1 & X2 & X3). pose proof (refuses_alike _ _ _ Ed) as Rf. apply edge_means in Ed. destruct Ed as (Pe & Ea & _ & _ & _ & Ev & _).
    split; [|constructor; trivial]. constructor; [rewrite <- X1; trivial| |rewrite <- X3, <- Rf; trivial|trivial].
    rewrite <- Ev, E; [trivial|]. apply is_shared_iff. exists all, p. split; [trivial|]. split; [apply In_; left; trivial|auto].
  - inversion F as [|x x' l l' X F' E1 E2]; subst. destruct (IH (fun x y => In_ x (or_intror y)) l' (fun x y => Iq x (or_intror y)) F') as (es' & J' & G).
    exists es'. split; [|trivial]. apply part_means in X. destruct X as (X1 & X2 & X3). constructor; [congruence| |trivial].
    intros e' H' Ee. rewrite <- X1 in H'. destruct (here_back _ _ H') as (e & He & Ed).
    pose proof (refuses_alike _ _ _ Ed) as Rf. rewrite <- X3, <- Rf. apply edge_means in Ed. destruct Ed as (Pe & Ea & _ & _ & Sh & Ev & _).
    assert (T : is_shared (process (p_process p)) (e_event e') = true).
    { apply is_shared_iff. exists ps', x'. split; [trivial|]. split; [apply Iq; left; trivial|auto]. }
    rewrite T in Sh. specialize (Ev Sh). apply is_shared_iff in Sh. destruct Sh as (rs & y & I1 & I2 & Y1 & Y2).
    apply (N e He). rewrite <- Y2. destruct symmetry_means as (_ & _ & _ & _ & _ & _ & _ & _ & A1 & _).
    unfold events_apart in A1. cbv zeta in A1. rewrite forallb_forall in A1.
    assert (Iy : In y (concat (n_syncs n))) by (apply in_concat; eauto).
    assert (Ip : In p (concat (n_syncs n))) by (apply in_concat; exists all; split; [trivial|apply In_; left; trivial]).
    specialize (A1 y Iy). rewrite forallb_forall in A1. specialize (A1 p Ip). apply orb_prop in A1. destruct A1 as [A1|A1]; [|apply Nat.eqb_eq; trivial].
    exfalso. rewrite Y1, Nat.eqb_refl, Y2, Ev, Ee, <- X2, Nat.eqb_refl in A1. discriminate.
Qed.

(* The order of the parts does not matter. *)
Lemma joins_permuted ps ps' : Permutation ps ps' -> forall es, joins n s' v' ps es -> exists es', joins n s' v' ps' es' /\ Permutation es es'.
Proof.
  intro P. induction P as [|a ps ps' P IH|a b ps|ps1 ps2 ps3 P1 IH1 P2 IH2]; intros es J.
  - inversion J; subst. exists []. split; constructor.
  - inversion J as [|x xs e es0 H E Nr J' E1 E2|x xs es0 W N J' E1 E2]; subst.
    + destruct (IH _ J') as (es' & A & B). exists (e :: es'). split; constructor; trivial.
    + destruct (IH _ J') as (es' & A & B). exists es'. split; [apply joins_skip; trivial|trivial].
  - inversion J as [|x xs e es0 H E Nr J' E1 E2|x xs es0 W N J' E1 E2]; subst;
    inversion J' as [|y ys f es1 H' E' Nr' J2 E3 E4|y ys es1 W' N' J2 E3 E4]; subst.
    + exists (f :: e :: es1). split; [constructor; trivial; constructor; trivial|apply perm_swap].
    + exists (e :: es0). split; [apply joins_skip; trivial; constructor; trivial|apply Permutation_refl].
    + exists (f :: es1). split; [constructor; trivial; apply joins_skip; trivial|apply Permutation_refl].
    + exists es. split; [apply joins_skip; trivial; apply joins_skip; trivial|apply Permutation_refl].
  - destruct (IH1 _ J) as (es' & A & B). destruct (IH2 _ A) as (es'' & A' & B'). exists es''. split; [trivial|eapply Permutation_trans; eauto].
Qed.
Lemma same_part_eq a b : same_part a b = true -> a = b.
Proof. destruct a, b. unfold same_part. simpl. intro H. split_and. congruence. Qed.
Lemma remove_part_permutation a l : forall m, remove_part a l = Some m -> Permutation l (a :: m).
Proof.
  induction l as [|b l IH]; intros m H; simpl in H; [discriminate|]. destruct (same_part a b) eqn:E.
  - apply same_part_eq in E. injection H as <-. subst. apply Permutation_refl.
  - destruct (remove_part a l) as [k|]; [|discriminate]. injection H as <-. specialize (IH _ eq_refl).
    eapply Permutation_trans; [apply perm_skip; exact IH|apply perm_swap].
Qed.
Lemma permuted_permutation a : forall b, permuted a b = true -> Permutation a b.
Proof.
  induction a as [|x a IH]; intros b H; simpl in H; [destruct b; [apply perm_nil|discriminate]|].
  destruct (remove_part x b) as [m|] eqn:E; [|discriminate]. apply remove_part_permutation in E.
  apply Permutation_sym. eapply Permutation_trans; [exact E|]. apply perm_skip, Permutation_sym, IH. trivial.
Qed.

Lemma distinct_nodup l : distinct l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; intro H; [constructor|]. simpl in H. apply andb_prop in H. destruct H as [A B]. constructor; [|auto].
  intro I. apply negb_true_iff in A. assert (existsb (Nat.eqb x) l = true); [|congruence].
  apply existsb_exists. exists x. split; [trivial|apply Nat.eqb_refl].
Qed.
Lemma here_process p e : here n s' (process p) e -> e_process e = process p.
Proof. intro H. destruct (here_back _ _ H) as (e0 & _ & E). apply edge_means in E. apply E. Qed.
Lemma here_any p e : here n s' p e -> e_process e = p.
Proof. intro H. destruct (process_back p) as [_ B]. rewrite <- B in H |- *. apply here_process. trivial. Qed.
Lemma joins_part ps es : joins n s' v' ps es -> forall e, In e es -> exists a, In a ps /\ e_process e = p_process a /\ In e (edges_of a).
Proof.
  induction 1 as [|p ps e es H E Nr J IH|p ps es W N J IH]; intros x I; [destruct I| |].
  - destruct I as [<-|I].
    + exists p. split; [left; trivial|]. split; [apply here_any; trivial|]. unfold edges_of. apply filter_In.
      split; [|apply Nat.eqb_eq; trivial]. destruct H as (l & L & Il). apply in_flat_map. exists l. split; [|trivial].
      unfold location_of in L. destruct (nth_error (n_processes n) (p_process p)) as [ls|] eqn:N; [|discriminate].
      rewrite (nth_error_nth _ _ _ N). destruct (nth_error (locs s') (p_process p)); [|discriminate]. apply nth_error_In in L. trivial.
    + destruct (IH x I) as (a & A & B). exists a. split; [right|]; trivial.
  - destruct (IH x I) as (a & A & B). exists a. split; [right|]; trivial.
Qed.
Lemma joins_nodup ps es : joins n s' v' ps es -> NoDup (map p_process ps) -> NoDup (map e_process es).
Proof.
  induction 1 as [|p ps e es H E Nr J IH|p ps es W N J IH]; intro D; [constructor| |]; simpl in D; inversion D as [|x l X D']; subst; [|auto].
  simpl. constructor; [|auto]. rewrite (here_any _ _ H). intro I. apply X. apply in_map_iff in I. destruct I as (f & F & I).
  destruct (joins_part _ _ J _ I) as (a & A & B & _). apply in_map_iff. exists a. split; [congruence|trivial].
Qed.
Definition gentle (es : list edge) : Prop :=
  NoDup (map e_process es) /\ (forall e, In e es -> is_calm e = true) /\
  (forall e e', In e es -> In e' es -> e_process e <> e_process e' -> disjoint e e' = true).
Lemma calm_gentle ps es : calm ps = true -> joins n s' v' ps es -> gentle es.
Proof.
  unfold calm. intros C J. apply andb_prop in C. destruct C as [C C3]. apply andb_prop in C. destruct C as [C1 C2].
  rewrite forallb_forall in C2, C3. split; [eapply joins_nodup; eauto; apply distinct_nodup; trivial|]. split.
  - intros e I. destruct (joins_part _ _ J _ I) as (a & A & _ & B). specialize (C2 _ A). rewrite forallb_forall in C2. auto.
  - intros e e' I I' N. destruct (joins_part _ _ J _ I) as (a & A & P & B). destruct (joins_part _ _ J _ I') as (a' & A' & P' & B').
    specialize (C3 _ A). rewrite forallb_forall in C3. specialize (C3 _ A'). apply orb_prop in C3. destruct C3 as [C3|C3].
    + apply Nat.eqb_eq in C3. congruence.
    + rewrite forallb_forall in C3. specialize (C3 _ B). rewrite forallb_forall in C3. auto.
Qed.

(* The edges in their order, and in another one where that does not matter. *)
Definition reordered (es es' : list edge) : Prop := es = es' \/ Permutation es es' /\ gentle es'.
Lemma joint_alike es : joint n s v es -> exists es0 es', joint n s' v' es' /\ Forall2 edges_alike es es0 /\ reordered es0 es'.
Proof.
  intros [J C].
  assert (K : exists es0 es', Forall2 edges_alike es es0 /\ reordered es0 es' /\
    ((exists ps, In ps (n_syncs n) /\ joins n s' v' ps es' /\ es' <> []) \/
     (exists p e, es' = [e] /\ In p (processes n) /\ here n s' p e /\ ~ shared n p (e_event e)))).
  { destruct J as [(ps & I & J & N)|(p & e & -> & I & H & N)].
    - destruct symmetry_means as (_ & _ & _ & _ & _ & _ & _ & _ & _ & Sy & _). unfold syncs_alike in Sy.
      rewrite forallb_forall in Sy. specialize (Sy _ I). apply existsb_exists in Sy. destruct Sy as (ps' & I' & Sy).
      apply orb_prop in Sy. destruct Sy as [Sy|Sy].
      + apply all2_sound in Sy.
        destruct (joins_alike ps ps' I' I ps es (incl_refl _) J ps' (incl_refl _) Sy) as (es' & J' & F).
        exists es', es'. split; [trivial|]. split; [left; trivial|left]. exists ps'. split; [trivial|split; [trivial|]]. intros ->. inversion F; subst. tauto.
      + apply andb_prop in Sy. destruct Sy as [Pe Ca]. apply permuted_permutation in Pe.
        assert (F0 : Forall2 (fun a b => part_alike a b = true) ps (map image ps)).
        { clear. induction ps as [|a ps IH]; simpl; constructor; [|trivial]. unfold part_alike, image. simpl.
          rewrite !Nat.eqb_refl. destruct (p_kind a); trivial. }
        destruct (joins_alike ps ps' I' I ps es (incl_refl _) J (map image ps) (fun x X => Permutation_in x Pe X) F0) as (es0 & J0 & F).
        destruct (joins_permuted _ _ Pe _ J0) as (es' & J' & Pe').
        exists es0, es'. split; [trivial|]. split; [right; split; [trivial|eapply calm_gentle; eauto]|left]. exists ps'. split; [trivial|split; [trivial|]].
        intros ->. apply Permutation_sym, Permutation_nil in Pe'. subst. inversion F; subst. tauto.
    - destruct (here_alike _ _ H) as (e' & H' & Ed). exists [e'], [e']. apply edge_means in Ed. destruct Ed as (Pe & Ea & _ & _ & Sh & _).
      split; [constructor; [trivial|constructor]|]. split; [left; trivial|]. right. exists (process p), e'. split; [trivial|]. split; [apply in_processes; trivial|].
      split; [trivial|]. rewrite <- is_shared_iff, <- Sh, is_shared_iff. trivial. }
  destruct K as (es0 & es' & F & Re & K). exists es0, es'. split; [split; [trivial|]|auto]. intros (p & I & Cp).
  destruct (process_back p) as [_ B]. rewrite <- B in Cp, I. rewrite in_processes in I. rewrite <- committed_alike in Cp.
  destruct C as (e & Ie & Ce); [eauto|]. destruct (forall2_in_l _ _ _ _ F Ie) as (e' & Ie' & E). exists e'. split.
  - destruct Re as [->|[Pe _]]; [trivial|]. eapply Permutation_in; eauto.
  - apply edge_means in E. destruct E as (_ & _ & -> & _). rewrite <- committed_alike. trivial.
Qed.
End Joint.

Lemma set1_val u v x : (val (set1 u v) x == if (x =? u_x u)%nat && negb (x =? 0)%nat then val v (u_y u) + inject_Z (u_c u) else val v x)%Q.
Proof.
  unfold set1. destruct (u_x u) as [|k]; [destruct x; simpl; reflexivity|]. destruct x as [|x]; simpl; [reflexivity|].
  destruct (x =? k)%nat; simpl; reflexivity.
Qed.
(* ---- Edges that only set clocks, in another order ---- *)

Lemma resets_run c : forall l e, resets c = Some l -> run n c e = Ok (Env (en_state e) (en_frame e) (rev l ++ en_updates e)).
Proof.
  induction c as [|a IHa b IHb|k x|b size i x|k x|b size i x|x y z|x a IHa b IHb|x a IHa]; intros l e H; try discriminate.
  - injection H as <-. destruct e. trivial.
  - simpl in H. destruct (resets a) as [la|] eqn:A; [|discriminate]. destruct (resets b) as [lb|] eqn:B; [|discriminate]. injection H as <-.
    rewrite (run_step _ e). rewrite (IHa la e eq_refl). cbn [bind]. rewrite (IHb lb _ eq_refl). simpl. rewrite rev_app_distr, app_assoc. trivial.
  - simpl in H. destruct x as [x|]; [|discriminate]. destruct y as [[|y]|]; try discriminate. destruct z; try discriminate.
    destruct (small z && (0 <=? z)) eqn:E; [|discriminate]. injection H as <-. apply andb_prop in E. destruct E as [E F].
    rewrite (run_step _ e). cbn [clock_of bind eval]. rewrite (small_fit _ _ E). cbn [bind]. apply Z.leb_le in F.
    assert (G : (z <? 0) = false) by (apply Z.ltb_ge; trivial). rewrite G. trivial.
Qed.
Lemma resets_zero c : forall l, resets c = Some l -> Forall (fun u => u_y u = 0%nat /\ 0 <= u_c u) l.
Proof.
  induction c as [|a IHa b IHb|k x|b size i x|k x|b size i x|x y z|x a IHa b IHb|x a IHa]; intros l H; try discriminate.
  - injection H as <-. constructor.
  - simpl in H. destruct (resets a) as [la|]; [|discriminate]. destruct (resets b) as [lb|]; [|discriminate]. injection H as <-.
    apply Forall_app. auto.
  - simpl in H. destruct x as [x|]; [|discriminate]. destruct y as [[|y]|]; try discriminate. destruct z; try discriminate.
    destruct (small z && (0 <=? z)) eqn:E; [|discriminate]. injection H as <-. apply andb_prop in E. destruct E as [E F].
    apply Z.leb_le in F. constructor; [split; trivial|constructor].
Qed.
Definition all_sets (es : list edge) : list upd := flat_map sets es.
Lemma calm_updates s es : (forall e, In e es -> is_calm e = true) -> forall us, updates n s us (map code es) = Ok (s, rev us ++ all_sets es).
Proof.
  induction es as [|e es IH]; intros C us; simpl; [rewrite app_nil_r; trivial|].
  pose proof (C e (or_introl eq_refl)) as Ce. unfold is_calm in Ce. apply andb_prop in Ce. destruct Ce as [_ Ce].
  unfold sets at 1. destruct (resets (e_update e)) as [l|] eqn:E; [|discriminate]. rewrite (resets_run _ _ _ E). cbn [bind en_state en_updates].
  rewrite IH by (intros x X; apply C; right; trivial). rewrite rev_app_distr, rev_involutive, app_assoc. trivial.
Qed.
Lemma calm_zero es : (forall e, In e es -> is_calm e = true) -> Forall (fun u => u_y u = 0%nat /\ 0 <= u_c u) (all_sets es).
Proof.
  induction es as [|e es IH]; intro C; simpl; [constructor|]. apply Forall_app. split; [|apply IH; intros x X; apply C; right; trivial].
  unfold sets. destruct (resets (e_update e)) as [l|] eqn:E; [eapply resets_zero; eauto|constructor].
Qed.
Lemma zero_not_negative us : Forall (fun u => u_y u = 0%nat /\ 0 <= u_c u) us -> forall v, ~ negative us v.
Proof.
  induction 1 as [|u us [Y C] F IH]; intros v N; simpl in N; [trivial|]. destruct N as [N|N]; [|apply (IH _ N)].
  rewrite Y in N. simpl in N. rewrite Zle_Qle in C. change (inject_Z 0) with 0%Q in C. lra.
Qed.
(* What a clock is set to at last. *)
Fixpoint final (us : list upd) (x : nat) : option Z :=
  match us with
  | [] => None
  | u :: us => match final us x with Some c => Some c | None => if (u_x u =? x)%nat then Some (u_c u) else None end
  end.
Lemma final_val us : Forall (fun u => u_y u = 0%nat /\ 0 <= u_c u) us -> forall x v,
  (val (set_all us v) x == match x with O => 0 | _ => match final us x with Some c => inject_Z c | None => val v x end end)%Q.
Proof.
  induction 1 as [|u us [Y C] F IH]; intros x v; [destruct x; reflexivity|]. unfold set_all in *. simpl. rewrite IH.
  destruct x as [|x]; [reflexivity|]. destruct (final us (S x)); [reflexivity|]. rewrite set1_val, Y, (Nat.eqb_sym (S x)).
  destruct (u_x u =? S x)%nat; simpl; [lra|reflexivity].
Qed.
Lemma final_app a b x : final (a ++ b) x = match final b x with Some c => Some c | None => final a x end.
Proof. induction a as [|u a IH]; simpl; [destruct (final b x); trivial|]. rewrite IH. destruct (final b x); trivial. Qed.
Lemma final_in us x c : final us x = Some c -> exists u, In u us /\ u_x u = x.
Proof.
  induction us as [|u us IH]; simpl; [discriminate|]. destruct (final us x) as [d|].
  - intro E. destruct (IH E) as (w & I & X). eauto.
  - destruct (Nat.eqb_spec (u_x u) x); [eauto|discriminate].
Qed.

Lemma final_edges es : gentle es -> forall x c, final (all_sets es) x = Some c <-> exists e, In e es /\ final (sets e) x = Some c.
Proof.
  induction es as [|e es IH]; intros (D & C & J) x c; simpl; [split; [discriminate|intros (e & [] & _)]|].
  inversion D as [|y l Y D']; subst.
  assert (G : gentle es).
  { split; [trivial|]. split; [intros; apply C; right; trivial|]. intros a b A B. apply J; right; trivial. }
  rewrite final_app. split.
  - destruct (final (all_sets es) x) as [d|] eqn:E.
    + intro H. injection H as ->. apply (IH G) in E. destruct E as (f & F & E). exists f. auto.
    + intro H. exists e. auto.
  - intros (f & [<-|F] & E).
    + destruct (final (all_sets es) x) as [d|] eqn:E'; [|trivial]. exfalso. apply (IH G) in E'. destruct E' as (f & F & E').
      apply final_in in E, E'. destruct E as (u & U & X), E' as (w & W & X').
      assert (N : e_process e <> e_process f) by (intro Q; apply Y; rewrite Q; apply in_map; trivial).
      specialize (J e f (or_introl eq_refl) (or_intror F) N). unfold disjoint in J. rewrite forallb_forall in J. specialize (J _ U).
      rewrite forallb_forall in J. specialize (J _ W). rewrite X, X', Nat.eqb_refl in J. discriminate.
    + assert (E' : final (all_sets es) x = Some c) by (apply (IH G); eauto). rewrite E'. trivial.
Qed.
Lemma gentle_permuted es es' : Permutation es es' -> gentle es' -> gentle es.
Proof.
  intros P (D & C & J). apply Permutation_sym in P. pose proof (Permutation_map e_process P) as Pm. split; [eapply Permutation_NoDup; eauto|].
  apply Permutation_sym in P. split; [intros e I; apply C; eapply Permutation_in; eauto|].
  intros a b A B. apply J; eapply Permutation_in; eauto.
Qed.
Lemma final_permuted es es' : Permutation es es' -> gentle es' -> forall x, final (all_sets es) x = final (all_sets es') x.
Proof.
  intros P G x. pose proof (gentle_permuted _ _ P G) as G0.
  destruct (final (all_sets es) x) as [c|] eqn:E.
  - apply (final_edges es G0) in E. destruct E as (e & I & E). symmetry. apply (final_edges es' G). exists e. split; [eapply Permutation_in; eauto|trivial].
  - destruct (final (all_sets es') x) as [c|] eqn:E'; [|trivial]. apply (final_edges es' G) in E'. destruct E' as (e & I & E').
    rewrite <- E. apply (final_edges es G0). exists e. split; [eapply Permutation_in; [apply Permutation_sym|]; eauto|trivial].
Qed.

Lemma set_loc_nth l x : forall p k, nth_error (set_loc l p x) k =
  if (k =? p)%nat then option_map (fun _ => x) (nth_error l p) else nth_error l k.
Proof.
  induction l as [|a l IH]; intros [|p] [|k]; simpl; trivial.
  destruct (k =? p)%nat; trivial.
Qed.
Lemma go_nth es : NoDup (map e_process es) -> forall l p,
  nth_error (fold_left (fun l e => set_loc l (e_process e) (e_target e)) es l) p =
  match find (fun e => (e_process e =? p)%nat) es with Some e => option_map (fun _ => e_target e) (nth_error l p) | None => nth_error l p end.
Proof.
  induction es as [|e es IH]; intros D l p; simpl; [trivial|]. inversion D as [|x k X D']; subst. rewrite (IH D'), set_loc_nth.
  rewrite (Nat.eqb_sym p). destruct (Nat.eqb_spec (e_process e) p) as [<-|N]; [|trivial].
  destruct (find _ es) as [f|] eqn:F; [|trivial]. exfalso. apply find_some in F. destruct F as [I E]. apply Nat.eqb_eq in E.
  apply X. rewrite <- E. apply in_map. trivial.
Qed.
Lemma nodup_process es e f : NoDup (map e_process es) -> In e es -> In f es -> e_process e = e_process f -> e = f.
Proof.
  induction es as [|g es IH]; intros D I J E; [destruct I|]. inversion D as [|x k X D']; subst.
  destruct I as [<-|I], J as [<-|J]; trivial; [| |auto]; exfalso; apply X; [rewrite E|rewrite <- E]; apply in_map; trivial.
Qed.
Lemma go_permuted s es es' : Permutation es es' -> NoDup (map e_process es') -> forall p, nth_error (locs (go s es)) p = nth_error (locs (go s es')) p.
Proof.
  intros P D p. assert (D0 : NoDup (map e_process es)) by (eapply Permutation_NoDup; [apply Permutation_sym, Permutation_map|]; eauto).
  unfold go. cbn [locs]. rewrite (go_nth es D0), (go_nth es' D).
  destruct (find (fun e => (e_process e =? p)%nat) es) as [e|] eqn:E, (find (fun e => (e_process e =? p)%nat) es') as [f|] eqn:F; trivial.
  - apply find_some in E, F. destruct E as [I E], F as [J F]. apply Nat.eqb_eq in E, F.
    rewrite (nodup_process es' e f D); trivial; [eapply Permutation_in; eauto|congruence].
  - exfalso. apply find_some in E. destruct E as [I E]. pose proof (find_none _ _ F e (Permutation_in _ P I)) as X. cbv beta in X. congruence.
  - exfalso. apply find_some in F. destruct F as [I F]. pose proof (find_none _ _ E f (Permutation_in _ (Permutation_sym P) I)) as X. cbv beta in X. congruence.
Qed.

(* ---- What a joint transition does ---- *)

Lemma updates_alike es es' : Forall2 edges_alike es es' -> forall s s' us us', linked s s' -> Forall2 upd_alike us us' ->
  alike_res (fun x x' => linked (fst x) (fst x') /\ Forall2 upd_alike (snd x) (snd x')) (updates n s us (map code es)) (updates n s' us' (map code es')).
Proof.
  intro F. induction F as [|e e' es es' E F IH]; intros s s' us us' L U; simpl.
  - split; [trivial|]. simpl. clear L. induction U as [|u u' us us' H U IH]; [constructor|]. simpl. apply Forall2_app; auto.
  - apply edge_means in E. destruct E as (_ & _ & _ & _ & _ & _ & _ & Lo & St).
    eapply alike_bind.
    + apply run_alike; [exact St|]. split; [exact L|]. split; [simpl; rewrite Lo; trivial|exact U].
    + intros r1 r2 (A & _ & B). apply IH; trivial.
Qed.

Lemma go_alike es es' : Forall2 edges_alike es es' -> forall s s', linked s s' -> linked (go s es) (go s' es').
Proof.
  intros F s s' (A & B & X). unfold go.
  assert (K : forall l l', (forall p, nth_error l' (process p) = nth_error l p) -> (forall p k, nth_error l p = Some k -> excluded p k = false) ->
    let m := fold_left (fun l e => set_loc l (e_process e) (e_target e)) es l in
    let m' := fold_left (fun l e => set_loc l (e_process e) (e_target e)) es' l' in
    (forall p, nth_error m' (process p) = nth_error m p) /\ (forall p k, nth_error m p = Some k -> excluded p k = false)).
  { clear A B X s s'. induction F as [|e e' es es' E F IH]; intros l l' A X; [auto|]. cbn [fold_left].
    apply edge_means in E. destruct E as (_ & _ & -> & (<- & Ex) & _). apply IH.
    - intro p. rewrite !set_loc_nth. destruct (Nat.eqb_spec p (e_process e)) as [->|N]; [rewrite Nat.eqb_refl, A; trivial|].
      destruct (Nat.eqb_spec (process p) (process (e_process e))) as [Y|_]; [apply process_injective in Y; tauto|apply A].
    - intros p k. rewrite set_loc_nth. destruct (Nat.eqb_spec p (e_process e)) as [->|N]; [|apply X].
      destruct (nth_error l (e_process e)); simpl; [|discriminate]. intro H. injection H as <-. exact Ex. }
  destruct (K _ _ A X) as [K1 K2]. split; [exact K1|split; [exact B|exact K2]].
Qed.
Lemma plain_means : n_urgent n = [] /\ n_channel_ranks n = [] /\ n_process_ranks n = [] /\ n_before n = [] /\ n_after n = [] /\ unrated n = true.
Proof.
  destruct symmetry_means as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & P). unfold plain in P.
  destruct (n_urgent n), (n_channel_ranks n), (n_process_ranks n), (n_before n), (n_after n); try discriminate. cbn [without andb] in P. auto 10.
Qed.
Lemma fire_plain s es : fire n s es = (r <- updates n s [] (map code es) ; Ok (go (fst r) es, snd r)).
Proof. destruct plain_means as (_ & _ & _ & B & A & _). unfold fire. rewrite B, A, app_nil_r. trivial. Qed.
Lemma never_outranked s v es : es <> [] -> ~ outranked n s v es.
Proof.
  destruct plain_means as (_ & C & P & _). intros N (es' & _ & _ & H). unfold higher, channel_rank, process_rank in H. rewrite C, P in H.
  assert (O : forall k, nth k (@nil Z) 0 = 0) by (intros [|k]; trivial).
  assert (K : forall es : list edge, match es with [] => 0 | e :: _ => nth (e_event e) (@nil Z) 0 end = 0) by (intros [|e l]; [trivial|apply O]).
  rewrite !K in H. cbn [Z.ltb Z.compare orb Z.eqb andb] in H.
  assert (F : forall (es : list edge) m, m <= 0 -> m <= fold_left (fun m e => Z.max m (nth (e_process e) (@nil Z) 0)) es m <= 0).
  { induction es0 as [|e l IH]; intros m M; cbn [fold_left]; [lia|]. rewrite O. specialize (IH (Z.max m 0) ltac:(lia)). lia. }
  destruct es as [|e es]; [congruence|]. cbn [fold_left] in H. rewrite O in H. apply Z.ltb_lt in H.
  pose proof (F es (Z.max (-2147483649) 0) ltac:(lia)). pose proof (F es' (-2147483649) ltac:(lia)). lia.
Qed.
Lemma joint_some s v es : joint n s v es -> es <> [].
Proof. intros [[(ps & _ & _ & N)|(p & e & -> & _)] _]; [trivial|discriminate]. Qed.
Lemma fire_alike s s' es es' : linked s s' -> Forall2 edges_alike es es' ->
  alike_res (fun x x' => linked (fst x) (fst x') /\ Forall2 upd_alike (snd x) (snd x')) (fire n s es) (fire n s' es').
Proof.
  intros L F. rewrite !fire_plain. eapply alike_bind; [apply updates_alike; eauto|]. intros x x' [A B]. simpl.
  split; [apply go_alike; trivial|trivial].
Qed.

Lemma clock_to_0 x : (clock_to x =? 0)%nat = (x =? 0)%nat.
Proof.
  destruct symmetry_means as (_ & _ & _ & C0 & _). destruct (Nat.eqb_spec x 0) as [->|N]; [rewrite C0; trivial|].
  destruct (Nat.eqb_spec (clock_to x) 0) as [E|_]; [|trivial]. rewrite <- C0 in E. apply clock_injective in E. tauto.
Qed.
Lemma clock_to_eq x y : (clock_to x =? clock_to y)%nat = (x =? y)%nat.
Proof.
  destruct (Nat.eqb_spec x y) as [->|N]; [apply Nat.eqb_refl|].
  destruct (Nat.eqb_spec (clock_to x) (clock_to y)) as [E|_]; [apply clock_injective in E; tauto|trivial].
Qed.
Lemma set1_alike u u' v v' : upd_alike u u' -> linked_clocks v v' -> linked_clocks (set1 u v) (set1 u' v').
Proof.
  intros (A & B & C) L x. rewrite !set1_val, A, B, C, clock_to_0, clock_to_eq.
  destruct ((x =? u_x u)%nat && negb (x =? 0)%nat); [rewrite (L (u_y u)); reflexivity|apply L].
Qed.
Lemma set_all_alike us us' : Forall2 upd_alike us us' -> forall v v', linked_clocks v v' ->
  linked_clocks (set_all us v) (set_all us' v').
Proof. intro F. unfold set_all. induction F as [|u u' us us' U F IH]; intros v v' L; simpl; [trivial|]. apply IH, set1_alike; trivial. Qed.
Lemma negative_alike us us' : Forall2 upd_alike us us' -> forall v v', linked_clocks v v' -> negative us v <-> negative us' v'.
Proof.
  intro F. induction F as [|u u' us us' U F IH]; intros v v' L; simpl; [tauto|].
  rewrite (IH _ _ (set1_alike _ _ _ _ U L)). destruct U as (_ & -> & ->). rewrite (L (u_y u)). tauto.
Qed.

(* ---- Invariants ---- *)

Lemma location_means p l l' : location_alike p l l' = true ->
  Forall2 (fun a a' => atom_alike a a' = true) (l_invariant l) (l_invariant l').
Proof. unfold location_alike. intro H. split_and. apply all2_sound. trivial. Qed.
Lemma may_wait_alike s s' : linked s s' -> may_wait n s -> may_wait n s'.
Proof.
  intros L [[M _] _]. split; [|apply unrated_fails, plain_means]. split; [|intros (ps & es & _ & (p & _ & U) & _); rewrite (proj1 plain_means) in U; destruct U].
  intros p l I E. destruct (process_back p) as [_ B]. rewrite <- B in E, I. rewrite in_processes in I.
  pose proof (location_linked s s' L (goes (r_process_back r) p)) as K. rewrite E in K.
  destruct (location_of n s (goes (r_process_back r) p)) as [l0|] eqn:E0; [|tauto].
  destruct (M _ _ I E0) as [U C]. unfold location_alike in K. split_and. split; congruence.
Qed.
Lemma invariant_alike s s' v v' : linked s s' -> linked_clocks v v' -> holds n s v (invariant n s) -> holds n s' v' (invariant n s').
Proof.
  intros L C H a I. unfold invariant in I. apply in_flat_map in I. destruct I as (p & P & I).
  destruct (process_back p) as [_ B]. rewrite <- B in P, I. rewrite in_processes in P.
  pose proof (location_linked s s' L (goes (r_process_back r) p)) as K. unfold invariant_of in I.
  destruct (location_of n s' (process (goes (r_process_back r) p))) as [l'|]; [|destruct I].
  destruct (location_of n s (goes (r_process_back r) p)) as [l|] eqn:E; [|tauto].
  pose proof (location_means _ _ _ K) as F.
  apply (holds_alike s s' L v v' C _ _ F); [|trivial]. intros b J. apply H. unfold invariant. apply in_flat_map.
  exists (goes (r_process_back r) p). split; [trivial|]. unfold invariant_of. rewrite E. trivial.
Qed.
Lemma invariant_never s p a : In a (invariant_of n s p) -> ~ never n s a.
Proof.
  unfold invariant_of, location_of, never. intros I N.
  destruct (nth_error (n_processes n) p) as [ls|] eqn:E1; [|destruct I].
  destruct (nth_error (locs s) p) as [k|]; [|destruct I].
  destruct (nth_error ls k) as [l|] eqn:E2; [|destruct I].
  destruct symmetry_means as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & H & _). unfold all_harmless in H.
  rewrite forallb_forall in H. specialize (H _ (nth_error_In _ _ E1)). rewrite forallb_forall in H. specialize (H _ (nth_error_In _ _ E2)).
  rewrite forallb_forall in H. specialize (H _ I). destruct a; try discriminate. simpl in N.
  destruct (clock_of n s [] x), (clock_of n s [] y), (eval n s [] c); discriminate.
Qed.
Lemma invariant_fails_alike s s' : linked s s' -> invariant_fails n s -> invariant_fails n s'.
Proof.
  intros L (b & p & a & E & F & _). assert (I : In (process p) (processes n)) by (apply in_processes; rewrite E; apply in_or_app; right; left; trivial).
  apply in_split in I. destruct I as (b' & a' & E'). exists b', (process p), a'. split; [exact E'|]. split; [|intros p0 x _; apply invariant_never].
  pose proof (location_linked s s' L p) as K. unfold invariant_of in *. destruct (location_of n s p) as [l|], (location_of n s' (process p)) as [l'|]; try tauto.
  - eapply errs_alike; [exact L|apply never_alike; exact L|apply (location_means _ _ _ K)|exact F].
  - destruct F as (_ & [|z0 l0] & x & y & Q & _); discriminate.
Qed.

(* ---- The theorems ---- *)

Lemma guard_reordered es es' a : reordered es es' -> In a (guard es) <-> In a (guard es').
Proof.
  intros [->|[P _]]; [tauto|]. unfold guard. rewrite !in_flat_map. split; intros (e & I & J); exists e; split; trivial.
  - eapply Permutation_in; eauto.
  - eapply Permutation_in; [apply Permutation_sym|]; eauto.
Qed.
Lemma gentle_fire s es : gentle es -> fire n s es = Ok (go s es, all_sets es).
Proof. intros (_ & C & _). rewrite fire_plain, (calm_updates s es C). trivial. Qed.

Theorem go_renamed s v es t us w s' v' : linked s s' -> linked_clocks v v' ->
  joint n s v es -> holds n s v (guard es) -> fire n s es = Ok (t, us) -> ~ negative us v -> same w (set_all us v) ->
  holds n t w (invariant n t) ->
  exists es' t' us', joint n s' v' es' /\ holds n s' v' (guard es') /\ ~ outranked n s' v' es' /\ fire n s' es' = Ok (t', us') /\ ~ negative us' v' /\
    linked t t' /\ linked_clocks w (set_all us' v') /\ holds n t' (set_all us' v') (invariant n t').
Proof.
  intros L C J G F N Sw I. destruct (joint_alike s s' L v v' C es J) as (es0 & es' & J' & E & Re).
  pose proof (fire_alike s s' es es0 L E) as K. rewrite F in K. destruct (fire n s' es0) as [| |[t0 us0]] eqn:F'; simpl in K; try tauto.
  destruct K as [Lt U].
  assert (W : linked_clocks w (set_all us0 v')).
  { intro x. rewrite (set_all_alike _ _ U _ _ C x). destruct x as [|x]; simpl; [reflexivity|]. symmetry. apply Sw. }
  assert (H0 : holds n s' v' (guard es')).
  { intros a A. apply (guard_reordered _ _ _ Re) in A. revert a A. eapply holds_alike; eauto. apply guards_alike; trivial. }
  assert (X : exists t' us', fire n s' es' = Ok (t', us') /\ ~ negative us' v' /\ linked t t' /\ linked_clocks w (set_all us' v')).
  { destruct Re as [<-|[P Ge]].
    - exists t0, us0. split; [trivial|]. split; [rewrite <- (negative_alike _ _ U _ _ C); trivial|auto].
    - pose proof (gentle_permuted _ _ P Ge) as G0. rewrite (gentle_fire s' es0 G0) in F'. injection F' as <- <-.
      exists (go s' es'), (all_sets es'). split; [apply gentle_fire; trivial|].
      pose proof (calm_zero es' (proj1 (proj2 Ge))) as Z'. pose proof (calm_zero es0 (proj1 (proj2 G0))) as Z0.
      split; [apply zero_not_negative; trivial|]. split.
      + destruct Lt as (A & B & D). split; [|split; [exact B|exact D]]. intro p. rewrite <- (go_permuted s' _ _ P (proj1 Ge)). apply A.
      + intro x. rewrite <- (W x), (final_val _ Z'), (final_val _ Z0), (final_permuted _ _ P Ge). reflexivity. }
  destruct X as (t' & us' & X1 & X2 & X3 & X4). exists es', t', us'. repeat (split; trivial); [exact (never_outranked _ _ _ (joint_some _ _ _ J'))|]. eapply invariant_alike; eauto.
Qed.
Theorem step_fails_renamed s v s' v' : linked s s' -> linked_clocks v v' -> step_fails n s v -> step_fails n s' v'.
Proof.
  intros L C [X|(es & J & _ & H)]; [exfalso; revert X; apply unrated_fails, plain_means|right]. destruct (joint_alike s s' L v v' C es J) as (es0 & es' & J' & E & Re). exists es'. split; [trivial|].
  split; [exact (never_outranked _ _ _ (joint_some _ _ _ J'))|].
  pose proof (guards_alike _ _ E) as G. pose proof (fire_alike s s' es es0 L E) as K. destruct H as [H|[H W]].
  - left. assert (Er : errs n s' (is n false s' v') (guard es0)).
    { eapply errs_alike; eauto. intros a a' A. apply (is_alike s s' L v v' C false _ _ A). }
    pose proof Re as [<-|[P (_ & Ca & _)]]; [trivial|]. destruct Er as [E1 (b & a & c & E2 & E3 & E4)].
    assert (S : forall a, In a (guard es') -> simple a = true).
    { intros x X. unfold guard in X. apply in_flat_map in X. destruct X as (e & Ie & X). specialize (Ca _ Ie). unfold is_calm in Ca.
      apply andb_prop in Ca. destruct Ca as [Ca _]. rewrite forallb_forall in Ca. auto. }
    assert (E5 : forall a, In a (guard es') -> ~ is n false s' v' a).
    { intros x X. apply E1; [apply (guard_reordered _ _ _ Re); trivial|auto]. }
    split; [intros x X _; auto|]. assert (Ia : In a (guard es')).
    { apply (guard_reordered _ _ _ Re). rewrite E2. apply in_or_app. right. left. trivial. }
    apply in_split in Ia. destruct Ia as (b' & c' & Eq). exists b', a, c'. split; [trivial|]. split; [trivial|].
    intros x X. apply E5. rewrite Eq. apply in_or_app. auto.
  - right. split.
    { intros a A. apply (guard_reordered _ _ _ Re) in A. revert a A. eapply holds_alike; eauto. }
    destruct Re as [<-|[P Ge]].
    + destruct W as [W|(t & us & W & X)].
      * left. rewrite W in K. destruct (fire n s' es0); simpl in K; tauto.
      * right. rewrite W in K. destruct (fire n s' es0) as [| |[t' us']]; simpl in K; try tauto. destruct K as [Lt U].
        exists t', us'. split; [trivial|]. destruct X as [X|X]; [|right; exact (invariant_fails_alike _ _ Lt X)].
        left. rewrite <- (negative_alike _ _ U _ _ C). trivial.
    + pose proof (gentle_permuted _ _ P Ge) as G0. rewrite (gentle_fire s' es0 G0) in K. destruct W as [W|(t & us & W & X)].
      * exfalso. rewrite W in K. simpl in K. trivial.
      * rewrite W in K. simpl in K. destruct K as [Lt U]. destruct X as [X|X].
        2: { right. exists (go s' es'), (all_sets es'). split; [apply gentle_fire; trivial|right]. eapply invariant_fails_alike; [|exact X].
             destruct Lt as (A & B & D). split; [|split; [exact B|exact D]]. intro p. rewrite <- (go_permuted s' _ _ P (proj1 Ge)). apply A. }
        exfalso. apply (negative_alike _ _ U _ _ C) in X. revert X. apply zero_not_negative, calm_zero, G0.
Qed.

Lemma ands_decided s v f : (decided n true s v f <-> forall g, In g (ands f) -> decided n true s v g) /\
  (decided n false s v f <-> exists g, In g (ands f) /\ decided n false s v g).
Proof.
  induction f as [a|f IH|f [F1 F2] g [G1 G2]|f IHf g IHg]; cbn [ands];
    try (split; [split; [intros H x [<-|[]]; exact H|intro H; apply H; left; trivial]|split; [intro H; eexists; split; [left; reflexivity|exact H]|intros (x & [<-|[]] & H); exact H]]).
  cbn [decided]. rewrite F1, F2, G1, G2. split; split.
  - intros [A B] x I. apply in_app_or in I. destruct I; auto.
  - intro H. split; intros x I; apply H, in_or_app; auto.
  - intros [(x & I & H)|(x & I & H)]; exists x; (split; [apply in_or_app; auto|trivial]).
  - intros (x & I & H). apply in_app_or in I. destruct I; eauto.
Qed.
Lemma ors_decided s v f : (decided n false s v f <-> forall g, In g (ors f) -> decided n false s v g) /\
  (decided n true s v f <-> exists g, In g (ors f) /\ decided n true s v g).
Proof.
  induction f as [a|f IH|f IHf g IHg|f [F1 F2] g [G1 G2]]; cbn [ors];
    try (split; [split; [intros H x [<-|[]]; exact H|intro H; apply H; left; trivial]|split; [intro H; eexists; split; [left; reflexivity|exact H]|intros (x & [<-|[]] & H); exact H]]).
  cbn [decided]. rewrite F1, F2, G1, G2. split; split.
  - intros [A B] x I. apply in_app_or in I. destruct I; auto.
  - intro H. split; intros x I; apply H, in_or_app; auto.
  - intros [(x & I & H)|(x & I & H)]; exists x; (split; [apply in_or_app; auto|trivial]).
  - intros (x & I & H). apply in_app_or in I. destruct I; eauto.
Qed.
Lemma follows_sound s v s' v' : linked s s' -> linked_clocks v v' ->
  forall k b f f', follows k b f f' = true -> decided n b s' v' f' -> decided n b s v f.
Proof.
  intros L C k. induction k as [|k IH]; intros b f f' H D; [discriminate|]. cbn [follows] in H.
  assert (Any : forall l l', forallb (fun g' => existsb (fun g => follows k b g g') l) l' = true ->
    (exists g', In g' l' /\ decided n b s' v' g') -> exists g, In g l /\ decided n b s v g).
  { intros l l' A (g' & I & G). rewrite forallb_forall in A. specialize (A _ I). apply existsb_exists in A. destruct A as (g & J & A). eauto. }
  assert (All : forall l l', forallb (fun g => existsb (fun g' => follows k b g g') l') l = true ->
    (forall g', In g' l' -> decided n b s' v' g') -> forall g, In g l -> decided n b s v g).
  { intros l l' A G g I. rewrite forallb_forall in A. specialize (A _ I). apply existsb_exists in A. destruct A as (g' & J & A). eauto. }
  destruct f as [a|f|f g|f g], f' as [a'|f'|f' g'|f' g']; try discriminate.
  - cbn [decided] in *. apply orb_prop in H. destruct H as [H|H]; [apply (is_alike s s' L v v' C b _ _ H); trivial|].
    apply (asks_is s s' v v' C b a a'); [apply (sums_ask s s' L _ _ H)|trivial].
  - cbn [decided] in *. eapply IH; eauto.
  - destruct b; [apply ands_decided; eapply All; [exact H|]; apply (ands_decided s' v' (FAnd f' g')); trivial|].
    apply ands_decided; eapply Any; [exact H|]. apply (ands_decided s' v' (FAnd f' g')); trivial.
  - destruct b; [apply ors_decided; eapply Any; [exact H|]; apply (ors_decided s' v' (FOr f' g')); trivial|].
    apply ors_decided; eapply All; [exact H|]. apply (ors_decided s' v' (FOr f' g')); trivial.
Qed.
Theorem query_renamed s v s' v' : linked s s' -> linked_clocks v v' -> decided n false s' v' q -> decided n false s v q.
Proof. intros L C. apply follows_sound with (S (depth q)); trivial. apply symmetry_means. Qed.

Lemma nth_error_nth_or {A} (l : list A) k d : (k < length l)%nat -> nth_error l k = Some (nth k l d).
Proof. revert k. induction l as [|a l IH]; intros [|k] L; simpl in *; try lia; trivial. apply IH. lia. Qed.
Theorem renamed_linked s s' : renamed s = Some s' -> linked s s'.
Proof.
  unfold renamed. destruct (_ && _) eqn:E; [|discriminate].
  intro H. injection H as <-. apply andb_prop in E. destruct E as [E X]. split_and. destruct symmetry_means as (IP & _ & _ & _ & IS & _). split; [|split]; simpl.
  - intro p. destruct (Nat.lt_ge_cases p (length (locs s))) as [B|B].
    + pose proof (inverse_below _ _ p IP ltac:(lia)) as K. fold (process p) in K.
      erewrite map_nth_error; [|rewrite (nth_error_nth_or _ _ O) by (rewrite seq_length; lia); reflexivity].
      rewrite seq_nth by lia. rewrite Nat.add_0_l, (proj1 (process_back p)). symmetry. apply nth_error_nth_or. trivial.
    + unfold process. rewrite goes_beyond by lia. rewrite !(proj2 (nth_error_None _ _)); trivial. rewrite map_length, seq_length. trivial.
  - intro k. destruct (Nat.lt_ge_cases k (length (vars s))) as [B|B].
    + pose proof (inverse_below _ _ k IS ltac:(lia)) as K. fold (slot k) in K.
      erewrite map_nth_error; [|rewrite (nth_error_nth_or _ _ O) by (rewrite seq_length; lia); reflexivity].
      rewrite seq_nth by lia. rewrite Nat.add_0_l. cbv zeta. unfold slot. rewrite (proj1 (inverse_sound _ _ IS k)).
      rewrite (nth_error_nth_or (vars s) k 0) by trivial. trivial.
    + unfold slot. rewrite goes_beyond by lia. rewrite !(proj2 (nth_error_None _ _)); trivial. rewrite map_length, seq_length. trivial.
  - intros p l Hp. rewrite forallb_forall in X. specialize (X p). rewrite in_seq in X.
    assert (B : (p < length (locs s))%nat) by (apply nth_error_Some; congruence). specialize (X ltac:(lia)).
    rewrite (nth_error_nth _ _ _ Hp) in X. apply negb_true_iff. trivial.
Qed.
Theorem renamed_clocks_linked v : linked_clocks v (renamed_clocks v).
Proof.
  intro x. destruct symmetry_means as (_ & _ & IC & _). pose proof (proj1 (inverse_sound _ _ IC x)) as B. fold (clock_to x) in B.
  pose proof (clock_to_0 x) as Z. destruct (clock_to x) as [|k] eqn:E.
  - simpl in Z. symmetry in Z. apply Nat.eqb_eq in Z. clear B. subst x. reflexivity.
  - simpl. unfold renamed_clocks, clock_from. rewrite B. reflexivity.
Qed.
Lemma renamed_val v x : (val (renamed_clocks v) x == val v (clock_from x))%Q.
Proof.
  destruct x as [|x]; [|reflexivity]. destruct symmetry_means as (_ & _ & IC & C0 & _).
  pose proof (proj1 (inverse_sound _ _ IC 0%nat)) as B. unfold clock_to in C0. rewrite C0 in B.
  assert (E : clock_from 0 = 0%nat) by exact B. rewrite E. reflexivity.
Qed.

Theorem alive_renamed s v s' v' : linked s s' -> linked_clocks v v' -> alive n s v -> alive n s' v'.
Proof.
  assert (St : forall s, stopped n s = []) by (intro; apply unrated_stopped, plain_means).
  intros L C (d & t & w & (P & W & H) & es & us & J & G & _ & F & N & S & I). rewrite St in *. change (after []) with delayed in *.
  assert (D : forall e, linked_clocks (delayed e v) (delayed e v')).
  { intros e x. pose proof (clock_to_0 x) as Z. specialize (C x).
    destruct (clock_to x) as [|k], x as [|x]; simpl in *; try discriminate; [reflexivity|]. unfold delayed. rewrite C. reflexivity. }
  destruct (go_renamed s (delayed d v) es t us w s' (delayed d v') L (D d) J G F N S I) as (es' & t' & us' & J' & G' & O' & F' & N' & _ & _ & I').
  exists d, t', (set_all us' (delayed d v')). unfold passes. rewrite St. change (after []) with delayed. split.
  - split; [exact P|]. split; [destruct W as [W|W]; [left; exact W|right; eapply may_wait_alike; eauto]|].
    intros e Pe Le. eapply invariant_alike; eauto.
  - exists es', us'. repeat (split; trivial).
Qed.
End Renaming.

(* ---- Back ---- *)

(* The renaming that takes the new names to the old ones. *)
Definition moved_back {A} (back : list nat) (l : list A) (none : A) : list A :=
  map (fun k => nth (goes back k) l none) (seq 0 (Nat.max (length back) (length l))).
Definition flipped {A} (l : list (A * A)) : list (A * A) := map (fun p => (snd p, fst p)) l.
Definition undone (r : renaming) : renaming :=
  Renaming (r_process_back r) (r_process r) (r_clock_back r) (r_clock r) (r_slot_back r) (r_slot r)
    (moved_back (r_slot_back r) (r_sorts r) O) (map flipped (r_values r))
    (moved_back (r_process_back r) (map flipped (r_events r)) []) (moved_back (r_process_back r) (r_excluded r) []).

Lemma moved_back_nth {A} back (l : list A) none k : nth k (moved_back back l none) none = nth (goes back k) l none.
Proof.
  unfold moved_back. destruct (Nat.lt_ge_cases k (Nat.max (length back) (length l))) as [L|L].
  - apply nth_error_nth. rewrite (map_nth_error _ k (seq 0 _) (d := k)); [trivial|].
    rewrite (nth_error_nth_or _ k O) by (rewrite seq_length; trivial). rewrite seq_nth by trivial. trivial.
  - rewrite nth_overflow by (rewrite map_length, seq_length; trivial). rewrite goes_beyond by lia. rewrite nth_overflow by lia. trivial.
Qed.
Lemma swap_back l z : permutes l = true -> swap (flipped l) (swap l z) = z.
Proof.
  intro P. unfold permutes in P. apply andb_prop in P. destruct P as [O P]. rewrite forallb_forall in P.
  assert (F : forall a b, In (a, b) (flipped l) -> In (b, a) l).
  { intros a b. unfold flipped. rewrite in_map_iff. intros ([x y] & E & I). simpl in E. injection E as <- <-. trivial. }
  destruct (swap_cases l z) as [[N E]|I].
  - rewrite E. destruct (swap_cases (flipped l) z) as [[_ X]|J]; [trivial|]. exfalso. apply F, P, existsb_Z in J. contradiction.
  - destruct (swap_cases (flipped l) (swap l z)) as [[N _]|J].
    + exfalso. apply N. apply in_map_iff. exists (swap l z, z). split; [trivial|]. unfold flipped. apply (in_map (fun p => (snd p, fst p))) in I. exact I.
    + apply F in J. eapply once_pair; eauto.
Qed.
Lemma value_back r t z : forallb permutes (r_values r) = true -> value (undone r) t (value r t z) = z.
Proof.
  intro P. rewrite forallb_forall in P. unfold value, pairs. destruct t as [|t]; [trivial|]. cbn [undone r_values].
  destruct (nth_in_or_default t (r_values r) []) as [I|E].
  - change (@nil (Z * Z)) with (flipped (@nil (Z * Z))) at 1. rewrite map_nth. apply swap_back, P. trivial.
  - rewrite E. change (@nil (Z * Z)) with (flipped (@nil (Z * Z))) at 1. rewrite map_nth, E. trivial.
Qed.
Lemma linked_back n r q s s' : symmetry n r q = true -> linked r s s' -> linked (undone r) s' s.
Proof.
  intros Sy (A & B & E). destruct (symmetry_means n r q Sy) as (IP & _ & _ & _ & IS & _ & V & _).
  pose proof (inverse_sound _ _ IP) as P. pose proof (inverse_sound _ _ IS) as S. split; [|split].
  - intro p. unfold process in *. cbn [undone r_process]. rewrite <- A, (proj2 (P p)). trivial.
  - intro k. unfold slot in *. cbn [undone r_slot]. rewrite <- (proj2 (S k)) at 3. rewrite B.
    assert (So : sort (undone r) k = sort r (goes (r_slot_back r) k)) by (unfold sort; cbn [undone r_sorts]; apply moved_back_nth).
    rewrite So. destruct (nth_error (vars s) (goes (r_slot_back r) k)) as [z|]; [|trivial]. cbn [option_map]. rewrite value_back by exact V. trivial.
  - intros p l L. unfold excluded. cbn [undone r_excluded]. rewrite moved_back_nth. apply (E (goes (r_process_back r) p)).
    rewrite <- A. unfold process. rewrite (proj2 (P p)). trivial.
Qed.
Lemma clocks_back n r q v v' : symmetry n r q = true -> linked_clocks r v v' -> linked_clocks (undone r) v' v.
Proof.
  intros Sy C x. destruct (symmetry_means n r q Sy) as (_ & _ & IC & _). unfold linked_clocks, clock_to in *. cbn [undone r_clock].
  rewrite <- C, (proj2 (inverse_sound _ _ IC x)). reflexivity.
Qed.
