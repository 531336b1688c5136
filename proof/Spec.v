(* What a network of timed automata is, and what it can do.

   This file, RunSpec.v for questions about infinite runs, and the statements in Theorem.v are all that has to be
   read to know what the theorems say. It is the language of `tarn help language`, with time in the rationals, and
   UPPAAL's (doc/guide/uppaal.md) after templates are instantiated. Names are numbers here: clocks from 1 (clock 0 is
   the constant zero), locations from 0 in their process, variables by their slot; an array is its first slot and its
   size. What only one of the two languages has is marked T (TChecker) or U (UPPAAL), with the sentence of the guide. *)
From Coq Require Import List ZArith QArith.
Import ListNotations.
Open Scope Z_scope.

(* ---- Syntax ---- *)

Inductive cmp := Eq | Ne | Lt | Le | Gt | Ge.
Inductive binop := Add | Sub | Mul | Div | Mod | Min | Max | BitAnd | BitOr | BitXor | Shl | Shr | Cmp (c : cmp).

Inductive expr :=
| EConst (z : Z)
| EVar (slot : nat)
| EElem (base : nat) (size : Z) (i : expr)
| ELocal (slot : nat)                               (* a local variable of statements *)
| ELocalElem (base : nat) (size : Z) (i : expr)
| EAt (p l : nat)                                   (* 1 if process p is in location l, else 0 *)
| ELabel (a : nat)                                  (* 1 if a process is in a location with label a *)
| ENeg (a : expr)
| ENot (a : expr)
| EBin (o : binop) (a b : expr)
| EAnd (a b : expr)
| EOr (a b : expr)
| ECond (a b c : expr)
(* U: "an assignment out of range is an error", and so is an index outside of its array. *)
| EWithin (low high : Z) (a : expr)                 (* a, or an error unless low <= a <= high *)
(* U: `forall (i : int[0,3]) v[i] <= 9`; i is one more local variable, the last. *)
| EEvery (low high : Z) (a : expr)
| ESome (low high : Z) (a : expr)
| ESum (low high : Z) (a : expr)
(* U: a function without effects, at the place where it is called: k more local variables, its parameters among
   them, the statements, and then the result. *)
| EDo (k : nat) (c : stmt) (a : expr)
| ETable (l : list Z) (i : expr)                    (* U: an element of a constant array *)
with clock :=
| Clock (x : nat)
| ClockElem (base : nat) (size : Z) (i : expr)
with stmt :=
| SNop
| SSeq (a b : stmt)
| SVar (slot : nat) (e : expr)
| SElem (base : nat) (size : Z) (i e : expr)
| SLocal (slot : nat) (e : expr)
| SLocalElem (base : nat) (size : Z) (i e : expr)
| SClock (x y : clock) (c : expr)                   (* x := y + c *)
| SIf (e : expr) (a b : stmt)
| SWhile (e : expr) (a : stmt).

(* Guards and invariants are conjunctions of atoms. *)
Inductive atom :=
| AInt (e : expr)                                   (* e is not 0 *)
| AClock (x y : clock) (o : cmp) (c : expr)         (* x - y o c *)
| AUnless (e : expr) (a : atom).                    (* U: "`||` may have clocks on one side only": e || a *)

Record edge := Edge { e_process : nat; e_event : nat; e_target : nat;
                      e_guard : list atom; e_locals : nat; e_update : stmt }.
(* U: "An invariant may stop a clock: `x' == 0`, `x' == 1`, or `x' == e`": these are the rates of a location. *)
Record location := Location { l_initial : bool; l_committed : bool; l_urgent : bool;
                              l_labels : list nat; l_invariant : list atom; l_rates : list (clock * expr); l_out : list edge }.
(* Weak (T), P@e?: takes part if its location has an edge. Receiver (U), of a broadcast: "one sends, all that can
   receive do". A channel c of UPPAAL has two events, c! and c?. There is a synchronisation for each two processes that
   can meet over it, and for each sender of a broadcast, the receivers in order of the `system` line. *)
