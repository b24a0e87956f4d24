// A board as SVG: squares that can be focused and chosen, pieces, marks, arrows.

import { svg } from "./dom.js";
import { drawn, looks } from "./pieces.js";

export const SIDE = 60;
const EDGE = 24;

export class Board {
  // `onchoose(name, how, from)` hears of a square that was clicked, dragged to, or chosen by key.
  constructor(model, { onchoose = null, small = false, label = "Board" } = {}) {
    this.model = model;
    this.looks = looks(model);
    this.onchoose = onchoose;
    this.small = small;
    this.flipped = false;
    this.cells = "";
    this.focused = null;
    this.byName = new Map(model.board.squares.map((square) => [square.name, square]));
    this.node = svg("svg", { class: small ? "board small" : "board", "aria-label": label,
      role: onchoose ? "group" : "img", id: onchoose ? "board" : null });
    this.layers = {};
    this.build();
  }

  get edge() {
    return this.small ? 4 : EDGE;
  }

  place(name) {
    const { x, y } = this.byName.get(name);
    const { width, height } = this.model.board;
    return [this.edge + SIDE * (this.flipped ? width - x : x),
      this.edge + SIDE * (this.flipped ? height - y : y)];
  }

  build() {
    const { width, height, shape } = this.model.board;
    const [wide, high] = [width * SIDE + 2 * this.edge, height * SIDE + 2 * this.edge];
    this.node.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    this.node.replaceChildren();
    for (const layer of ["ground", "names", "squares", "marks", "pieces", "over"]) {
      this.layers[layer] = svg("g", { class: layer });
      this.node.append(this.layers[layer]);
    }
    if (shape === "lines") this.buildLines();
    this.squares = new Map();
    for (const square of this.model.board.squares) this.buildSquare(square, shape);
    if (!this.small && shape === "hexagons") this.buildOwnNames();
    else if (!this.small) this.buildNames();
    if (this.onchoose) this.listen();
    this.draw();
  }

  buildLines() {
    const { width, height } = this.model.board;
    this.layers.ground.append(svg("rect", { x: this.edge, y: this.edge, width: width * SIDE,
      height: height * SIDE, rx: 14, class: "floor" }));
    for (const [one, other, both] of this.model.board.lines) {
      const [[x1, y1], [x2, y2]] = [this.place(one), this.place(other)];
      this.layers.ground.append(svg("line", { x1, y1, x2, y2, class: both ? "link" : "link one-way" }));
    }
  }

