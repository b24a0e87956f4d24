// Automata and machines as drawings beside the board; the state that a begun turn is in lights up.

import { get } from "./api.js";
import { el, put, svg } from "./dom.js";

export function drawing(picture, lit = null) {
  if (!picture.drawn) return listing(picture, lit);
  const [left, top, wide, high] = picture.box;
  const node = svg("svg", { class: "automaton", role: "img", viewBox: `${left} ${top} ${wide} ${high}`,
    width: Math.min(wide, 520), height: high * Math.min(1, 520 / wide),
    "aria-label": `${picture.title}, ${picture.subtitle}: ${picture.size} states` });
  const colour = picture.colour;
  for (const way of [...picture.marks, ...picture.arrows]) {
    const [a, b, c, d] = way.control;
    node.append(svg("path", { class: "arrow", d: `M${a}C${b} ${c} ${d}` }));
    const [dx, dy] = [way.tip[0] - d[0], way.tip[1] - d[1]];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [(dx / length) * 3.2, (dy / length) * 3.2];
    node.append(svg("polygon", { class: "arrow-head",
      points: `${way.tip} ${d[0] - uy},${d[1] + ux} ${d[0] + uy},${d[1] - ux}` }));
  }
  picture.states.forEach(([x, y], state) => {
    const r = picture.radius;
    const group = svg("g", { class: state === lit ? "state lit" : "state", "data-state": state });
    if (picture.doubled.includes(state)) group.append(svg("circle", { cx: x, cy: y, r: r + 4, stroke: colour }));
    group.append(svg("circle", { cx: x, cy: y, r, stroke: colour, class: "body",
      "stroke-dasharray": picture.dashed.includes(state) ? "4 3" : null }));
    group.append(svg("text", { x, y: y + 4.2, "text-anchor": "middle" }, state));
    node.append(group);
  });
  for (const arrow of picture.arrows) {
    if (!arrow.label) continue;
    const [x, y] = arrow.label;
    const wide = Math.max(...arrow.lines.map((line) => line.length)) * 5.9 + 4;
    const high = arrow.lines.length * 12.5 + 2;
    node.append(svg("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 3, class: "label" }));
    arrow.lines.forEach((line, at) => node.append(svg("text", { x: x - wide / 2 + 2,
      y: y - high / 2 + 10.5 + at * 12.5, class: "letters" }, line)));
  }
  return node;
}

function listing(picture, lit) {
  return el("ul", { class: "transitions" }, picture.arrows.map((arrow) =>
    el("li", { class: arrow.source === lit ? "lit" : null },
      `${arrow.source} → ${arrow.target}: ${arrow.lines.join("  ")}`)));
}

export function card(picture, lit = null, note = "") {
  return el("figure", { class: lit === null ? "picture" : "picture live" },
    el("figcaption", {}, el("strong", {}, picture.title), ` ${picture.subtitle}`,
      note ? el("span", { class: "note" }, note) : null),
    drawing(picture, lit));
}

// The panel: what reads the begun turn, or, with nothing begun, every automaton to choose from.
export class Automata {
  constructor(node) {
    this.node = node;
    this.pictures = null;
    this.chosen = 0;
    this.turn = 0;
  }

  show(model, pictures) {
    this.model = model;
    this.pictures = pictures;
    this.drawn = new Map();
    this.chosen = 0;
  }

  // A picture by its number, automata before machines, drawn by the server when first asked for.
  async card(number, lit = null, note = "") {
    if (!this.drawn.has(number)) {
      this.drawn.set(number, get(`/models/${this.model.id}/pictures/${number}`));
    }
    return card(await this.drawn.get(number), lit, note);
  }

  // Shows parts that may still be on their way, unless something else is shown by then.
  async fill(parts) {
    const turn = (this.turn += 1);
    const found = await Promise.all(parts);
    if (turn === this.turn) put(this.node, found);
  }

  async idle() {
    if (!this.pictures) return;
    const all = [...this.pictures.automata, ...this.pictures.machines];
    if (!all.length) {
      put(this.node, el("p", { class: "quiet" }, "This model has no automata."));
      return;
    }
    const select = el("select", { "aria-label": "Automaton or machine", onchange: (event) => {
      this.chosen = Number(event.target.value);
      this.idle();
    } }, all.map((picture, at) => el("option", { value: at, selected: at === this.chosen },
      `${picture.title}, ${picture.subtitle}`)));
    select.value = String(this.chosen);
    await this.fill([el("p", { class: "quiet" },
      "Take up a piece: the automaton that reads its letters stands here, and its state lights up."),
    select, this.card(Math.min(this.chosen, all.length - 1))]);
  }

  // What `/walk` said of a beginning.
  async follow(walk) {
    if (!this.pictures) return;
    const parts = [];
    const stretch = walk.segments[walk.segments.length - 1];
    const step = stretch && stretch.steps[stretch.steps.length - 1];
    const key = step && step.automaton ? step.automaton : stretch && stretch.automaton;
    const state = step ? step.state : 0;
    const picture = this.pictures.automata.findIndex((each) => each.key === key);
    const letters = walk.segments.map((each) =>
      [each.origin, ...each.steps.map((one) => one.letter)].join(" ")).join("; ");
    parts.push(el("p", { class: "word" }, letters));
    if (picture >= 0) parts.push(this.card(picture, state, state === null ? "" : `state ${state}`));
    else parts.push(el("p", {}, "No automaton reads this."));
    for (const each of walk.machines) {
      const machine = this.pictures.machines[each.machine];
      const lit = each.begun ? each.state : machine.starts[0] ?? null;
      parts.push(this.card(this.pictures.automata.length + each.machine, lit,
        walk.actions.length ? walk.actions.join(", ") : "before the first action"));
    }
    await this.fill(parts);
  }
}