Inductive kind := Strong | Weak | Receiver.
Record part := Part { p_process : nat; p_event : nat; p_kind : kind }.
Record variable := Var { v_low : Z; v_high : Z; v_init : Z }.
Record net := Net { n_processes : list (list location); n_syncs : list (list part);
                    n_variables : list variable;
                    n_wraps : bool;                   (* U: integers that overflow wrap around *)
                    n_urgent : list nat;              (* U: events of urgent channels: c!, and c? if not broadcast *)
                    n_channel_ranks : list Z;         (* U: priorities, by event *)
                    n_process_ranks : list Z;         (* U: and by process *)
                    n_before : list (nat * stmt);     (* U: "`before_update` runs before the updates of each transition", *)
                    n_after : list (nat * stmt) }.    (* with the number of its local variables *)

(* What the numbers in a network must be so that it means what it says. The theorems say of the network
   that was read that it is so. *)
Record well_formed (n : net) : Prop := {
  edges_leave : forall p ls l e, nth_error (n_processes n) p = Some ls -> In l ls -> In e (l_out l) ->
    e_process e = p /\ (e_target e < length ls)%nat;
  parts_exist : forall ps a, In ps (n_syncs n) -> In a ps -> (p_process a < length (n_processes n))%nat;
  parts_once : forall ps, In ps (n_syncs n) -> NoDup (map p_process ps);
  variables_begin : forall v, In v (n_variables n) -> v_low v <= v_init v <= v_high v;
  urgent_edges : forall p ls l e a, nth_error (n_processes n) p = Some ls -> In l ls -> In e (l_out l) ->
    In (e_event e) (n_urgent n) -> In a (e_guard e) -> exists x, a = AInt x }.      (* guards without clocks *)

Inductive formula :=
| FAtom (a : atom)
| FNot (f : formula)
| FAnd (f g : formula)
| FOr (f g : formula).

(* ---- States ---- *)

Record state := State { locs : list nat; vars : list Z }.
Definition valuation := nat -> Q.                   (* clock S n is v n *)
Definition val (v : valuation) (x : nat) : Q := match x with O => 0%Q | S n => v n end.
Definition same (v w : valuation) : Prop := forall k, (v k == w k)%Q.
Definition after (still : list nat) (d : Q) (v : valuation) : valuation :=       (* d later; some clocks stand still *)
  fun k => if existsb (Nat.eqb (S k)) still then v k else (v k + d)%Q.

(* ---- Expressions: integers of 32 bits ---- *)

(* Fails: a value is out of the range of its variable, so there is no such transition.
   Err: an error at run time. *)
Inductive res (A : Type) := Fails | Err | Ok (a : A).
Arguments Fails {A}. Arguments Err {A}. Arguments Ok {A}.
Definition bind {A B} (r : res A) (f : A -> res B) : res B :=
  match r with Fails => Fails | Err => Err | Ok a => f a end.
Notation "x <- r ; k" := (bind r (fun x => k)) (at level 61, r at next level, right associativity).

(* What does not fit is an error (T), or wraps around (U: "what overflows wraps around"). A constant that does not fit is an error. *)
Definition wrapped (z : Z) : Z := let low := Z.land z 4294967295 in if low <=? 2147483647 then low else low - 4294967296.
Definition fit (wraps : bool) (z : Z) : res Z :=
  if (-2147483648 <=? z) && (z <=? 2147483647) then Ok z else if wraps then Ok (wrapped z) else Err.
Definition of_bool (b : bool) : Z := if b then 1 else 0.
Definition is_true (z : Z) : bool := negb (z =? 0).

Definition compare (c : cmp) (a b : Z) : bool :=
  match c with
  | Eq => a =? b | Ne => negb (a =? b) | Lt => a <? b | Le => a <=? b | Gt => b <? a | Ge => b <=? a
  end.
