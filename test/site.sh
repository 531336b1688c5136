#!/bin/sh
# The static site of the guide: made, its links and pictures looked up, and opened in a browser.
set -u
cd "$(dirname "$0")/.." || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
site=$scratch/site

python=
for candidate in python3 /usr/bin/python3; do
  "$candidate" -c 'import markdown' 2>/dev/null && python=$candidate && break
done
if [ -z "$python" ]; then
  echo 'skip site: no python3 with markdown; tools/deps site installs it'
  exit 0
fi
if ! "$python" tools/site "$site" >"$scratch/out" 2>&1; then
  echo 'FAIL site/make: tools/site failed'
  sed 's/^/    /' "$scratch/out"
  exit 1
fi
echo "ok site/make: $(find "$site" -name '*.html' | wc -l) pages"

bad=$(cd "$site" && grep -noE '(href|src)="[^"#]+' ./*.html | sed -E 's/(href|src)="//' |
  while IFS=: read -r file line target rest; do
    case $target in http* | https*) continue ;; esac
    [ -e "$target" ] || echo "    $file:$line: $target$rest"
  done)
if [ -z "$bad" ]; then
  echo 'ok site/links'
else
  echo 'FAIL site/links: these lead nowhere'
  echo "$bad"
  failed=1
fi
if grep -lE '^```|\| *---' "$site"/*.html | grep -q .; then
  echo "FAIL site/markup: $(grep -lE '^```|\| *---' "$site"/*.html | tr '\n' ' ')"
  failed=1
else
  echo 'ok site/markup'
fi

browser=
for name in chromium chromium-browser google-chrome; do
  command -v $name >/dev/null && browser=$name && break
done
if [ -z "$browser" ]; then
  echo 'skip site/browser: no chromium'
  exit $failed
fi
browse() {
  HOME=$scratch timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
    --user-data-dir="$scratch/profile" "$@" 2>/dev/null
}
# A frame of our own opens each page and reports what the browser made of it: width of the pictures,
# height of the text.
for page in index tutorial page uppaal command; do
  {
    cat "$site/$page.html"
    cat <<'END'
<script>onload = () => {
  const bad = [...document.images].filter(i => !i.naturalWidth).map(i => i.src);
  const wide = document.documentElement.scrollWidth > innerWidth + 1 ? " too-wide" : "";
  document.title = "pictures " + document.images.length + " missing " + bad.length + wide + " links " + document.querySelectorAll("nav a").length;
};</script>
END
  } >"$site/$page-tested.html"
  browse --window-size=1200,900 --dump-dom "file://$site/$page-tested.html" >"$scratch/dom"
  title=$(sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' "$scratch/dom" | head -n 1)
  case $title in
    pictures*' missing 0 links '[1-9]*) echo "ok site/$page in a browser" ;;
    *)
      echo "FAIL site/$page in a browser: $title"
      failed=1
      ;;
  esac
done
if [ $# -gt 0 ]; then browse --window-size=1200,900 --screenshot="$1" "file://$site/tutorial.html"; fi
exit $failed
