#!/usr/bin/env bash
# Runs what the documentation shows: test/guide.sh [FILE.md...]
#
# In README.md, models/README.md and the guide, each fenced block of kind
#   sh              is run, command by command. A comment `# exit status N` says with which status a
#                   command ends; without one it is 0
#   output          has lines that the commands of the block before it print, in this order
#   KIND NAME       is a file: it is written for the commands after it
#   tck, xta        without a name: all of them together are one model, which is read and simulated
# A comment `<!-- in the source tree -->` before a block says where it is run, and `<!-- no test:
# why -->` leaves it out. Lines that begin with `export` hold for the rest of the page; the home folder
# is an empty one, which all pages share. The examples in the help pages are run as well. Skipped,
# visibly, where python3 or pkg-config is missing for the commands that need it.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
TARN=${TARN:-$root/build/release/tarn}
case $TARN in /*) ;; *) TARN=$PWD/$TARN ;; esac
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
export PATH="$(dirname "$TARN"):$PATH" PYTHONPATH="$root/python" PYTHONDONTWRITEBYTECODE=1
export TARN_LIBRARY="$root/build/release/libtarn.so"
failed=0
skipped=false # a command of the last block
mkdir "$scratch/home"

complain() { # NAME, WHAT, [FILE of details]
  echo "FAIL guide/$1: $2"
  [ $# -lt 3 ] || sed 's/^/    /' "$3" | head -12
  failed=1
  page_failed=1
}

# One command of the page $name, in the folder of the page.
run() {
  local command=$1 wanted=0 status
  [[ $command =~ '# exit status '([0-9]+) ]] && wanted=${BASH_REMATCH[1]}
  for tool in python3 pkg-config; do
    if [[ $command == *$tool* ]] && ! command -v $tool >/dev/null; then
      echo "skip guide/$name: no $tool for \`$command\`"
      skipped=true
      return
    fi
  done
  if [[ $command == export* ]]; then
    exports="$exports$command; "
    return
  fi
  (cd "$place" && HOME=$scratch/home timeout 120 bash -c "$exports$command") \
    >"$scratch/out" 2>"$scratch/err" </dev/null
  status=$?
  cat "$scratch/out" >>"$scratch/shown"
  commands=$((commands + 1))
  [ $status = "$wanted" ] || complain "$name" "\`$command\` ends with $status" "$scratch/err"
}

# The lines of an output block come in this order in what was printed.
compare() {
  awk 'NR == FNR { wanted[NR] = $0; count = NR; next }
    $0 == wanted[next_one + 1] || index($0, wanted[next_one + 1]) == 1 { next_one++ }
    END { if (next_one < count) { print "not printed: " wanted[next_one + 1]; exit 1 } }' \
    "$scratch/block" "$scratch/shown" >"$scratch/why" || complain "$name" 'other output' "$scratch/why"
}

# What to do with a block of this kind, in $scratch/block.
finish() {
  local line pending=
  case $kind in
    sh)
      : >"$scratch/shown"
      skipped=false
      while IFS= read -r line; do
        line=$pending$line
        pending=
        case $line in
          *\\) pending=${line%\\} && continue ;;
          '' | '#'*) continue ;;
        esac
        run "$line"
      done <"$scratch/block"
      ;;
    output) $skipped || compare ;;
    tck | xta)
      if [ -n "$file" ]; then cp "$scratch/block" "$folder/$file"; else cat "$scratch/block" >>"$folder/reference.$kind"; fi
      ;;
    *) [ -z "$file" ] || cp "$scratch/block" "$folder/$file" ;;
  esac
}

page() {
  local line inside=false skips=false
  name=${1#"$root"/} commands=0 page_failed=0 exports=
  folder=$scratch/$(basename "$1" .md)
  rm -rf "$folder"
  mkdir "$folder"
  cp -r "$root/models" "$folder/models"
  place=$folder
  while IFS= read -r line; do
    case $inside:$line in
      false:'<!-- no test:'*) skips=true ;;
      false:'<!-- in the source tree -->') place=$root ;;
      false:'```'*)
        read -r kind file <<<"${line#???}"
        inside=true
        : >"$scratch/block"
        ;;
      true:'```')
        inside=false
        $skips || finish
        skips=false
        place=$folder
        ;;
      true:*) printf '%s\n' "$line" >>"$scratch/block" ;;
    esac
  done <"$1"
  for model in reference.tck reference.xta; do
    [ ! -f "$folder/$model" ] || {
      run "tarn check --quiet -q 'E<> true' $model"
      run "tarn simulate --steps 300 $model"
    }
  done
  [ $page_failed != 0 ] || echo "ok guide/$name: $commands commands"
}

if [ $# -gt 0 ]; then
  for file; do page "$(realpath "$file")"; done
  exit $failed
fi
for file in "$root/README.md" "$root/models/README.md" "$root"/doc/guide/*.md; do page "$file"; done

# The examples of the help pages: commands without words that stand for something else.
name='help pages' commands=0 page_failed=0 folder=$scratch/help place=$scratch/help exports=
mkdir "$folder"
cp "$root/models/lamp.tck" "$folder/MODEL"
for topic in '' $("$TARN" help --bash | sed -n "s/.*:help) words='\(.*\)'.*/\1/p"); do
  # shellcheck disable=SC2086 # no topic is no argument
  "$TARN" help $topic
done | sed -n 's/^  \(tarn [a-z].*\)/\1/p' | grep -v -e '\[' -e 'MODEL' -e '   ' | sort -u >"$scratch/examples"
"$TARN" help | sed -n 's/^  \(tarn gen .*> .*\)/\1/p' >"$scratch/first"
while IFS= read -r line; do run "$line"; done < <(cat "$scratch/first" "$scratch/examples")
[ "$commands" -gt 2 ] || complain "$name" "only $commands examples"
# The declarations at the head of the page on the language are a model.
"$TARN" help language | sed -n '/^system:/,/^$/p' >"$folder/language.tck"
run 'tarn check language.tck'
[ $page_failed != 0 ] || echo "ok guide/$name: $commands commands"
exit $failed