Definition binary (wraps : bool) (o : binop) (a b : Z) : res Z :=
  let fit := fit wraps in
  match o with
  | Add => fit (a + b) | Sub => fit (a - b) | Mul => fit (a * b)
  | Div => if b =? 0 then Err else fit (Z.quot a b)         (* towards zero *)
  | Mod => if b =? 0 then Err else Ok (Z.rem a b)           (* with the sign of a *)
  | Min => Ok (Z.min a b) | Max => Ok (Z.max a b)
  | BitAnd => Ok (Z.land a b) | BitOr => Ok (Z.lor a b) | BitXor => Ok (Z.lxor a b)
  | Shl => if (0 <=? b) && (b <=? 31) then fit (a * 2 ^ b) else Err
  | Shr => if (0 <=? b) && (b <=? 31) then Ok (a / 2 ^ b) else Err
  | Cmp c => Ok (of_bool (compare c a b))
  end.

Definition get (l : list Z) (k : nat) : res Z := match nth_error l k with None => Err | Some z => Ok z end.
Fixpoint put (l : list Z) (k : nat) (z : Z) : res (list Z) :=
  match l, k with
  | [], _ => Err
  | _ :: l, O => Ok (z :: l)
  | a :: l, S k => l' <- put l k z ; Ok (a :: l')
  end.
Definition index (base : nat) (size i : Z) : res nat :=
  if (0 <=? i) && (i <? size) then Ok (base + Z.to_nat i)%nat else Err.

(* The values of a range, and what holds for every one, for some, and the sum. The first one that decides ends it. *)
Definition span (low high : Z) : list Z := map (fun k => low + Z.of_nat k) (seq 0 (Z.to_nat (high - low + 1))).
Fixpoint every (g : Z -> res Z) (l : list Z) : res Z :=
  match l with [] => Ok 1 | z :: l => x <- g z ; if is_true x then every g l else Ok 0 end.
Fixpoint some (g : Z -> res Z) (l : list Z) : res Z :=
  match l with [] => Ok 0 | z :: l => x <- g z ; if is_true x then Ok 1 else some g l end.
Fixpoint total (wraps : bool) (g : Z -> res Z) (sum : Z) (l : list Z) : res Z :=
  match l with [] => Ok sum | z :: l => x <- g z ; y <- fit wraps (sum + x) ; total wraps g y l end.

Record upd := Upd { u_x : nat; u_y : nat; u_c : Z }.      (* clock x := clock y + c *)
Record env := Env { en_state : state; en_frame : list Z; en_updates : list upd (* last first *) }.

(* A loop makes at most 2^24 turns; step says whether it goes on. *)
Fixpoint turns (k : nat) (step : env -> res (env * bool)) (e : env) : res (env * bool) :=
  match k with
  | O => step e
  | S k => r <- turns k step e ; if snd r then turns k step (fst r) else Ok r
  end.

Section Network.
Variable n : net.

Definition processes : list nat := seq 0 (length (n_processes n)).
Definition location_of (s : state) (p : nat) : option location :=
  match nth_error (n_processes n) p, nth_error (locs s) p with
  | Some ls, Some l => nth_error ls l
  | _, _ => None
  end.
Definition is_labelled (s : state) (a : nat) : bool :=
  existsb (fun p => match location_of s p with
                    | None => false | Some l => existsb (Nat.eqb a) (l_labels l) end) processes.

Definition store (e : env) (k : nat) (z : Z) : res env :=
  match nth_error (n_variables n) k with
  | None => Err
  | Some v =>
    if (v_low v <=? z) && (z <=? v_high v)
    then l <- put (vars (en_state e)) k z ; Ok (Env (State (locs (en_state e)) l) (en_frame e) (en_updates e))
    else Fails
  end.
Definition store_local (e : env) (k : nat) (z : Z) : res env :=
  f <- put (en_frame e) k z ; Ok (Env (en_state e) f (en_updates e)).

