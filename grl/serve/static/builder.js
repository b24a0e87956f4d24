// A turn built on the board, letter by letter, along the tree of legal turns.

// A node of the tree is [text, square, ends, nodes].
const [TEXT, SQUARE, ENDS, NODES] = [0, 1, 2, 3];

export function spelled(path) {
  return path.map((node, at) => {
    if (node[TEXT].startsWith("(")) return ` ${node[TEXT]}`;
    return at ? `; ${node[TEXT]}` : node[TEXT];
  }).join("");
}

// All turns of a tree, each as its path of nodes.
export function* turns(nodes, before = []) {
  for (const node of nodes) {
    const path = [...before, node];
    if (node[ENDS]) yield path;
    yield* turns(node[NODES], path);
  }
}

// Whether a node is the beginning of something else: a further segment, or a piece that appears.
const begins = (node) => !node[TEXT].startsWith("(") || node[TEXT].startsWith("(0 0 a ");

// Whether a turn may end at a node, or goes on with something else.
const lands = (node) => node[ENDS] || node[NODES].some(begins);

// A short name of a turn: where it starts, lands and ends, and what appears there.
export function named(text) {
  if (text === "pass") return "pass";
  return text.split("; ").map((segment) => {
    const [origin, ...letters] = segment.match(/^[a-z]+\d+|\([^)]*\)/g);
    let [x, y] = parts(origin);
    const stops = [origin];
    let takes = false;
    let heading = "";
    for (const letter of letters) {
      const words = letter.slice(1, -1).split(" ");
      if (words[0].startsWith("@")) {
        [x, y] = parts(words[0].slice(1));
        stops.push(square(x, y));
        heading = "";
      } else if (words[2] === "d") takes = true;
      else if (words[2] === "a") {
        if (stops[stops.length - 1].replace(/=.*/, "") !== square(x, y)) stops.push(square(x, y));
        stops[stops.length - 1] += `=${words[3]}`;
        heading = "";
      }
      if (!words[0].startsWith("@") && "ewpn".includes(words[2])) {
        if (heading && heading !== `${words[0]} ${words[1]}`) stops.push(square(x, y));
        [x, y] = [x + Number(words[0]), y + Number(words[1])];
        heading = `${words[0]} ${words[1]}`;
        takes = takes || words[2] === "p";
      }
    }
    if (stops[stops.length - 1].replace(/=.*/, "") !== square(x, y)) stops.push(square(x, y));
    const joined = stops.join(takes ? "×" : "–");
    return takes && stops.length === 1 ? `×${joined}` : joined;
  }).join(" ");
}

function parts(name) {
  const [, letters, digits] = name.match(/^([a-z]+)(\d+)$/);
  let x = 0;
  for (const letter of letters) x = x * 26 + letter.charCodeAt(0) - 96;
  return [x, Number(digits)];
}

function square(x, y) {
  let letters = "";
  for (let rest = x; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(97 + ((rest - 1) % 26)) + letters;
  }
  return letters + y;
}

// The board in the middle of a turn, as far as letters say.
export function carried(cells, path, at) {
  const found = [...cells];
  let [held, here] = ["", ""];
  const down = () => { if (held) found[at(here)] = held; held = ""; };
  path.forEach((node, number) => {
    const words = node[TEXT].slice(1, -1).split(" ");
    if (!node[TEXT].startsWith("(")) {
      down();
      here = node[SQUARE];
      const next = path[number + 1];
      const lifts = !next || !/ d\)$/.test(next[TEXT]);
      held = lifts && found[at(here)] !== "." ? found[at(here)] : "";
      if (held) found[at(here)] = ".";
    } else if (words[2] === "d") found[at(here)] = ".";
    else if (words[2] === "a") { down(); held = words[3]; } else if (words[2] !== "r") here = node[SQUARE];
  });
  down();
  return found.join("");
}

export class Builder {
  // `on` has: changed() after every step, play(text) for a whole turn, illegal(squares), choices.
  constructor(on) {
    this.on = on;
    this.roots = [];
    this.path = [];
    this.exact = false;
    this.fresh = null;
  }

  start(tree) {
    this.roots = tree;
    this.path = [];
    this.fresh = null;
  }

  get begun() {
    return spelled(this.path);
  }

  get last() {
    return this.path[this.path.length - 1] || null;
  }

  get nodes() {
    return this.last ? this.last[NODES] : this.roots;
  }

