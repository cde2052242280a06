// The state that Python's traits and the screen share, and the way back through it.

const PAUSE = 1000; // ms after which the same key begins another step of the history
const MOST_STEPS = 200;

/**
 * Values of the model's traits `names`, never changed in place. `accepts(state)` refuses states that make no sense, but
 * for the first, which must make some; `changed(before, origin)` is called after each change, with the origin "screen",
 * "history" or "model", and `judged(refused)` when what the model has begins or ceases to be refused.
 */
export class Store {
  constructor(model, names, accepts, changed, judged) {
    Object.assign(this, { model, names, accepts, changed, judged, past: [], future: [], unsaved: new Set() });
    Object.assign(this, { gesture: null, refused: false });
    this.state = this.first = this.read();
    this.listeners = names.map((name) => [`change:${name}`, () => this.follow(name)]);
    for (const listener of this.listeners) model.on(...listener);
  }

  read() { return Object.fromEntries(this.names.map((name) => [name, this.model.get(name)])); }

  differs(a, b, name) { return !areEqual(a[name], b[name]); }

  // Changes ..........................................................................................................

  /**
   * Take changes over, if they make sense; tell whether they do. What has the same `gesture`, a drag or a key that is
   * pressed again and again, is one step of the history.
   */
  update(changes, gesture = null) {
    const next = { ...this.state, ...changes };
    if (!this.accepts(next)) return false;
    if (!Object.keys(changes).some((name) => this.differs(next, this.state, name))) return true;
    this.remember(gesture);
    this.enter(next, "screen");
    return true;
  }

  remember(gesture) {
    const now = performance.now(), goesOn = gesture !== null && gesture === this.gesture;
    if (!goesOn || !(this.held || now - this.when < PAUSE)) {
      this.past = [...this.past.slice(1 - MOST_STEPS), this.state];
      this.future = [];
    }
    Object.assign(this, { gesture, when: now });
  }

  /** Show a state, and tell the model what is new in it. */
  enter(next, origin) {
    const before = this.state;
    this.state = next;
    for (const name of this.names) if (next[name] !== before[name]) this.unsaved.add(name);
    this.tell();
    if (this.refused) this.judge(!this.accepts(this.read()));
    this.saving ??= setTimeout(() => this.save(), 50);
    this.changed(before, origin);
  }

  /** Give the model what has changed since the last time that it was saved. */
  tell() {
    this.setting = true;
    for (const name of this.unsaved) this.model.set(name, this.state[name]);
    this.setting = false;
  }

  /** Begin with another state than the model's. */
  begin(state) {
    for (const name of this.names) this.model.set(name, state[name]);
    this.state = this.first = state;
  }

  save() {
    clearTimeout(this.saving);
    this.saving = null;
    this.unsaved.clear();
    this.model.save_changes();
  }

  /**
   * Follow what Python sets. It may set several traits one by one, and a state between makes no sense: as long as all
   * of them together are refused, the one that has changed is followed alone, if it makes sense with what is shown.
   */
  follow(name) {
    if (this.setting) return;
    this.tell(); // the kernel echoes what it was sent: what has changed since then is newer
    const given = this.read(), before = this.state;
    const isNew = (state) => this.names.some((each) => this.differs(state, before, each));
    const refused = isNew(given) && !this.accepts(given);
    const next = refused ? { ...before, [name]: given[name] } : given;
    this.judge(refused);
    if (!isNew(next) || (refused && !this.accepts(next))) return;
    this.remember("model");
    this.state = next;
    this.changed(before, "model");
  }

  judge(refused) {
    if (refused !== this.refused) this.judged(this.refused = refused);
  }

  // History ..........................................................................................................

  get canUndo() { return this.past.length > 0; }
  get canRedo() { return this.future.length > 0; }

  undo() { this.travel("past", "future"); }
  redo() { this.travel("future", "past"); }

  travel(from, to) {
    if (this.held || !this[from].length) return;
    const next = this[from].at(-1);
    this[from] = this[from].slice(0, -1);
    this[to] = [...this[to], this.state];
    this.gesture = null;
    this.enter(next, "history");
  }

  // A drag ...........................................................................................................

  /** Something is held: what happens until `release` is one step; `cancel` takes it back, as if it had not been. */
  hold() { Object.assign(this, { held: true, heldFrom: this.state, kept: [this.past, this.future], gesture: null }); }

  release() { Object.assign(this, { held: false, gesture: null }); }

  cancel() {
    if (!this.held) return false;
    this.release();
    if (this.state !== this.heldFrom) {
      [this.past, this.future] = this.kept;
      this.enter(this.heldFrom, "history");
    }
    return true;
  }

  destroy() {
    for (const listener of this.listeners) this.model.off(...listener);
    if (this.saving) this.save();
  }
}

/** Whether two values, or nested lists of them, are the same. */
const areEqual = (a, b) => a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length
  && a.every((value, i) => areEqual(value, b[i])));