(* f is the frame: the values of the local variables. *)
Fixpoint eval (s : state) (f : list Z) (e : expr) : res Z :=
  match e with
  | EConst z => fit false z
  | EVar k => get (vars s) k
  | EElem b size i => k <- eval s f i ; m <- index b size k ; get (vars s) m
  | ELocal k => get f k
  | ELocalElem b size i => k <- eval s f i ; m <- index b size k ; get f m
  | EAt p l => match nth_error (locs s) p with
               | None => Err | Some l' => Ok (of_bool (Nat.eqb l' l)) end
  | ELabel a => Ok (of_bool (is_labelled s a))
  | ENeg a => x <- eval s f a ; fit (n_wraps n) (- x)
  | ENot a => x <- eval s f a ; Ok (of_bool (negb (is_true x)))
  | EBin o a b => x <- eval s f a ; y <- eval s f b ; binary (n_wraps n) o x y
  | EAnd a b => x <- eval s f a ; if is_true x then y <- eval s f b ; Ok (of_bool (is_true y)) else Ok 0
  | EOr a b => x <- eval s f a ; if is_true x then Ok 1 else y <- eval s f b ; Ok (of_bool (is_true y))
  | ECond a b c => x <- eval s f a ; if is_true x then eval s f b else eval s f c
  | EWithin low high a => x <- eval s f a ; if (low <=? x) && (x <=? high) then Ok x else Err
  | EEvery low high a => every (fun z => eval s (f ++ [z]) a) (span low high)
  | ESome low high a => some (fun z => eval s (f ++ [z]) a) (span low high)
  | ESum low high a => total (n_wraps n) (fun z => eval s (f ++ [z]) a) 0 (span low high)
  | EDo k c a => e <- run c (Env s (f ++ repeat 0 k) []) ; eval (en_state e) (en_frame e) a
  | ETable l i => k <- eval s f i ; m <- index 0 (Z.of_nat (length l)) k ; get l m
  end
with clock_of (s : state) (f : list Z) (c : clock) : res nat :=
  match c with
  | Clock x => Ok x
  | ClockElem b size i => k <- eval s f i ; index b size k
  end
(* Statements. *)
with run (c : stmt) (e : env) : res env :=
  let ev := eval (en_state e) (en_frame e) in
  match c with
  | SNop => Ok e
  | SSeq a b => e' <- run a e ; run b e'
  | SVar k a => z <- ev a ; store e k z
  | SElem b size i a => k <- ev i ; m <- index b size k ; z <- ev a ; store e m z
  | SLocal k a => z <- ev a ; store_local e k z
  | SLocalElem b size i a => k <- ev i ; m <- index b size k ; z <- ev a ; store_local e m z
  | SClock x y a =>
      i <- clock_of (en_state e) (en_frame e) x ; j <- clock_of (en_state e) (en_frame e) y ; z <- ev a ;
      if (j =? 0)%nat && (z <? 0) then Err
      else Ok (Env (en_state e) (en_frame e) (Upd i j z :: en_updates e))
  | SIf c a b => z <- ev c ; if is_true z then run a e else run b e
  | SWhile c a =>
      r <- turns 24 (fun e => z <- eval (en_state e) (en_frame e) c ;
                              if is_true z then e' <- run a e ; Ok (e', true) else Ok (e, false)) e ;
      if snd r : bool then Err else Ok (fst r)
  end.

(* ---- Conditions ---- *)

Definition clock_compare (o : cmp) (d c : Q) : Prop :=
  match o with
  | Eq => d == c | Ne => ~ d == c | Lt => d < c | Le => d <= c | Gt => d > c | Ge => d >= c
  end%Q.

(* What an atom asks of the clocks: b as it is, x - y o c, or an error. *)
Inductive asked := Plain (b : bool) | Asks (x y : nat) (o : cmp) (c : Z) | Wrong.
Fixpoint ask (s : state) (a : atom) : asked :=
  match a with
  | AInt e => match eval s [] e with Ok z => Plain (is_true z) | _ => Wrong end
  | AClock x y o e =>
    match clock_of s [] x, clock_of s [] y, eval s [] e with
    | Ok i, Ok j, Ok c => Asks i j o c
    | _, _, _ => Wrong
    end
  | AUnless e a => match eval s [] e with Ok z => if is_true z then Plain true else ask s a | _ => Wrong end
  end.
