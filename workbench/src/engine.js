// The page's side of an engine: requests that are promises, over a carrier of messages: a worker of
// this page, or a `tarn serve` that the page came from.

import { end_worker, start_worker } from './module.js';

// The text that the engine was given has no name; what is in a template has its place in words.
export const placed = (message) => message.replace(/^<query>:[\d:]* /, '').replace(/^<text>:(?:(\d+):)?(?:\d+:)? (template |declarations|system|query )?/, (_, line, part) => part || (line ? `line ${line}: ` : ''));
export class EngineError extends Error {
  constructor(message) { super(placed(message)); }
}

// Each carrier gives messages to `receive`, tells `fail` why it has ended, and is told:
//   post(message)  send it
//   cancel(ids)    the answers to these requests are not wanted any more; true: it goes on
//   close()        it is not wanted any more

export class WorkerCarrier {
  constructor(receive, fail) {
    this.worker = start_worker({ receive: (text) => receive(JSON.parse(text)), fail });
  }
  post(message) { this.worker.postMessage(JSON.stringify(message)); }
  // Nothing but its end interrupts it.
  cancel() { this.close(); }
  close() { end_worker(this.worker); }
}

// doc/schemas/service-1.json. Messages go one after the other, as HTTP keeps no order.
export class ServerCarrier {
  constructor(receive, fail) {
    this.receive = receive;
    this.source = new EventSource('events');
    this.sent = new Promise((begin) => {
      this.source.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.method === 'tarn/ready') begin(message.params.engine);
        if (message.method === 'tarn/fault') this.source.close();
        receive(message);
      };
    }).then((number) => { this.address = `rpc/${number}`; });
    this.source.onerror = () => {
      this.source.close();
      fail('`tarn serve` does not answer');
    };
  }
  post(message) { this.sent = this.sent.then(() => this.send(message)); }
  async send(message) {
    let why;
    try {
      const answer = await fetch(this.address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(message) });
      if (answer.status === 200) return this.receive({ ...(await answer.json()), id: message.id });
      if (answer.ok) return undefined;
      why = (await answer.text()).trim();
    } catch (error) {
      why = `\`tarn serve\` does not answer (${error.message})`;
    }
    return message.id && this.receive({ id: message.id, error: { code: -32603, message: why } });
  }
  cancel(ids) {
    for (const id of ids) this.send({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });
    return true;
  }
  close() { this.source.close(); }
}
export const has_server = () => !!document.getElementById('server-data');

export class Engine {
  // `notified` gets notifications: (method, params).
  constructor(notified = () => {}, kind = WorkerCarrier) {
    this.notified = notified;
    this.kind = kind;
    this.next = 1;
    this.calls = new Map();
    this.carrier = null; // another one has forgotten what the last one was told
    this.ready = null;
  }

  start() {
    if (this.carrier) return this.ready;
    this.ready = new Promise((resolve) => { this.is_ready = resolve; });
    const Carrier = this.kind;
    const carrier = new Carrier((message) => this.carrier === carrier && this.receive(message), (why) => this.carrier === carrier && this.fail(why));
    this.carrier = carrier;
    return this.ready;
  }

  receive(message) {
    if (message.method === 'tarn/ready') this.is_ready();
    else if (message.method === 'tarn/fault') this.fail(message.params.message);
    else if (message.method) this.notified(message.method, message.params);
    else {
      const call = this.calls.get(message.id);
      this.calls.delete(message.id);
      if (!call) return;
      if (message.error) call.reject(new EngineError(message.error.message));
      else call.resolve(message.result);
    }
  }

  // A fault ends the carrier; the next request starts another one.
  fail(why) {
    this.close(`the engine has stopped: ${why}`);
    this.notified('tarn/fault', { message: why });
  }

  // Ends what it does; it is ready again after `start`.
  end(why = 'cancelled') {
    const calls = [...this.calls];
    this.calls.clear();
    if (this.carrier && !this.carrier.cancel(calls.map(([id]) => id))) this.carrier = null;
    for (const [, call] of calls) call.reject(new EngineError(why));
  }
  close(why) {
    this.end(why);
    this.carrier?.close();
    this.carrier = null;
  }
  // Its engine is somewhere else from now on.
  move(kind) {
    this.close('cancelled');
    this.kind = kind;
  }

  request(method, params = {}) {
    this.start();
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      this.carrier.post({ jsonrpc: '2.0', id, method, params });
    });
  }
  notify(method, params = {}) {
    this.start();
    this.carrier.post({ jsonrpc: '2.0', method, params });
  }
}
