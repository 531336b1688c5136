#!/bin/sh
# Every relative link in a Markdown file leads to a file, and every doc/... that a source file
# names exists: test/docs.sh
set -u
cd "$(dirname "$0")/.." || exit 2
if ! why=$(git rev-parse HEAD 2>&1); then
  echo "skip docs: git does not know this tree: $why"
  exit 0
fi

links() {
  git ls-files -z -co --exclude-standard -- '*.md' | xargs -0 awk '
    FNR == 1 { code = 0 }
    /^```/ { code = !code }
    code { next }
    {
      line = $0
      gsub(/`[^`]*`/, "", line)
      while (match(line, /\]\([^)]*\)/)) {
        link = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        sub(/#.*/, "", link)
        if (link != "" && link !~ /^[a-z]+:/) print FILENAME "\t" FNR "\t" link
      }
    }'
}

bad=$(links | while IFS="$(printf '\t')" read -r file line link; do
  [ -e "$(dirname "$file")/$link" ] || echo "    $file:$line: $link"
done)
if [ -z "$bad" ]; then
  echo "ok docs/links"
else
  echo "FAIL docs/links: these lead nowhere"
  echo "$bad"
fi

bad=$(git grep -noE 'doc/[a-z0-9_/-]+\.(md|png)' -- src test bench tools Makefile NEWS.md |
  while IFS=: read -r file line path; do
    [ -e "$path" ] || echo "    $file:$line: $path"
  done)
if [ -z "$bad" ]; then
  echo "ok docs/paths"
else
  echo "FAIL docs/paths: these files do not exist"
  echo "$bad"
fi
