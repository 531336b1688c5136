# What the drivers agree_*.sh of this folder share; they source it, in the root of the tree, after they have
# set `name`. They end with `exit $failed`.
failed=0

# notices BUG COMMAND...: with the bug planted, the command fails.
notices() {
  bug=$1
  shift
  TARN_PLANTED=$bug "$@" >/dev/null 2>&1
  status=$?
  if [ $status = 1 ]; then
    echo "ok $name/planted $bug"
  else
    echo "FAIL $name/planted $bug: exit $status: it was not found"
    failed=1
  fi
}

# answers WHAT BUG ANSWER COMMAND...: with the bug, or `none`, the command says just that.
answers() {
  what=$1 bug=$2 answer=$3
  shift 3
  said=$(TARN_PLANTED=$bug "$@")
  if [ "$said" = "$answer" ]; then
    echo "ok $name/$what, planted: $bug"
  else
    echo "FAIL $name/$what, planted: $bug: $said"
    failed=1
  fi
}
