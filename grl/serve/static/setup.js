// Positions of one's own: put pieces on squares and into hands, say who moves, and begin there.

import { button, el, field } from "./dom.js";
import { svg } from "./dom.js";
import { drawn, looks } from "./pieces.js";

export class Setup {
  constructor(model, board, game, onstart) {
    this.model = model;
    this.board = board;
    this.cells = [...game.cells];
    this.key = Object.keys(model.types)[0] || ".";
    this.reserve = structuredClone(game.reserve);
    const mover = el("select", {}, model.players.map((player) => el("option", { value: player }, player)));
    mover.value = game.to_move;
    const shown = looks(model);
    this.palette = el("div", { class: "palette", role: "group", "aria-label": "Pieces" },
      [".", ...Object.keys(model.types)].map((key) => {
        const look = shown[key];
        const face = svg("svg", { viewBox: "-25 -25 50 50", width: 34, height: 34, "aria-hidden": "true" });
        if (look) face.append(drawn(look, 45));
        const one = button("", () => this.pick(key), { "data-key": key, "aria-pressed": "false",
          "aria-label": look ? look.name : "empty" });
        one.append(face);
        return one;
      }));
    this.node = [el("p", {}, "Choose a piece, then squares."), this.palette, this.hands(),
      el("div", { class: "tools" }, field("to move", mover),
        button("Clear", () => this.fill(() => "."), {}),
        button("Initial", () => this.fill((at) => model.initial.cells[at])),
        button("Begin here", () => onstart({ rows: this.rows(), to_move: mover.value, reserve: this.reserve }),
          { class: "main", id: "begin-here" }))];
    this.pick(this.key);
  }

  hands() {
    return Object.entries(this.reserve).map(([player, hand]) => el("div", { class: "tools" }, `${player} in hand`,
      Object.keys(hand).map((key) => field(this.model.types[key].type, el("input", { type: "number", min: 0,
        max: 999, value: hand[key], oninput: (event) => { hand[key] = Number(event.target.value) || 0; } })))));
  }

  pick(key) {
    this.key = key;
    for (const one of this.palette.children) one.setAttribute("aria-pressed", String(one.dataset.key === key));
  }

  put(name) {
    const { at } = this.board.byName.get(name);
    this.cells[at] = this.cells[at] === this.key ? "." : this.key;
    this.board.draw(this.cells.join(""));
  }

  fill(what) {
    this.cells = this.cells.map((cell, at) => (cell === "#" ? "#" : what(at)));
    this.board.draw(this.cells.join(""));
  }

  rows() {
    const { files } = this.model.board;
    const text = this.cells.join("");
    const rows = [];
    for (let at = 0; at < text.length; at += files) rows.unshift(text.slice(at, at + files));
    return rows;
  }
}