Definition is (b : bool) (s : state) (v : valuation) (a : atom) : Prop :=    (* the atom is true, false *)
  match ask s a with
  | Plain t => t = b
  | Asks i j o c =>
    let holds := clock_compare o (val v i - val v j) (inject_Z c) in if b then holds else ~ holds
  | Wrong => False
  end.

Definition holds (s : state) (v : valuation) (g : list atom) : Prop := forall a, In a g -> is true s v a.

(* Comparisons of a variable or a clock with a constant. *)
Fixpoint constant (e : expr) : bool :=
  match e with
  | EConst _ => true
  | ENeg a | ENot a => constant a
  | EBin _ a b | EAnd a b | EOr a b => constant a && constant b
  | ECond a b c => constant a && constant b && constant c
  | _ => false
  end.
Definition fixed (e : expr) : bool := match e with EVar _ => true | EElem _ _ i => constant i | _ => false end.
Fixpoint simple_expr (e : expr) : bool :=
  match e with
  | ENot a => simple_expr a
  | EBin (Cmp _) a b => fixed a && constant b || constant a && fixed b
  | e => fixed e
  end.
Definition fixed_clock (c : clock) : bool := match c with Clock _ => true | ClockElem _ _ i => constant i end.
Definition simple (a : atom) : bool :=
  match a with
  | AInt e => simple_expr e | AClock x y _ c => fixed_clock x && fixed_clock y && constant c | AUnless _ _ => false
  end.

(* A conjunction is an error if an atom is one that is looked at. The simple atoms are looked at
   first, the others from left to right, up to one that is false; `no` says which are. *)
Definition errs (s : state) (no : atom -> Prop) (g : list atom) : Prop :=
  (forall a, In a g -> simple a = true -> ~ no a) /\
  exists before a after, g = before ++ a :: after /\ ask s a = Wrong /\ forall b, In b before -> ~ no b.
(* False, whatever the clocks are. *)
Definition never (s : state) (a : atom) : Prop := ask s a = Plain false.

(* A formula is true, false, or neither, because of an error. *)
Fixpoint decided (b : bool) (s : state) (v : valuation) (f : formula) : Prop :=
  match f with
  | FAtom a => is b s v a
  | FNot f => decided (negb b) s v f
  | FAnd f g => if b then decided b s v f /\ decided b s v g else decided b s v f \/ decided b s v g
  | FOr f g => if b then decided b s v f \/ decided b s v g else decided b s v f /\ decided b s v g
  end.

(* ---- Clocks that are set ---- *)

Definition set1 (u : upd) (v : valuation) : valuation :=
  match u_x u with
  | O => v
  | S k => fun i => if (i =? k)%nat then (val v (u_y u) + inject_Z (u_c u))%Q else v i
  end.
Definition set_all (us : list upd) (v : valuation) : valuation := fold_left (fun v u => set1 u v) us v.
(* On the way a clock gets a value below zero. *)
Fixpoint negative (us : list upd) (v : valuation) : Prop :=
  match us with
  | [] => False
  | u :: us => (val v (u_y u) + inject_Z (u_c u) < 0)%Q \/ negative us (set1 u v)
  end.

(* ---- Joint transitions ---- *)

Definition here (s : state) (p : nat) (e : edge) : Prop :=
  exists l, location_of s p = Some l /\ In e (l_out l).
(* The guard of the edge is false, and is no error. *)
Definition refuses (s : state) (v : valuation) (e : edge) : Prop :=
  (exists a, In a (e_guard e) /\ is false s v a) /\ ~ errs s (is false s v) (e_guard e).
(* A part of a synchronisation takes part with one of its edges. A weak one that has none here stays out; and so does a
   receiver whose edges all refuse. *)
