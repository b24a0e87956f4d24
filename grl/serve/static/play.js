// One game on the page: the board, whose turn it is, players, what rules say, what was played.

import { ADVISER, Analysis } from "./analysis.js";
import { get, post } from "./api.js";
import { Automata } from "./automata.js";
import { Board } from "./board.js";
import { Builder, carried, named, spelled } from "./builder.js";
import { button, byId, el, problem, put, say, svg } from "./dom.js";
import { drawn, looks, playerColours } from "./pieces.js";
import { Rules } from "./rules.js";
import { Seats } from "./seats.js";
import { Setup } from "./setup.js";
import { listed } from "./turns.js";

// The letter by which a piece from the hand is put down on a square, if turns begin so there.
const putDown = (root, key) => root[3].find((node) => node[0] === `(0 0 a ${key})`);

export class Play {
  constructor(node) {
    this.node = node;
    this.game = null;
    this.builder = new Builder({ changed: () => this.changed(), play: (text) => this.play(text),
      illegal: (squares) => this.why({ squares }) });
    this.builder.exact = false;
    this.asking = 0;
    this.parts();
  }

  parts() {
    this.top = el("div", { class: "status" });
    this.stage = el("div", { class: "stage" });
    this.hands = el("div", { class: "hands" });
    this.choices = el("div", { class: "choices", role: "group", "aria-label": "Choices", hidden: true });
    this.reason = el("div", { class: "reason", hidden: true });
    this.bar = el("div", { class: "bar", hidden: true });
    this.tools = el("div", { class: "tools" });
    this.seats = new Seats((seats) => this.seat(seats));
    this.panels = {
      turns: el("div", { class: "panel", id: "panel-turns" }),
      automata: el("div", { class: "panel", id: "panel-automata" }),
      rules: el("div", { class: "panel", id: "panel-rules" }),
      analysis: el("div", { class: "panel", id: "panel-analysis" }),
    };
    this.automata = new Automata(this.panels.automata);
    this.analysis = new Analysis(this.panels.analysis, this.bar, {
      play: (text) => this.play(text), hover: (mark) => this.hover(mark) });
    this.rules = new Rules(this.panels.rules, { onhover: (mark) => this.hover(mark),
      onlook: () => this.stage.scrollIntoView({ block: "nearest" }) });
    this.tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Beside the board" });
    const titles = { turns: "Turns", automata: "Automaton", rules: "Rules", analysis: "Analysis" };
    for (const [name, title] of Object.entries(titles)) {
      this.tabs.append(button(title, () => this.tab(name), { role: "tab", id: `tab-${name}`,
        "aria-controls": `panel-${name}` }));
      this.panels[name].setAttribute("role", "tabpanel");
      this.panels[name].setAttribute("aria-labelledby", `tab-${name}`);
    }
    this.tabs.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const names = Object.keys(titles);
      this.tab(names[(names.indexOf(this.shown) + step + names.length) % names.length]);
      byId(`tab-${this.shown}`).focus();
    });
    put(this.node,
      el("section", { class: "left", "aria-label": "Game" }, this.top,
        el("div", { class: "table" }, this.bar, this.stage), this.choices, this.reason, this.hands, this.tools),
      el("section", { class: "right", "aria-label": "Beside the board" }, this.seats.node, this.tabs,
        Object.values(this.panels)));
    this.tab("turns");
  }

  tab(name) {
    this.shown = name;
    for (const [each, panel] of Object.entries(this.panels)) {
      panel.hidden = each !== name;
      const tab = this.tabs.querySelector(`#tab-${each}`);
      tab.setAttribute("aria-selected", String(each === name));
      tab.setAttribute("tabindex", each === name ? "0" : "-1");
    }
    if (this.game) this.beside();
  }

  // Models and games ------------------------------------------------------------------------------

  async open(model, game = null) {
    this.asking += 1;
    delete this.node.dataset.ply;
    this.model = model;
    this.looks = looks(model);
    this.board = new Board(model, { onchoose: (...chosen) => this.choose(...chosen) });
    put(this.stage, this.board.node);
    this.setup = null;
    this.pictures = null;
    this.drawTools();
    await this.rules.show(model);
    put(this.panels.automata, el("p", { class: "quiet" }, "Drawing …"));
    this.show(game || await post("/games", { model: model.id }));
  }

  async begin(position = null) {
    const seats = this.game ? this.game.seats : {};
    this.show(await post("/games", { model: this.model.id, seats, ...(position ? { position } : {}) }));
  }

  show(game) {
    const before = this.game;
    this.game = game;
    this.asking += 1;
    this.analysis.leave();
    if (!before || before.id !== game.id) {
      history.replaceState(null, "", `#play/${game.id}`);
      this.paused = false;
    }
    this.clear();
    this.builder.start(game.tree);
    this.held = null;
    this.board.draw(game.cells);
    this.seats.show(this.model, game);
    this.drawStatus();
    this.drawHands();
    this.drawTurns();
    this.changed();
    this.announce();
    this.node.dataset.game = game.id;
    this.node.dataset.ply = game.ply;
    this.beside();
    this.next();
  }

  announce() {
    const last = this.game.ply ? this.game.steps[this.game.ply - 1] : null;
    const played = last ? `${last.by} played ${named(last.turn)}. ` : "";
    say(this.game.over ? `${played}The game is over. ${this.result()}` :
      `${played}${this.game.to_move} to move, ${this.game.turns} turns.`);
  }

  result() {
    const goals = Object.entries(this.game.goals);
    if (!goals.length) return "The goals are unknown.";
    const best = goals.filter(([, goal]) => goal === 100);
    if (goals.length > 1 && best.length === 1) return `${best[0][0]} wins.`;
    if (goals.length > 1 && goals.every(([, goal]) => goal === goals[0][1])) return "A draw.";
    return goals.map(([who, goal]) => `${who} ${goal}`).join(", ");
  }

  drawStatus() {
    const { game } = this;
    put(this.top, game.over
      ? [el("p", { class: "verdict" }, this.result()), el("p", { class: "sentence" }, game.said)]
      : [el("p", { class: "mover" }, this.disc(game.to_move), el("strong", {}, game.to_move), " to move"),
        el("p", { class: "quiet" }, game.ply ? `ply ${game.ply}${game.plies > game.ply ? ` of ${game.plies}` : ""}` : "the beginning")]);
    this.top.classList.toggle("over", game.over);
  }

  disc(player) {
    const dot = el("span", { class: "dot", "aria-hidden": "true" });
    const [fill, stroke] = playerColours(this.model, player);
    dot.style.background = fill;
    dot.style.borderColor = stroke;
    return dot;
  }

  drawHands() {
    const held = Object.entries(this.game.reserve);
    put(this.hands, held.map(([player, hand]) => {
      const pieces = Object.entries(hand).filter(([, count]) => count);
      return el("p", {}, this.disc(player), `${player} in hand: `,
        pieces.length ? pieces.map(([key, count]) => this.inHand(player, key, count)) : "nothing");
    }));
  }

  // A piece in hand: whoever moves may take it up, and then choose a square for it.
  inHand(player, key, count) {
    const face = svg("svg", { viewBox: "-25 -25 50 50", width: 26, height: 26, "aria-hidden": "true" }, drawn(this.looks[key], 45));
    const usable = this.mine && player === this.game.to_move && this.builder.roots.some((root) => putDown(root, key));
    const one = button("", () => this.takeUp(this.held === key ? null : key), { class: "held", disabled: !usable, "data-key": key,
      "aria-pressed": "false", "aria-label": `${count} ${this.looks[key].name} in hand` });
    one.append(face, `× ${count}`);
    return one;
  }

  takeUp(key) {
    this.held = key;
    this.builder.path = [];
    for (const one of this.hands.querySelectorAll(".held")) one.setAttribute("aria-pressed", String(one.dataset.key === key));
    this.changed();
  }

  drawTurns() {
    listed(this.panels.turns, this.game, { play: (text) => this.play(text), goto: (ply) => this.goto(ply),
      hover: (mark) => this.hover(mark) });
  }

  drawTools() {
    const exact = el("label", { class: "check" }, el("input", { type: "checkbox", onchange: (event) => {
      this.builder.exact = event.target.checked;
      this.builder.cancel();
    } }), "letter by letter");
    put(this.tools,
      button("↶ Undo", () => this.undo(), { id: "undo" }),
      button("↷ Redo", () => this.redo(), { id: "redo" }),
      button("New game", () => this.act(() => this.begin()), { id: "new" }),
      button("Hint", () => this.hint(), { id: "hint" }),
      button("Flip", () => { this.board.flip(); this.changed(); }, { id: "flip" }),
      button("Set up", () => this.toggleSetup(), { id: "setup" }),
      exact);
  }

  // Turns -----------------------------------------------------------------------------------------

  get mine() {
    return this.game && !this.game.over && this.game.seats[this.game.to_move] === "person";
  }

  choose(name, how, from) {
    if (this.setup) {
      if (how === "down") this.setup.put(name);
      if (how === "key" && name) this.setup.put(name);
      return;
    }
    if (!this.game || this.busy) return;
    if (how === "down") this.clear();
    if (this.held && this.putHeld(name, how)) return;
    this.builder.handle(name, how, from);
  }

  // Puts the piece that was taken up from the hand where it may go; elsewhere it goes back.
  putHeld(name, how) {
    const root = name && this.builder.root(name);
    const letter = root && putDown(root, this.held);
    if (letter && how === "down") return true;
    this.takeUp(null);
    if (!letter) return how === "escape";
    this.builder.begin(name);
    this.builder.extend([letter]);
    return true;
  }

  // After every letter: what can follow lights up, here and in the automaton.
  changed() {
    if (!this.game) return;
    const { path } = this.builder;
    const at = (name) => this.board.byName.get(name).at;
    if (path.length > 1) this.board.draw(carried(this.game.cells, path, at));
    else if (this.board.cells !== this.game.cells) this.board.draw(this.game.cells);
    this.paint();
    this.drawChoices();
    if (path.length) this.follow();
    else if (this.shown === "automata") this.automata.idle();
    this.tools.querySelector("#undo").disabled = !this.game.ply && !path.length;
    this.tools.querySelector("#redo").disabled = this.game.ply >= this.game.plies;
  }

  paint(mark = null) {
    const { path } = this.builder;
    const reach = this.game.over ? { lit: [], ends: [] } : this.builder.reach;
    const { ends } = reach;
    const lit = this.held && !path.length
      ? this.builder.roots.filter((root) => putDown(root, this.held)).map((root) => root[1]) : reach.lit;
    const last = this.game.ply ? this.game.steps[this.game.ply - 1].squares : [];
    this.board.mark(mark ? { last, rule: mark.rule || [] } : {
      last: path.length ? [] : last,
      begun: path.map((node) => node[1]),
      [path.length ? "lit" : "origin"]: this.game.to_move && this.mine ? lit : [],
      ends: this.mine ? ends : [],
    });
    this.board.arrows(mark && mark.way ? [{ squares: mark.way, kind: mark.good ? "good" : "bad" }]
      : mark && mark.ways ? mark.ways : []);
    const hints = {};
    for (const name of lit) hints[name] = path.length ? "the turn can go on here" : "can begin a turn";
    for (const name of ends) hints[name] = "the turn can end here";
    if (path.length) hints[path[0][1]] = hints[path[0][1]] ? `chosen, ${hints[path[0][1]]}` : "chosen";
    this.board.name(hints);
    if (path.length) {
      const onward = [...ends, ...lit];
      say(`${spelled(path)}. Goes on to ${onward.length ? onward.join(", ") : "nothing further"}.`);
    }
  }

  hover(mark) {
    if (this.game && !this.setup) this.paint(mark);
  }

  drawChoices() {
    const choices = this.builder.choices;
    this.choices.hidden = !choices.length;
    put(this.choices, choices.map((node) => button(this.choice(node), () => this.builder.take(node))),
      choices.length ? button("Cancel", () => this.builder.cancel(), { class: "plain" }) : null);
  }

  choice(node) {
    if (node === null) return "End the turn here";
    const words = node[0].slice(1, -1).split(" ");
    if (words[2] === "d") return "Remove the piece";
    const piece = this.model.types[words[3]];
    const name = piece ? piece.type : words[3];
    if (words[2] === "a" && (this.builder.path.length === 1 || (piece && piece.player === null))) return `Put down ${name}`;
    return words[2] === "a" ? `Becomes ${name}` : words[2] === "r" ? `Keep ${name}` : node[0];
  }

  async follow() {
    const { begun } = this.builder;
    if (this.shown !== "automata") return;
    const asked = (this.following = (this.following || 0) + 1);
    try {
      const walk = await post(`/games/${this.game.id}/walk`, { begun });
      if (asked === this.following && begun === this.builder.begun) this.automata.follow(walk);
    } catch (error) {
      problem(error);
    }
  }

  async act(work) {
    if (this.busy) return;
    this.busy = true;
    this.node.dataset.busy = "true";
    try {
      problem(null);
      await work();
    } catch (error) {
      problem(error);
      this.builder.cancel();
    } finally {
      this.busy = false;
      delete this.node.dataset.busy;
    }
    this.next();
  }

  play(text) {
    this.paused = false;
    return this.act(async () =>
      this.show(await post(`/games/${this.game.id}/play`, { turn: text, ply: this.game.ply })));
  }

  goto(ply) {
    this.paused = true;
    return this.act(async () => this.show(await post(`/games/${this.game.id}/goto`, { ply })));
  }

  undo() {
    if (this.builder.path.length) return this.builder.back();
    this.asking += 1;
    const { steps, ply, seats } = this.game;
    let back = ply - 1;
    const people = Object.values(seats).includes("person");
    while (people && back > 0 && seats[steps[back].by] !== "person") back -= 1;
    return this.goto(Math.max(0, back));
  }

  redo() {
    return this.goto(Math.min(this.game.ply + 1, this.game.plies));
  }

  seat(seats) {
    this.paused = false;
    return this.act(async () => this.show(await post(`/games/${this.game.id}/seats`, { seats })));
  }

  // Players ---------------------------------------------------------------------------------------

  // Whoever is no person plays when it is their turn.
  async next() {
    const { game } = this;
    this.seats.wait(this.paused && game && !game.over && !this.mine ? () => {
      this.paused = false;
      this.next();
    } : null);
    if (!game || game.over || this.mine || this.busy || this.paused || this.setup) return;
    const asked = this.asking;
    this.seats.think(game.to_move);
    try {
      const found = await post(`/games/${game.id}/answer`, { play: true, ply: game.ply });
      if (asked !== this.asking) return;
      this.seats.thought(found);
      await new Promise((done) => setTimeout(done, 220));
      if (asked === this.asking) await this.show(found.game);
    } catch (error) {
      if (asked === this.asking) {
        this.paused = true;
        problem(error);
      }
    } finally {
      this.seats.think(null);
    }
  }

  hint() {
    return this.act(async () => {
      const found = await post(`/games/${this.game.id}/answer`, { player: ADVISER });
      this.paint({ way: found.squares, good: true });
      this.tell("hint", [el("p", {}, el("strong", {}, named(found.turn)), ` ${found.spoken}`,
        found.line.length > 1 ? el("span", { class: "quiet" }, ` then ${found.line.slice(1, 7).map(named).join(" ")}`) : null)]);
      say(`Hint: ${named(found.turn)}, ${found.spoken}`);
    });
  }

  // Reasons ---------------------------------------------------------------------------------------

  clear() {
    this.reason.hidden = true;
    put(this.reason);
  }

  tell(kind, children) {
    this.reason.hidden = false;
    this.reason.className = `reason ${kind}`;
    put(this.reason, children);
  }

  async why(asked) {
    if (!this.mine) return;
    try {
      const found = await post(`/games/${this.game.id}/explain`, asked);
      const lines = [el("p", {}, el("strong", {}, `${named(found.turn)}: `), found.legal ? "legal. " : "not legal. ",
        found.reason)];
      if (found.rule) lines.push(el("p", { class: "sentence" }, `Rule ${found.rule.number}: ${found.rule.sentence}`));
      if (found.rivals.length) {
        lines.push(el("p", {}, "Rather: ", found.rivals.map((rival) =>
          button(named(rival.turn), () => this.play(rival.turn), { title: rival.turn }))));
      }
      this.tell(found.legal ? "hint" : "no", lines);
      this.builder.path = [];
      this.board.draw(this.game.cells);
      this.changed();
      this.board.mark({ rule: found.marked });
      this.board.arrows([{ squares: found.squares, kind: found.legal ? "good" : "bad" },
        ...found.rivals.slice(0, 1).map((rival) => ({ squares: rival.squares, kind: "good" }))]);
      say(this.reason.textContent);
    } catch (error) {
      this.builder.cancel();
      problem(error);
    }
  }

  // What stands beside the board, as far as it is shown.
  async beside() {
    const { game, model } = this;
    try {
      if (this.shown === "automata") {
        if (!this.pictures) {
          const found = await get(`/models/${model.id}/pictures`);
          if (model !== this.model) return;
          this.pictures = found;
          this.automata.show(model, found);
        }
        if (this.builder.path.length) this.follow();
        else this.automata.idle();
      }
      if (this.shown === "rules") {
        const outlook = await get(`/games/${game.id}/outlook`);
        if (game === this.game) this.rules.said(outlook);
      }
      this.bar.hidden = this.shown !== "analysis" || this.model.players.length !== 2;
      if (this.shown === "analysis") await this.analysis.show(model, game);
    } catch (error) {
      problem(error);
    }
  }

  // Positions of one's own ------------------------------------------------------------------------

  toggleSetup() {
    if (this.setup) {
      this.setup = null;
      this.tools.querySelector("#setup").textContent = "Set up";
      this.show(this.game);
      return;
    }
    this.asking += 1;
    this.setup = new Setup(this.model, this.board, this.game, (position) => this.act(async () => {
      const setup = this.setup;
      await post("/games", { model: this.model.id, seats: this.game.seats, position }).then((game) => {
        this.setup = null;
        this.tools.querySelector("#setup").textContent = "Set up";
        return this.show(game);
      }, (error) => { this.setup = setup; throw error; });
    }));
    this.board.mark({});
    this.board.arrows([]);
    this.tell("setup", this.setup.node);
    this.tools.querySelector("#setup").textContent = "Leave set-up";
  }
}
