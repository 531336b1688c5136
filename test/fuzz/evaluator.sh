#!/bin/sh
# The second evaluator (check/meaning.h): test/fuzz/evaluator.sh [WHAT...]
# WHAT: agree, faults (default: both).
#
# agree   random programs, of which both evaluators compute the same
# faults  plants faults into copies of the elaboration, the compiler and the interpreter; with each,
#         the check of the evidence that this tarn makes rejects some, because the evaluators differ
set -u
cd "$(dirname "$0")/../.." || exit 2
[ $# -gt 0 ] || set -- agree faults
failed=0
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

agree() {
  for tester in agree_programs agree_lines; do
    make -s build/release/test/fuzz/$tester || exit 2
    if said=$(build/release/test/fuzz/$tester 20000 | tail -n 1); then
      echo "ok evaluator/$tester: $said"
    else
      echo "FAIL evaluator/$tester: $said"
      failed=1
    fi
  done
}

# found: how many of the models have evidence that the faulty tarn makes and rejects as a difference.
found() {
  count=0
  for model in $models; do
    rm -f "$scratch"/piece*
    # Its queries have the answers of the tarn that has no fault: the status says nothing.
    timeout 20 "$scratch/tarn" check --time-limit 2 --memory-limit 500 --trace concrete --json \
      --certificate "$scratch/piece.txt" "test/$model" >"$scratch/piece.json" 2>"$scratch/said"
    if grep -q 'a second evaluator' "$scratch/said"; then # it checks its certificates
      count=$((count + 1))
      continue
    fi
    grep -q '"steps"' "$scratch/piece.json" || rm -f "$scratch/piece.json"
    for piece in "$scratch"/piece*; do
      [ -s "$piece" ] || continue
      timeout 20 "$scratch/tarn" certify "test/$model" "$piece" >"$scratch/said" 2>&1
      status=$?
      if [ $status = 1 ] && grep -q 'a second evaluator' "$scratch/said"; then
        count=$((count + 1))
        break
      elif [ "$1" = none ] && [ $status != 0 ]; then
        echo "FAIL evaluator/without a fault: $model: exit $status"
        sed 's/^/    /' "$scratch/said"
        failed=1
      fi
    done
  done
}

# fault NAME FILE SED: the change must be one.
fault() {
  cp "src/$2" "$scratch/fault.c"
  sed -i "$3" "$scratch/fault.c"
  if cmp -s "src/$2" "$scratch/fault.c" && [ "$1" != none ]; then
    echo "FAIL evaluator/$1: src/$2 has no such line"
    failed=1
    return
  fi
  # shellcheck disable=SC2086 # a list of libraries
  if ! ${CC:-gcc} -std=c17 -D_POSIX_C_SOURCE=200809L -O1 -w -Isrc -c -o "$scratch/fault.o" "$scratch/fault.c" ||
    ! ${CC:-gcc} -o "$scratch/tarn" build/release/src/main.o "$scratch/fault.o" build/release/units.a $libs; then
    echo "FAIL evaluator/$1: not built"
    failed=1
    return
  fi
  found "$1"
  if [ "$1" = none ] && [ $count = 0 ]; then
    echo "ok evaluator/without a fault: all is accepted"
  elif [ "$1" != none ] && [ $count != 0 ]; then
    echo "ok evaluator/$1: rejected with $count models"
  else
    echo "FAIL evaluator/$1: rejected with $count models"
    failed=1
  fi
}

faults() {
  make -s build/release/tarn build/release/units.a || exit 2
  libs=$(make -s libs)
  models='uppaal/evaluators.xta uppaal/statements.xta uppaal/parameters.xta uppaal/indices.xta
    uppaal/committed-receiver.xta uppaal/broadcast-blocked.xta uppaal/chosen-channels.xta'
  fault none language/uppaal/elab_stmt.c ''
  fault 'a loop that begins without a test' language/uppaal/elab_stmt.c '/^static void for_loop/,/^}/s/STMT_WHILE/STMT_DO/'
  fault 'an iteration that begins late' language/uppaal/elab_stmt.c \
    's/assign_local(e, counter, expr_const(e->arena, var->place, low), list);/assign_local(e, counter, expr_const(e->arena, var->place, low + 1), list);/'
  fault 'a truth that keeps its number' language/uppaal/elab_real.c \
    's/if (!type->is_bool || expr->type->is_bool || expr->type->kind != TYPE_INT)/if (1)/'
  fault 'a guard that is dropped' language/uppaal/elab_edge.c 's/  \*guard = conjunction(e, \*guard, expr);/  (void)expr;/'
  fault 'a choice of select that is left out' language/uppaal/elab_edge.c \
    's/for (int64_t value = low; value <= high; value++)/for (int64_t value = low; value < high + (low == high); value++)/'
  fault 'a location that is not committed' language/uppaal/elab_process.c '/location->committed = l->is_committed;/d'
  fault 'an argument instead of a reference' language/uppaal/elab_function.c \
    's/const bool is_reference = p->is_reference \&\& /const bool is_reference = false \&\& /'
  fault 'a++ that gives the new value' language/uppaal/elab_assign.c \
    's/return data(node->value ? /return data(0 ? /'
  fault 'another value at the beginning' language/uppaal/elab_type.c \
    's/return fill(e, scope, type, node, values) ? values : NULL;/const bool ok = fill(e, scope, type, node, values); values[0] += type->kind == TYPE_ARRAY; return ok ? values : NULL;/'
  fault 'a negated comparison' model/expr/expr.c 's/EXPR_NE, EXPR_EQ, EXPR_GE, EXPR_GT, EXPR_LE, EXPR_LT}/EXPR_NE, EXPR_EQ, EXPR_GT, EXPR_GE, EXPR_LE, EXPR_LT}/'
  fault 'a strict clock constraint that is weak' model/expr/code.c 's/constant, op == EXPR_LT}/constant, false}/'
  fault 'the greater one as the least' model/expr/vm.c 's/sp\[-1\] = sp\[-1\] < sp\[0\] ? sp\[-1\] : sp\[0\];/sp[-1] = sp[0];/'
  fault 'a remainder of negative numbers' model/expr/vm.c 's/bias = value < 0 ? pc\[2\] : 0;/bias = 0;/'
  fault 'a pair that cannot synchronise' model/channels.c \
    's/if (receiver == sender)/if (receiver == sender || (!channel->broadcast \&\& receiver > sender + 1))/'
  fault 'a receiver that is forgotten' model/channels.c 's/if (receiver == sender)/if (receiver == sender || (channel->broadcast \&\& r + 1 == receivers->items.size))/'
  fault 'a query negated wrongly' model/query.c '/case EXPR_LE:/{n;s/EXPR_GT/EXPR_GE/}'
  fault 'an edge to another location' language/uppaal/elab_edge.c \
    's/m->locations\[source\], m->locations\[target\], event/m->locations[source], m->locations[0], event/'
  models=run/evaluator.tck
  fault none language/tchecker/tck_stmt.c ''
  fault 'an else that is dropped' language/tchecker/tck_stmt.c 's/stmt->other = statements(parser, NULL);/statements(parser, NULL);/'
  fault 'a loop whose body runs first' language/tchecker/tck_stmt.c '/^static Stmt \*loop/,/^}/s/STMT_WHILE/STMT_DO/'
  fault 'a local that is not set to 0' language/tchecker/tck_stmt.c '/^static Stmt \*local_variable/,/^}/s/STMT_LOCAL/STMT_NOP/'
  fault 'half of a chain of comparisons' language/tchecker/tck_expr.c 's/return term_connect(parser, &left, EXPR_AND, &right);/return right;/'
  fault 'a difference from the right' language/tchecker/tck_expr.c \
    '/^Term tck_sum/,/^}/s/const Term right = product(parser);/const Term right = sign == TOKEN_MINUS ? tck_sum(parser) : product(parser);/'
  fault 'a comparison that is not mirrored' language/tchecker/tck_term.c '/^static ExprKind mirrored/,/^}/{/case EXPR_LE:/{n;s/EXPR_GE/EXPR_LE/}}'
  fault 'a choice with its values exchanged' language/tchecker/tck_term.c 's/condition, yes, no)/condition, no, yes)/'
  fault 'a second condition that replaces the first' language/tchecker/tck_attr.c \
    's/target->has_condition ? term_connect(parser, &target->condition, EXPR_AND, &term) : term;/term;/'
  fault 'statements that are forgotten' language/tchecker/tck_attr.c 's/target->last->next = first;/(void)first;/'
  fault 'another initial value' language/tchecker/tck.c 's/(int32_t)initial);/(int32_t)min);/'
  fault 'another range' language/tchecker/tck.c 's/type_int(&reader->net->arena, (int32_t)min, (int32_t)max)/type_int(\&reader->net->arena, (int32_t)min, (int32_t)max + (max < INT32_MAX))/'
  fault 'another target' language/tchecker/tck.c 's/: net_add_edge(reader->net, source, target, event, place)/: net_add_edge(reader->net, source, source, event, place)/'
  fault 'a part that is not weak' language/tchecker/tck.c 's/part.weak = tck_accept(parser, TOKEN_QUESTION);/tck_accept(parser, TOKEN_QUESTION);/'
  fault 'a location that is not urgent' language/tchecker/tck_attr.c 's/\*flags\[i\].flag = true;/*flags[i].flag = i < 2;/'
  fault 'a label of one location only' language/query_reader.c 's/ids.size ? any_of(parser, place, ids.items, ids.size)/ids.size ? any_of(parser, place, ids.items, 1)/'
  fault 'a quantifier without its last value' language/tchecker/tck_expr.c 's/return combine(parser, kind, terms, (uint32_t)count);/return combine(parser, kind, terms, (uint32_t)count - (count > 1));/'
  fault 'a negation that is dropped' language/tchecker/tck_expr.c 's/return term_not(parser, begin, &operand);/return operand;/'
  fault 'a range that is not tested' model/expr/vm.c 's/!vm->invalid_is_error ? VM_INVALID/!vm->invalid_is_error ? VM_TRUE/'
}

for what in "$@"; do
  $what
done
exit $failed