  // What may be chosen next without leaving the square: letters that stay, and to end here.
  get choices() {
    if (!this.last) return [];
    const stay = this.nodes.filter((node) => node[SQUARE] === this.last[SQUARE]);
    if (!stay.length && !(this.exact && this.last[ENDS])) return [];
    return [...stay, ...(this.last[ENDS] ? [null] : [])];
  }

  // Squares by how the turn goes on there: the next letter's, and those where it can land.
  get reach() {
    const [lit, ends] = [new Set(), new Set()];
    if (!this.path.length) return { lit: [...new Set(this.roots.map((node) => node[SQUARE]))], ends: [] };
    for (const node of this.nodes) lit.add(node[SQUARE]);
    for (const [node] of this.deep()) if (lands(node)) ends.add(node[SQUARE]);
    for (const name of ends) lit.delete(name);
    if (!this.last[NODES].some((node) => node[SQUARE] === this.last[SQUARE] && lands(node))) {
      lit.delete(this.last[SQUARE]);
    }
    return { lit: [...lit], ends: [...ends] };
  }

  // The nodes below, each with its path, the nearest first.
  * deep() {
    let waiting = this.nodes.map((node) => [node, [node]]);
    while (waiting.length) {
      const next = [];
      for (const [node, path] of waiting) {
        yield [node, path];
        if (this.exact) continue;
        // What a piece does where it lands, and what comes after, is chosen once it is there.
        for (const below of node[NODES]) if (!begins(below)) next.push([below, [...path, below]]);
      }
      waiting = next;
    }
  }

  handle(name, how, from = null) {
    if (how === "escape") return this.cancel();
    if (how === "down") {
      this.fresh = null;
      const target = this.path.length && this.found(name);
      if (!target && this.root(name) && this.origin() !== name) {
        this.begin(name);
        this.fresh = name;
      }
      return undefined;
    }
    if (how === "click" && this.fresh === name) {
      this.fresh = null;
      return this.settle();
    }
    this.fresh = null;
    return this.choose(name, from);
  }

  origin() {
    return this.path.length === 1 ? this.path[0][SQUARE] : null;
  }

  root(name) {
    return this.roots.find((node) => node[SQUARE] === name);
  }

  begin(name) {
    this.path = [this.root(name)];
    this.on.changed();
  }

  choose(name, from) {
    if (from && !this.path.length) return this.on.illegal([from, name]);
    if (this.path.length) {
      const path = this.found(name);
      if (path) return this.extend(path);
      if (this.origin() === name) return this.cancel();
    }
    if (this.root(name)) {
      this.begin(name);
      return this.settle();
    }
    const way = [...this.path.map((node) => node[SQUARE]), name];
    return this.on.illegal(way.filter((square, at) => square !== way[at - 1]));
  }

  // The way down to a square: the shortest one, and of several one on which the turn may end.
  found(name) {
    let best = null;
    for (const [node, path] of this.deep()) {
      if (node[SQUARE] !== name || (best && path.length > best.length)) continue;
      if (node[SQUARE] === this.last[SQUARE] && path.length === 1) continue;
      if (!best || (lands(node) && !lands(best[best.length - 1]))) best = path;
    }
    return best;
  }

  extend(path) {
    this.path = [...this.path, ...path];
    this.settle();
  }

  // Go on where there is one way only; play where the turn ends and nothing can follow it.
  settle() {
    for (;;) {
      const last = this.last;
      if (!last) return;
      const onward = last[NODES];
      const stay = onward.filter((node) => node[SQUARE] === last[SQUARE]);
      const alone = onward.length === 1 && (this.path.length > 1 || stay.length === 1);
      // Whoever went to a square by name wants to be there: going on could have been chosen, too.
      const landed = !this.exact && stay.length === 1 && this.path.length > 1;
      if (last[ENDS]) {
        if (!onward.length || (!this.exact && !stay.length)) {
          this.finish();
          return;
        }
        break;
      }
      if ((!alone && !landed) || (this.exact && !stay.length)) break;
      this.path = [...this.path, landed ? stay[0] : onward[0]];
    }
    this.on.changed();
  }

  take(node) {
    if (node === null) this.finish();
    else this.extend([node]);
  }

  finish() {
    const text = this.begun;
    this.on.play(text);
  }

  back() {
    this.path = this.path.slice(0, -1);
    this.on.changed();
  }

  cancel() {
    this.path = [];
    this.on.changed();
  }
}
