// The engine begins before the rest of the page. A worker begins only while the page is idle, so in the page that is one
// file, whose scripts come at once, they wait until it runs.
import { begin } from './module.js';

const app = document.getElementById('app-code');
let is_there = !app;
function run() {
  if (is_there) return;
  is_there = true;
  const script = document.createElement('script');
  script.textContent = app.textContent;
  document.body.append(script);
}
begin(run);
setTimeout(run, 300);