  buildSquare(square, shape) {
    const [x, y] = this.place(square.name);
    const kind = `square ${square.dark ? "dark" : "light"}`;
    let node;
    if (shape === "lines") node = svg("circle", { cx: x, cy: y, r: 9, class: "point" });
    else if (shape === "hexagons") {
      const r = SIDE / Math.sqrt(3);
      const corners = [0, 1, 2, 3, 4, 5].map((k) => {
        const angle = Math.PI / 6 + (k * Math.PI) / 3;
        return `${(x + r * Math.cos(angle)).toFixed(1)},${(y + r * Math.sin(angle)).toFixed(1)}`;
      });
      node = svg("polygon", { points: corners.join(" "), class: "square hexagon" });
    } else {
      node = svg("rect", { x: x - SIDE / 2, y: y - SIDE / 2, width: SIDE, height: SIDE, class: kind });
    }
    const group = svg("g", { class: "cell", "data-square": square.name });
    if (this.onchoose) {
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "-1");
      group.append(svg("circle", { cx: x, cy: y, r: SIDE * 0.47, class: "reach" }));
    }
    group.prepend(node);
    this.layers.squares.append(group);
    this.squares.set(square.name, group);
  }

  // Where ranks slant, every square has its name in its lower corner.
  buildOwnNames() {
    for (const { name } of this.model.board.squares) {
      const [x, y] = this.place(name);
      this.layers.squares.append(svg("text", { x, y: y + SIDE * 0.5, class: "own-name", "aria-hidden": "true" }, name));
    }
  }

  buildNames() {
    const { files, ranks, squares } = this.model.board;
    const seen = { file: new Set(), rank: new Set() };
    const { height } = this.model.board;
    for (const square of squares) {
      const file = square.name.replace(/\d+$/, "");
      const rank = square.name.slice(file.length);
      const [x, y] = this.place(square.name);
      if (!seen.file.has(file) && files <= 60) {
        seen.file.add(file);
        this.layers.names.append(svg("text", { x, y: this.edge + height * SIDE + 17 }, file));
      }
      if (!seen.rank.has(rank) && ranks <= 60) {
        seen.rank.add(rank);
        this.layers.names.append(svg("text", { x: this.edge / 2 - 1, y: y + 4.5 }, rank));
      }
    }
    this.layers.names.setAttribute("aria-hidden", "true");
  }

  // What lies on a square, in words.
  words(name) {
    const cell = this.cells[this.byName.get(name).at];
    return cell && this.looks[cell] ? this.looks[cell].name : "empty";
  }

  draw(cells = this.cells) {
    this.cells = cells;
    const layer = this.layers.pieces;
    layer.replaceChildren();
    if (!cells) return;
    for (const square of this.model.board.squares) {
      const look = this.looks[cells[square.at]];
      if (look) {
        const [x, y] = this.place(square.name);
        const piece = drawn(look, SIDE * (this.model.board.shape === "lines" ? 0.92 : 0.94));
        piece.setAttribute("transform", `translate(${x} ${y})`);
        piece.setAttribute("data-on", square.name);
        layer.append(piece);
      }
    }
    this.name({});
  }

  // Labels for screen readers; `hints` says more of some squares.
  name(hints) {
    if (!this.onchoose) return;
    for (const [name, group] of this.squares) {
      const more = hints[name] ? `, ${hints[name]}` : "";
      group.setAttribute("aria-label", `${name}, ${this.words(name)}${more}`);
    }
    if (!this.focused || !this.squares.has(this.focused)) {
      this.focused = this.model.board.squares[0]?.name || null;
    }
    for (const [name, group] of this.squares) {
      group.setAttribute("tabindex", name === this.focused ? "0" : "-1");
    }
  }

  // Marks of several kinds: `{last: [names], lit: …, ends: …, begun: …, rule: …, way: …}`.
  mark(kinds) {
    const layer = this.layers.marks;
    layer.replaceChildren();
    for (const [kind, names] of Object.entries(kinds)) {
      for (const name of new Set(names)) {
        if (!this.byName.has(name)) continue;
        const [x, y] = this.place(name);
        const full = this.cells[this.byName.get(name).at] !== ".";
        layer.append(this.shape(kind, x, y, full));
      }
    }
    for (const [name, group] of this.squares) {
      group.classList.toggle("can", (kinds.lit || []).includes(name) || (kinds.ends || []).includes(name));
    }
  }

  shape(kind, x, y, full) {
    if (kind === "ends" || kind === "lit" || kind === "origin") {
      const r = full ? SIDE * 0.43 : kind === "origin" ? SIDE * 0.4 : SIDE * 0.16;
      return svg("circle", { cx: x, cy: y, r, class: `mark ${kind} ${full ? "full" : "bare"}` });
    }
    if (this.model.board.shape === "grid") {
      return svg("rect", { x: x - SIDE / 2 + 1.5, y: y - SIDE / 2 + 1.5, width: SIDE - 3, height: SIDE - 3,
        class: `mark ${kind}` });
    }
    return svg("circle", { cx: x, cy: y, r: SIDE * 0.46, class: `mark ${kind}` });
  }

  // Arrows along squares: `[{squares, kind}]`.
  arrows(ways) {
    const layer = this.layers.over;
    layer.replaceChildren();
    for (const { squares, kind } of ways) {
      const points = squares.filter((name) => this.byName.has(name)).map((name) => this.place(name));
      if (points.length === 1) {
        layer.append(svg("circle", { cx: points[0][0], cy: points[0][1], r: SIDE * 0.42, class: `ring ${kind}` }));
      }
      if (points.length < 2) continue;
      const [x2, y2] = points[points.length - 1];
      const [x1, y1] = points[points.length - 2];
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const tip = [x2 - dx * 6, y2 - dy * 6];
      const foot = [tip[0] - dx * 17, tip[1] - dy * 17];
      const shown = [...points.slice(0, -1), foot];
      layer.append(svg("polyline", { points: shown.map((p) => p.join(",")).join(" "), class: `way ${kind}` }));
      layer.append(svg("polygon", { class: `head ${kind}`,
        points: [tip, [foot[0] - dy * 10, foot[1] + dx * 10], [foot[0] + dy * 10, foot[1] - dx * 10]]
          .map((p) => p.join(",")).join(" ") }));
    }
  }

  flip() {
    this.flipped = !this.flipped;
    this.build();
  }

  // Input -----------------------------------------------------------------------------------------

  listen() {
    if (this.heard) return;
    this.heard = true;
    let from = null;
    let ghost = null;
    const at = (event) => {
      const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]");
      return found && this.node.contains(found) ? found.getAttribute("data-square") : null;
    };
    this.node.addEventListener("pointerdown", (event) => {
      const group = event.target.closest("[data-square]");
      if (!group || event.button) return;
      from = group.getAttribute("data-square");
      ghost = this.layers.pieces.querySelector(`[data-on="${CSS.escape(from)}"]`);
      this.begun = [event.clientX, event.clientY];
      this.onchoose(from, "down");
      this.focus(from, false);
    });
    this.node.addEventListener("pointermove", (event) => {
      if (!from || !ghost || !ghost.isConnected) return;
      const far = Math.hypot(event.clientX - this.begun[0], event.clientY - this.begun[1]) > 6;
      if (!far && !this.dragging) return;
      this.dragging = true;
      const point = new DOMPoint(event.clientX, event.clientY)
        .matrixTransform(this.node.getScreenCTM().inverse());
      ghost.setAttribute("transform", `translate(${point.x} ${point.y})`);
    });
    const up = (event) => {
      if (!from) return;
      const target = at(event);
      const [start, dragged] = [from, this.dragging];
      from = null;
      this.dragging = false;
      if (dragged && ghost && ghost.isConnected) {
        const [x, y] = this.place(start);
        ghost.setAttribute("transform", `translate(${x} ${y})`);
      }
      if (target && target !== start) this.onchoose(target, "drag", start);
      else this.onchoose(start, "click");
    };
    this.node.addEventListener("pointerup", up);
    this.node.addEventListener("pointercancel", () => { from = null; this.dragging = false; this.draw(); });
    this.node.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (ways[event.key]) {
      event.preventDefault();
      const next = this.beside(this.focused, ways[event.key]);
      if (next) this.focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onchoose(this.focused, "key");
    } else if (event.key === "Escape") {
      this.onchoose(null, "escape");
    }
  }

  // The nearest square in a direction, those straight ahead first.
  beside(name, [dx, dy]) {
    const [x, y] = this.place(name);
    let best = null;
    for (const square of this.model.board.squares) {
      const [u, v] = this.place(square.name);
      const ahead = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (ahead < 1) continue;
      const cost = ahead + 2.5 * aside;
      if (!best || cost < best[0]) best = [cost, square.name];
    }
    return best && best[1];
  }

  focus(name, really = true) {
    const before = this.squares.get(this.focused);
    if (before) before.setAttribute("tabindex", "-1");
    this.focused = name;
    const group = this.squares.get(name);
    group.setAttribute("tabindex", "0");
    if (really) group.focus();
  }
}
