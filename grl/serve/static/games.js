// Games that are kept, and games and positions as logic programs, plans and records.

import { drop, get, post, text } from "./api.js";
import { button, download, el, field, problem, put } from "./dom.js";

const KINDS = { traces: "a trace file", "asp-game": "ASP facts of the game", asp: "ASP facts of the position",
  ilasp: "ILASP examples", orderings: "ILASP orderings by a player", "pddl-domain": "PDDL: domain",
  "pddl-problem": "PDDL: problem" };

export class Games {
  constructor(node, page) {
    this.node = node;
    this.page = page;
    this.built = false;
  }

  build() {
    this.built = true;
    this.list = el("div", {});
    this.kind = el("select", { id: "export-kind", "aria-label": "Form", onchange: () => { who.hidden = this.kind.value !== "orderings"; } },
      Object.entries(KINDS).map(([kind, name]) => el("option", { value: kind }, name)));
    this.player = el("input", { value: "swift:seconds=1", size: 18, "aria-label": "Player who orders" });
    const who = field("by", this.player);
    who.hidden = true;
    this.out = el("pre", { id: "exported", hidden: true, tabindex: "0", "aria-label": "Exported text" });
    this.facts = el("textarea", { id: "facts", spellcheck: "false", "aria-label": "Facts",
      placeholder: "cell(1,1,white_man). control(white).   or a whole game, as exported above" });
    this.note = el("p", { class: "quiet" });
    put(this.node,
      el("section", { class: "block", "aria-label": "Export" }, el("h2", {}, "The game on the board, as …"),
        el("div", { class: "tools" }, this.kind, who, button("Show", () => this.show_(), { class: "main", id: "export" }),
          button("Keep as a file", () => this.keep()),
          button("Record it", () => this.record(), { id: "record", title: "into the trace file of games played here" })),
        this.note, this.out),
      el("section", { class: "block", "aria-label": "Import" }, el("h2", {}, "From facts"),
        el("p", { class: "quiet" }, "Facts of a position or a game, or what ILASP or clingo printed: shown step by step."),
        this.facts, el("div", { class: "tools" }, button("Show on the board", () => this.read(), { class: "main", id: "import" }))),
      el("section", { class: "block", "aria-label": "Games" }, el("h2", {}, "Games"), this.list));
  }

  async show() {
    if (!this.built) this.build();
    const games = (await get("/games")).filter((game) => game.plies);
    const names = new Map(this.page.models.map((model) => [model.id, model.name]));
    if (!games.length) {
      put(this.list, el("p", { class: "quiet" }, "None was played yet."));
      return;
    }
    put(this.list, el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {},
      ["game", "plies", "changed", ""].map((head) => el("th", {}, head)))),
    el("tbody", {}, games.slice(0, 100).map((game) => el("tr", {},
      el("td", {}, game.name, game.name === names.get(game.model) || !names.has(game.model) ? null
        : el("span", { class: "quiet" }, ` ${names.get(game.model)}`)),
      el("td", {}, game.plies), el("td", {}, new Date(game.changed * 1000).toLocaleString()),
      el("td", {}, button("Open", () => this.open(game.id), { disabled: !names.has(game.model) }), " ",
        button("Forget", () => this.forget(game.id), { class: "plain" }))))))),
    games.length > 100 ? el("p", { class: "quiet" }, `… ${games.length - 100} more`) : null);
  }

  get game() {
    if (!this.page.play.game) throw new Error("There is no game on the board.");
    return this.page.play.game;
  }

  async tried(work) {
    problem(null);
    try {
      await work();
    } catch (error) {
      problem(error);
    }
  }

  exported() {
    return text(`/games/${this.game.id}/export?to=${this.kind.value}&player=${encodeURIComponent(this.player.value)}`);
  }

  show_() {
    return this.tried(async () => {
      this.out.textContent = await this.exported();
      this.out.hidden = false;
    });
  }

  keep() {
    return this.tried(async () => {
      const ends = { traces: "jsonl", ilasp: "las", orderings: "las", "pddl-domain": "pddl", "pddl-problem": "pddl" };
      download(`${this.kind.value}.${ends[this.kind.value] || "lp"}`, await this.exported());
    });
  }

  record() {
    return this.tried(async () => {
      const found = await post(`/games/${this.game.id}/record`);
      this.note.textContent = `${found.upload.name} holds ${found.games} games; it can be learned from under Teach.`;
    });
  }

  read() {
    return this.tried(async () => {
      const found = await post("/facts", { model: this.page.model.id, text: this.facts.value });
      await this.page.openGame(found.game.id);
      problem(found.note);
    });
  }

  open(id) {
    return this.tried(() => this.page.openGame(id));
  }

  forget(id) {
    return this.tried(async () => {
      await drop(`/games/${id}`);
      await this.show();
    });
  }
}