Inductive joins (s : state) (v : valuation) : list part -> list edge -> Prop :=
| joins_nil : joins s v [] []
| joins_take p ps e es : here s (p_process p) e -> e_event e = p_event p ->
    (p_kind p = Receiver -> ~ refuses s v e) -> joins s v ps es -> joins s v (p :: ps) (e :: es)
| joins_skip p ps es : p_kind p <> Strong ->
    (forall e, here s (p_process p) e -> e_event e = p_event p -> p_kind p = Receiver /\ refuses s v e) ->
    joins s v ps es -> joins s v (p :: ps) es.
Definition shared (p event : nat) : Prop :=
  exists ps q, In ps (n_syncs n) /\ In q ps /\ p_process q = p /\ p_event q = event.
Definition committed (s : state) (p : nat) : Prop :=
  exists l, location_of s p = Some l /\ l_committed l = true.
(* Edges that are taken together. If some process is committed, one of theirs takes part. *)
Definition joint (s : state) (v : valuation) (es : list edge) : Prop :=
  ((exists ps, In ps (n_syncs n) /\ joins s v ps es /\ es <> []) \/
   (exists p e, es = [e] /\ In p processes /\ here s p e /\ ~ shared p (e_event e))) /\
  ((exists p, In p processes /\ committed s p) -> exists e, In e es /\ committed s (e_process e)).

Definition guard (es : list edge) : list atom := flat_map e_guard es.
Definition invariant_of (s : state) (p : nat) : list atom :=
  match location_of s p with None => [] | Some l => l_invariant l end.
Definition invariant (s : state) : list atom := flat_map (invariant_of s) processes.

