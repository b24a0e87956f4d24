// Many games between two players, with a table and a plot.

import { post } from "./api.js";
import { button, el, field, problem, put, svg } from "./dom.js";
import { followed } from "./jobs.js";
import { known } from "./seats.js";

const PLAYERS = ["random", "swift:nodes=1000", "swift:seconds=0.1", "mtdf:nodes=1000", "mtdf:depth=2",
  "uct:nodes=500", "uct:nodes=5000", "alphabeta:depth=2", "solver:nodes=5000"];

export class Batch {
  constructor(node, page) {
    this.node = node;
    this.page = page;
    this.built = false;
  }

  build() {
    this.built = true;
    this.list = el("datalist", { id: "specs" });
    const spec = (value, id) => el("input", { list: "specs", value, id, size: 20, spellcheck: "false" });
    const number = (value, min, max, id) => el("input", { type: "number", value, min, max, id });
    this.one = spec("uct:nodes=500", "one");
    this.other = spec("random", "other");
    this.games = number(20, 1, 1000, "count");
    this.opening = number(2, 0, 50, "opening");
    this.seed = number(0, 0, 1000000, "seed");
    this.work = el("div", {});
    this.result = el("div", { id: "batch-result" });
    put(this.node, el("section", { class: "block", "aria-label": "Batch" }, el("h2", {}, "Many games"),
      el("p", { class: "quiet" }, "Two players play each other, each random opening from both sides. " +
        "Choose from the lists, or write one: a name, a budget, an evaluation."), this.list,
      el("div", { class: "tools" }, field("first", this.one), field("second", this.other)),
      el("div", { class: "tools" }, field("games", this.games), field("random plies before", this.opening),
        field("seed", this.seed), button("Play", () => this.play(), { class: "main", id: "run" })),
      this.work, this.result));
  }

  async show() {
    if (!this.built) this.build();
    put(this.list, [...PLAYERS, ...known.evaluations.filter((each) => each !== "none")
      .map((each) => `swift:nodes=1000,evaluation=${each}`), ...known.strategies.map((each) => each.spec)]
      .map((spec) => el("option", { value: spec }, named(spec))));
  }

  async play() {
    problem(null);
    try {
      const job = await post("/batch", { model: this.page.model.id, players: [this.one.value.trim(), this.other.value.trim()],
        games: Number(this.games.value), opening: Number(this.opening.value), seed: Number(this.seed.value) });
      this.model = this.page.model;
      const view = await followed(job, this.work, (best) => this.draw(best));
      if (view.result) this.draw(view.result);
    } catch (error) {
      problem(error);
    }
  }

  draw(found) {
    const [one, other] = found.players;
    const percent = (part) => `${Math.round(100 * part)}%`;
    const nodes = (part) => Math.round(part / found.games).toLocaleString("en");
    const table = el("table", {}, el("thead", {}, el("tr", {}, ["player", "won", "drawn", "lost", "points", "95 %", "nodes a game"]
      .map((head, at) => el("th", { class: at ? "number" : null }, head)))),
    el("tbody", {},
      el("tr", {}, el("td", {}, named(one)), [found.won, found.drawn, found.lost, percent(found.share),
        `${percent(found.low)}–${percent(found.high)}`, nodes(found.nodes[0])].map((cell) => el("td", { class: "number" }, cell))),
      el("tr", {}, el("td", {}, named(other)), [found.lost, found.drawn, found.won, percent(1 - found.share),
        `${percent(1 - found.high)}–${percent(1 - found.low)}`, nodes(found.nodes[1])].map((cell) => el("td", { class: "number" }, cell)))));
    const mean = found.plies.reduce((a, b) => a + b, 0) / Math.max(1, found.plies.length);
    put(this.result, el("h3", {}, `${found.games} games`), el("div", { class: "scroll" }, table),
      el("p", { class: "quiet" }, `${mean.toFixed(1)} plies a game${found.cut ? `; ${found.cut} were cut off` : ""}`),
      this.plot(found), found.records ? this.records(found) : null);
  }

  // The points of both players, game by game.
  plot(found) {
    const [wide, high, left, low] = [560, 220, 34, 26];
    const n = found.games;
    const x = (at) => left + ((wide - left - 110) * at) / Math.max(1, n);
    const y = (points) => high - low - ((high - low - 12) * points) / Math.max(1, n);
    const line = (points, colour) => svg("polyline", { class: "line", stroke: colour,
      points: [[0, 0], ...points.map((each, at) => [at + 1, each])].map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ") });
    const theirs = found.course.map((points, at) => at + 1 - points);
    const node = svg("svg", { class: "plot", viewBox: `0 0 ${wide} ${high}`, role: "img",
      "aria-label": `Points after each game: ${found.players[0]} ${found.course[n - 1] ?? 0}, ${found.players[1]} ${theirs[n - 1] ?? 0}` });
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      const points = Math.round(n * part);
      node.append(svg("line", { class: "axis", x1: left, x2: x(n), y1: y(points), y2: y(points) }),
        svg("text", { x: left - 5, y: y(points) + 4, "text-anchor": "end" }, points),
        svg("text", { x: x(points), y: high - 8, "text-anchor": "middle" }, points));
    }
    node.append(line(found.course, "#2f8f6b"), line(theirs, "#c8742e"));
    const label = (points, text, colour, shift) => svg("text", { x: x(n) + 6, y: y(points) + 4 + shift, fill: colour }, text);
    const [a, b] = [found.course[n - 1] ?? 0, theirs[n - 1] ?? 0];
    const near = Math.abs(y(a) - y(b)) < 14 ? 7 : 0;
    node.append(label(a, short(found.players[0]), "#2f8f6b", a >= b ? -near : near),
      label(b, short(found.players[1]), "#c8742e", a >= b ? near : -near));
    return node;
  }

  records(found) {
    const shown = found.records.slice(0, 200);
    return el("details", {}, el("summary", {}, "Games"), el("div", { class: "scroll" }, el("table", {},
      el("thead", {}, el("tr", {}, ["game", "began", "points", "plies", ""].map((head) => el("th", {}, head)))),
      el("tbody", {}, shown.map((game) => el("tr", {}, el("td", {}, game.number + 1), el("td", {}, named(found.players[game.began])),
        el("td", {}, game.cut ? "cut off" : game.points), el("td", {}, game.turns.length),
        el("td", {}, button("Open", () => this.open(game)))))))));
  }

  async open(game) {
    try {
      const view = await post("/games", { model: this.model.id, turns: game.turns, name: `game ${game.number + 1}` });
      await this.page.openGame((await post(`/games/${view.id}/goto`, { ply: 0 })).id);
    } catch (error) {
      problem(error);
    }
  }
}

// A strategy has the name of its file, anybody else the text that was written.
function named(text) {
  return known.strategies.find((each) => each.spec === text)?.name ?? text;
}

function short(text) {
  const spec = named(text);
  return spec.length > 18 ? `${spec.slice(0, 17)}…` : spec;
}
