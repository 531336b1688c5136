// Texts of the document in CodeMirror. The document has the history: an editor here shows a text and
// sends changes; it has no undo of its own.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState, Prec } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const KEYWORDS = new Set(`const typedef struct clock chan broadcast urgent int bool double string void meta hybrid scalar return if else while for do switch case default break continue
 system process progress gantt before_update after_update priority true false not and or imply forall exists sum deadlock init state commit trans sync guard assign select branchpoint int8_t int16_t int32_t uint8_t uint16_t`.split(/\s+/));

const language = StreamLanguage.define({
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment) {
      if (stream.skipTo('*/')) {
        stream.match('*/');
        state.comment = false;
      } else stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.comment = true;
      return 'comment';
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"/)) return 'string';
    if (stream.match(/^\d+(\.\d+)?([eE][-+]?\d+)?/)) return 'number';
    if (stream.match(/^(A\[\]|A<>|E\[\]|E<>|-->|Pr\b|inf\b|sup\b)/)) return 'keyword';
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word) return KEYWORDS.has(word[0]) ? 'keyword' : 'variableName';
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } }, closeBrackets: { brackets: ['(', '[', '{'] } },
});
const colours = HighlightStyle.define([
  { tag: tags.keyword, class: 'tok-keyword' },
  { tag: tags.comment, class: 'tok-comment' },
  { tag: tags.number, class: 'tok-number' },
  { tag: tags.string, class: 'tok-string' },
]);

const from_document = Annotation.define();

const KINDS = { 3: 'function', 6: 'variable', 7: 'type', 9: 'namespace', 14: 'keyword', 20: 'enum', 21: 'constant', 22: 'type', 25: 'type' };

export class TextField {
  // source: { get() -> text, node() -> element or null, set(text) -> splices, key }, app: { doc, language, undo, redo }
  constructor(app, source, { parent, label, hint = '', small = false, is_prose = false, readonly = false, on_blur = null, keys = [] } = {}) {
    this.app = app;
    this.source = source;
    const extensions = [
      // Completions that are seen go first; those that are only looked for keep nobody.
      small ? Prec.highest(keymap.of([{ key: 'Escape', run: (view) => completionStatus(view.state) !== 'active' && (app.leave_field(), true) }])) : [],
      is_prose ? [] : [language, syntaxHighlighting(colours), bracketMatching(), closeBrackets(),
        autocompletion({ override: [(context) => this.complete(context)], icons: false, activateOnTyping: true }), hoverTooltip((view, position) => this.hover(position))],
      indentUnit.of('  '), drawSelection(),
      EditorState.tabSize.of(2),
      keymap.of([
        ...keys,
        { key: 'Mod-z', run: () => { app.undo(); return true; }, preventDefault: true },
        { key: 'Mod-y', run: () => { app.redo(); return true; }, preventDefault: true },
        { key: 'Mod-Shift-z', run: () => { app.redo(); return true; }, preventDefault: true },
        { key: 'F2', run: (view) => { app.rename_at(this, view.state.selection.main.head); return true; } },
        ...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...(small ? [] : [indentWithTab]),
      ]),
      EditorView.editorAttributes.of({ class: small ? 'small-text' : 'large-text' }), // one that is added to the element goes with the focus
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
      EditorView.updateListener.of((update) => this.changed(update)),
      EditorView.lineWrapping,
      EditorState.readOnly.of(readonly),
    ];
    if (hint) extensions.push(placeholder(hint));
    if (!small) extensions.push(lineNumbers(), highlightActiveLine(), lintGutter());
    this.view = new EditorView({ state: EditorState.create({ doc: source.get(), extensions }), parent });
    if (on_blur) this.view.contentDOM.addEventListener('blur', on_blur);
  }

  changed(update) {
    if (!update.docChanged || update.transactions.some((t) => t.annotation(from_document))) return;
    this.app.doc.apply(this.source.set(update.state.doc.toString()), { label: 'typing', merge: this.source.key, origin: this, before: this.app.context(), after: this.app.context() });
  }

  // The document has changed: what differs is brought up to date.
  refresh() {
    const text = this.source.get(), old = this.view.state.doc.toString();
    if (text === old) return;
    let head = 0, tail = 0;
    while (head < old.length && head < text.length && old[head] === text[head]) head++;
    while (tail < old.length - head && tail < text.length - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
    this.view.dispatch({ changes: { from: head, to: old.length - tail, insert: text.slice(head, text.length - tail) }, annotations: from_document.of(true) });
  }

  show_problems(problems) {
    const node = this.source.node(), size = this.view.state.doc.length;
    const mine = node ? problems.filter((p) => p.place.node && p.place.node.start === node.start && p.place.node.name === node.name) : [];
    const marks = mine.map((p) => {
      const from = Math.min(p.from, size), to = Math.min(Math.max(p.to, from), size);
      return { from, to, severity: p.severity === 1 ? 'error' : p.severity === 2 ? 'warning' : 'info', message: p.text };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  async complete(context) {
    const word = context.matchBefore(/[A-Za-z_][\w.]*/), node = this.source.node();
    if (!node || (!context.explicit && (!word || word.from === word.to))) return null;
    const start = context.matchBefore(/\w*/);
    try {
      const items = await this.app.language.completions(node, context.pos);
      return { from: start ? start.from : context.pos, validFor: /^\w*$/, options: items.map((i) => ({ label: i.label, detail: i.detail, type: KINDS[i.kind], apply: i.insertText })) };
    } catch {
      return null;
    }
  }

  async hover(position) {
    const node = this.source.node();
    if (!node) return null;
    const value = await this.app.language.hover(node, position).catch(() => null);
    if (!value) return null;
    return {
      pos: position,
      create() {
        const dom = document.createElement('div');
        dom.className = 'hover';
        dom.textContent = value.replace(/```\w*\n?/g, '').trim();
        return { dom };
      },
    };
  }

  focus(position = null, end = position) {
    this.view.focus();
    if (position !== null) {
      const size = this.view.state.doc.length;
      this.view.dispatch({ selection: { anchor: Math.min(position, size), head: Math.min(end, size) }, scrollIntoView: true });
    }
  }
  destroy() { this.view.destroy(); }
}