(* U: "If the guards of two transitions hold, the one over the channel with the higher priority goes first. If the channels have
   the same priority, the processes decide: a transition has the highest priority of the processes that take part. Where a guard of
   one is an error, nothing with a lower priority happens." *)
Definition channel_rank (es : list edge) : Z := match es with [] => 0 | e :: _ => nth (e_event e) (n_channel_ranks n) 0 end.
Definition process_rank (es : list edge) : Z :=
  fold_left (fun m e => Z.max m (nth (e_process e) (n_process_ranks n) 0)) es (-2147483649).
Definition higher (a b : list edge) : bool :=
  (channel_rank b <? channel_rank a) ||
  (channel_rank b =? channel_rank a) && (process_rank b <? process_rank a).
Definition outranked (s : state) (v : valuation) (es : list edge) : Prop :=
  exists es', joint s v es' /\ (holds s v (guard es') \/ errs s (is false s v) (guard es')) /\ higher es' es = true.

(* The updates, one edge after the other, and then the locations. *)
Definition code (e : edge) : nat * stmt := (e_locals e, e_update e).
Fixpoint updates (s : state) (us : list upd) (cs : list (nat * stmt)) : res (state * list upd) :=
  match cs with
  | [] => Ok (s, rev us)
  | c :: cs => r <- run (snd c) (Env s (repeat 0 (fst c)) us) ; updates (en_state r) (en_updates r) cs
  end.
Fixpoint set_loc (l : list nat) (p x : nat) : list nat :=
  match l, p with [], _ => [] | _ :: l, O => x :: l | a :: l, S p => a :: set_loc l p x end.
Definition go (s : state) (es : list edge) : state :=
  State (fold_left (fun l e => set_loc l (e_process e) (e_target e)) es (locs s)) (vars s).
Definition fire (s : state) (es : list edge) : res (state * list upd) :=
  r <- updates s [] (n_before n ++ map code es ++ n_after n) ; Ok (go (fst r) es, snd r).

(* ---- What a network can do ---- *)

Definition starts (s : state) : Prop :=
  vars s = map v_init (n_variables n) /\
  Forall2 (fun ls l => exists x, nth_error ls l = Some x /\ l_initial x = true) (n_processes n) (locs s).
Definition zero (v : valuation) : Prop := forall k, (v k == 0)%Q.
(* U: urgent channels, "no time passes while two can meet": the guards hold, whatever the clocks are. *)
Definition urged (s : state) : Prop :=
  exists ps es, In ps (n_syncs n) /\ (exists p, In p ps /\ In (p_event p) (n_urgent n)) /\
    Forall2 (fun p e => here s (p_process p) e /\ e_event e = p_event p) (filter (fun p => match p_kind p with Strong => true | _ => false end) ps) es /\
    forall a, In a (guard es) -> ask s a = Plain true.
Definition unhurried (s : state) : Prop :=
  (forall p l, In p processes -> location_of s p = Some l -> l_urgent l = false /\ l_committed l = false) /\ ~ urged s.

(* U: "A clock to which no process gives a rate runs." A rate of 0 stops it. *)
Definition rated (s : state) : list (res (nat * Z)) :=
  flat_map (fun p => match location_of s p with
                     | None => []
                     | Some l => map (fun r => x <- clock_of s [] (fst r) ; z <- eval s [] (snd r) ; Ok (x, z)) (l_rates l)
                     end) processes.
Definition stopped (s : state) : list nat := flat_map (fun r => match r with Ok (x, 0) => [x] | _ => [] end) (rated s).

(* U: "Where time may pass, a rate that is neither 0 nor 1 is an error, and so are two processes that give a clock different
   rates." Then no time passes. *)
Definition rates_fail (s : state) : Prop :=
  unhurried s /\ ((exists r, In r (rated s) /\ forall x, r <> Ok (x, 0) /\ r <> Ok (x, 1)) \/
  exists x, In (Ok (x, 0)) (rated s) /\ In (Ok (x, 1)) (rated s)).
Definition may_wait (s : state) : Prop := unhurried s /\ ~ rates_fail s.

(* Time passes, and the invariant holds all the while. *)
Definition passes (s : state) (v : valuation) (d : Q) : Prop :=
  (0 <= d)%Q /\ ((d == 0)%Q \/ may_wait s) /\
  forall e, (0 <= e)%Q -> (e <= d)%Q -> holds s (after (stopped s) e v) (invariant s).
(* A joint transition is taken. *)
Definition takes (s : state) (v : valuation) (s' : state) (v' : valuation) : Prop :=
  exists es us, joint s v es /\ holds s v (guard es) /\ ~ outranked s v es /\ fire s es = Ok (s', us) /\ ~ negative us v /\
    same v' (set_all us v) /\ holds s' v' (invariant s').

Inductive reachable : state -> valuation -> Prop :=
| reach_start s v : starts s -> zero v -> holds s v (invariant s) -> reachable s v
| reach_wait s v d v' : reachable s v -> passes s v d -> same v' (after (stopped s) d v) -> reachable s v'
| reach_step s v s' v' : reachable s v -> takes s v s' v' -> reachable s' v'.

(* Some joint transition can be taken, now or after a delay. A state that is not alive is deadlocked. *)
Definition alive (s : state) (v : valuation) : Prop :=
  exists d s' v', passes s v d /\ takes s (after (stopped s) d v) s' v'.

(* ---- What goes wrong at run time ---- *)

(* An error in an invariant, process by process, counts whatever the clocks are. *)
Definition invariant_fails (s : state) : Prop :=
  exists before p after, processes = before ++ p :: after /\ errs s (never s) (invariant_of s p) /\
    forall q a, In q before -> In a (invariant_of s q) -> ~ never s a.
Definition start_fails : Prop := exists s, starts s /\ invariant_fails s.
(* An error in an update counts where the guards hold. *)
Definition step_fails (s : state) (v : valuation) : Prop :=
  rates_fail s \/ exists es, joint s v es /\ ~ outranked s v es /\
   (errs s (is false s v) (guard es) \/
    holds s v (guard es) /\
     (fire s es = Err \/
      exists s' us, fire s es = Ok (s', us) /\ (negative us v \/ invariant_fails s'))).
End Network.
