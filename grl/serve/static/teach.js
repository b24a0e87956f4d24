// Teaching: files become models, beside which the old one stands; and a dialogue on what is open.

import { get, post, send } from "./api.js";
import { Board } from "./board.js";
import { named } from "./builder.js";
import { button, el, field, problem, put } from "./dom.js";
import { followed } from "./jobs.js";
import { learnPlayers } from "./seats.js";

// By kind: how files are called, and what they are.
const KINDS = [
  ["traces", ".jsonl, .jsonl.gz, .jsonl.zst", "trace files"],
  ["pgn", ".pgn", "chess and its variants"], ["pdn", ".pdn", "draughts"], ["acf", ".acf", "draughts"],
  ["sgf", ".sgf", "go, and other games by their name below"],
  ["usi", ".usi, .csa, .kif, .kifu", "shogi"], ["wthor", ".wtb", "reversing discs"],
  ["uci", ".uci", "chess-like variants, by their name below"],
  ["openspiel", ".spiel", "actions of OpenSpiel, the game by its name below"],
  ["coordinates", ".txt", "moves in coordinates, on the board of the model beside"],
  ["las", ".las", "ILASP tasks"], ["strategy", ".lp", "strategies, which play; or ASP facts, for the board"],
  ["model", ".grl.json", "models"], ["position", ".json", "positions, for the board"],
];
const NAMELESS = new Set(["sgf", "uci", "openspiel", "pgn", "pdn", "wthor"]);
const ACCEPTED = KINDS.map(([, ends]) => ends).join(",") + ",.gz,.zst";

export class Teach {
  constructor(node, page) {
    this.node = node;
    this.page = page;
    this.chosen = new Set();
    this.built = false;
  }

  build() {
    this.built = true;
    const input = el("input", { type: "file", multiple: true, accept: ACCEPTED, id: "files", class: "hidden", "aria-label": "Files to learn from",
      onchange: () => { this.take([...input.files]); input.value = ""; } });
    const drop = el("div", { class: "drop" },
      el("p", {}, el("strong", {}, "Drop files here"), ", or ",
        button("choose them", () => input.click())),
      el("p", { class: "quiet" }, "Records of games, tasks, strategies, models, positions. They stay on this machine."),
      input);
    const kinds = el("details", { class: "kinds" }, el("summary", {}, "What can be dropped"),
      el("dl", {}, KINDS.map(([, ends, what]) => [el("dt", {}, ends), el("dd", {}, what)])));
    drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      this.take([...event.dataTransfer.files]);
    });
    this.files = el("div", {});
    this.game = el("input", { id: "game-of-records", size: 14, maxlength: 200, spellcheck: "false" });
    this.gameField = field("game", this.game, "of records that leave it open; empty where they don't");
    this.gameField.hidden = true;
    this.talks = el("div", { id: "talks" });
    this.beside = el("select", { "aria-label": "Compare with" });
    this.work = el("div", { id: "lesson" });
    this.result = el("div", { id: "lesson-result" });
    this.talk = el("div", { id: "talk" });
    this.talkWork = el("div", {});
    put(this.node,
      el("section", { class: "block", "aria-label": "Learn" }, el("h2", {}, "Learn from records"),
        drop, kinds, this.files,
        el("div", { class: "tools" },
          button("Learn", () => this.learn(), { class: "main", id: "learn" }),
          field("beside", this.beside, "the model that the new one is compared with"), this.gameField),
        this.work, this.result),
      el("section", { class: "block", "aria-label": "Dialogue" }, el("h2", {}, "Ask what is open"),
        el("p", { class: "quiet" }, "The model asks about positions that would decide between what its records leave open. " +
          "Choose above the records that it was learned from."),
        el("div", { class: "tools" }, button("Begin", () => this.ask(), { id: "ask" })), this.talks,
        this.talkWork, this.talk));
  }

  async show() {
    if (!this.built) this.build();
    const models = this.page.models;
    put(this.beside, el("option", { value: "" }, "nothing"),
      models.map((model) => el("option", { value: model.id }, model.name)));
    this.beside.value = this.page.model ? this.page.model.id : "";
    await Promise.all([this.list(), this.listTalks()]);
  }

  // Dialogues that were begun before, perhaps before the server was started again.
  async listTalks() {
    const talks = (await get("/ask")).filter((talk) => talk.id !== this.talking);
    put(this.talks, talks.length ? el("details", {}, el("summary", {}, `Dialogues begun before (${talks.length})`),
      el("ul", { class: "begun" }, talks.slice(0, 20).map((talk) => el("li", {}, `${talk.name}, ${talk.answered} answered `,
        button("Go on", () => this.goOn(talk.id)))))) : null);
  }

  async goOn(id) {
    problem(null);
    try {
      const talk = await get(`/ask/${id}`);
      this.talking = id;
      await this.page.list();
      if (talk.asked) await this.question(talk.asked);
      else await this.asked(talk.job ? await get(`/jobs/${talk.job}`) : await post(`/ask/${id}`, { skip: true }));
      await this.listTalks();
    } catch (error) {
      problem(error);
    }
  }

  async list() {
    const uploads = await get("/uploads");
    this.kinds = new Map(uploads.map((line) => [line.id, line.kind]));
    this.named();
    put(this.files, uploads.length ? [el("h3", {}, "Files"), el("ul", { class: "offered" }, uploads.map((line) => {
      const box = el("input", { type: "checkbox", onchange: () => {
        if (box.checked) this.chosen.add(line.id);
        else this.chosen.delete(line.id);
        this.named();
      }, disabled: line.kind === "strategy" });
      box.checked = this.chosen.has(line.id);
      return el("li", {}, el("label", {}, box, el("span", {}, line.name, " ",
        el("span", { class: "quiet" }, `${line.game ? `${line.game}, ` : ""}${size(line.size)}${line.recorded ? ", played here" : ""}${line.kind === "strategy" ? ", a player: choose it under Play" : ""}`))));
    }))] : null);
  }

  // Whether the game of the chosen records may have to be named.
  named() {
    this.gameField.hidden = ![...this.chosen].some((id) => NAMELESS.has(this.kinds.get(id)));
  }

  // A position goes to the board of the game above, as do facts; true where a file is one.
  async shown(file) {
    const name = file.name.toLowerCase();
    const isPosition = name.endsWith(".json") && !name.endsWith(".grl.json");
    if (!isPosition && !name.endsWith(".lp")) return false;
    const text = await file.text();
    if (!isPosition && /(^|\n)\s*:~/.test(text)) return false;
    if (!this.page.model) throw new Error("There is no model on whose board this could be shown.");
    const model = this.page.model.id;
    let found;
    if (isPosition) {
      let position;
      try {
        position = JSON.parse(text);
      } catch {
        throw new Error(`${file.name} is no position file: it is not JSON`);
      }
      const { rows, to_move, reserve, history } = position;
      found = { game: await post("/games", { model, position: { rows, to_move, reserve, history } }) };
    } else found = await post("/facts", { model, text });
    await this.page.openGame(found.game.id);
    problem(found.note || null);
    return true;
  }

  async take(files) {
    problem(null);
    let shown = false;
    for (const file of files) {
      try {
        if (await this.shown(file)) {
          shown = true;
          continue;
        }
        const line = await send(`/uploads?name=${encodeURIComponent(file.name)}`, file);
        if (line.kind === "model") {
          await this.page.list();
          await this.page.choose(line.model);
        } else if (line.kind === "strategy") await learnPlayers();
        else this.chosen.add(line.id);
      } catch (error) {
        problem(error);
      }
    }
    if (!shown) await this.show();
  }

  async learn() {
    problem(null);
    put(this.result);
    try {
      if (!this.chosen.size) throw new Error("Choose files to learn from first.");
      const job = await post("/learn", { uploads: [...this.chosen], beside: this.beside.value,
        game: this.gameField.hidden ? "" : this.game.value.trim() });
      const view = await followed(job, this.work);
      if (!view.result) return;
      if (view.kind === "task") this.hypothesis(view.result);
      else await this.learned(view);
    } catch (error) {
      problem(error);
    }
  }

  hypothesis(found) {
    put(this.result, el("h3", {}, "Hypothesis"),
      el("pre", {}, found.satisfiable ? found.hypothesis.join("\n") || "% nothing is needed" : "UNSATISFIABLE"),
      el("p", { class: "quiet" }, found.cost === null ? "" : `cost ${found.cost}${found.proven ? ", proven optimal" : ""}`));
  }

  async learned(view) {
    const found = view.result;
    await this.page.list();
    const model = this.page.models.find((each) => each.id === found.model);
    put(this.result,
      el("p", {}, el("strong", {}, model ? model.name : found.game),
        ` learned from ${found.games} games in ${view.seconds.toFixed(1)} s. `,
        button("Open it", async () => {
          await this.page.choose(found.model);
          location.hash = "#play";
        }, { class: "main", id: "open-learned" })),
      found.verdict ? el("p", { class: "quiet" }, `As learned: ${found.verdict}.`) : null,
      found.changes ? this.changes(found.changes) : null);
  }

  changes(changes) {
    const { before, after } = changes.records;
    const row = (name, key) => el("tr", {}, el("th", {}, name),
      [before, after].map((side) => el("td", { class: "number" }, side.error ? "–" : side[key].toLocaleString("en"))));
    return el("div", { id: "changes" }, el("h3", {}, "What changed"),
      changes.sentences.length ? el("ul", { class: "rules" }, changes.sentences.map((each) =>
        el("li", { class: each.sign === "+" ? "here" : null }, `${each.sign === "+" ? "new: " : "gone: "}${each.text}`)))
        : el("p", {}, "The same sentences."),
      changes.automata.length ? el("ul", {}, changes.automata.map((each) => el("li", {},
        `${each.key}: ${each.before ?? "no"} → ${each.after ?? "no"} states`))) : null,
      el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, "on these records"),
        el("th", { class: "number" }, "before"), el("th", { class: "number" }, "after"))),
      el("tbody", {}, row("positions", "positions"), row("missing turns", "missing"), row("surplus turns", "surplus"),
        row("endings met", "endings"), row("endings recognised", "recognised"))),
      before.error ? el("p", { class: "quiet" }, `before: ${before.error}`) : null);
  }

  // The dialogue ----------------------------------------------------------------------------------

  async ask() {
    problem(null);
    try {
      if (!this.page.model) throw new Error("There is no model to ask about.");
      if (!this.chosen.size) throw new Error("Choose the records that the model was learned from first.");
      await this.asked(await post("/ask", { model: this.page.model.id, uploads: [...this.chosen] }));
    } catch (error) {
      problem(error);
    }
  }

  async asked(job) {
    put(this.talk);
    this.talking = job.talk || this.talking;
    const view = await followed(job, this.talkWork);
    if (!view.result) return;
    const found = view.result;
    await this.page.list();
    if (found.over) {
      put(this.talk, el("p", {}, el("strong", {}, "Nothing is left to ask."),
        ` ${found.answered} answers. `, button("Open the model", async () => {
          await this.page.choose(found.model);
          location.hash = "#play";
        })));
      return;
    }
    await this.question(found);
  }

  async question(found) {
    const model = await this.page.data(found.model);
    const board = new Board(model, { small: true, label: "The position that is asked about" });
    board.draw(found.cells);
    const legal = new Set(found.turns);
    const offered = [...found.offered];
    const list = el("ul", { class: "offered" });
    const show = () => put(list, offered.map((turn) => {
      const box = el("input", { type: "checkbox", onchange: () => (box.checked ? legal.add(turn) : legal.delete(turn)) });
      box.checked = legal.has(turn);
      return el("li", { onmouseenter: () => this.hover(board, turn) }, el("label", { title: turn }, box, named(turn),
        found.doubtful.includes(turn) ? el("span", { class: "doubt" }, " in doubt") : null));
    }));
    show();
    const more = el("input", { type: "text", placeholder: "a3 (1 1 e)", "aria-label": "Another legal turn" });
    const goals = model.players.map((player) => [player, el("input", { type: "number", min: 0, max: 100,
      value: found.goals[player] ?? 50, "aria-label": `Goal of ${player}` })]);
    const over = el("input", { type: "checkbox", onchange: () => { ends.hidden = !over.checked; } });
    over.checked = found.ended;
    const ends = el("div", { class: "tools", hidden: !found.ended }, goals.map(([player, input]) => field(player, input)));
    const answer = (data) => async () => {
      problem(null);
      try {
        await this.asked(await post(`/ask/${found.talk}`, data()));
      } catch (error) {
        problem(error);
      }
    };
    put(this.talk, el("p", {}, found.reason),
      el("div", { class: "asked" }, board.node, el("div", {},
        el("p", {}, el("strong", {}, found.to_move), " is to move: which turns are legal?"),
        list,
        el("div", { class: "tools" }, more, button("Add", () => {
          const turn = more.value.trim();
          if (turn && !offered.includes(turn)) offered.push(turn);
          if (turn) legal.add(turn);
          more.value = "";
          show();
        })),
        el("label", { class: "check" }, over, "the game is over here"), ends,
        el("div", { class: "tools" },
          button("Answer", answer(() => (over.checked
            ? { goals: Object.fromEntries(goals.map(([player, input]) => [player, Number(input.value)])) }
            : { turns: offered.filter((turn) => legal.has(turn)) })), { class: "main", id: "answer" }),
          button("Pass over", answer(() => ({ skip: true }))),
          el("span", { class: "quiet" }, `${found.answered} answered`)))));
    board.node.classList.remove("small");
  }

  hover(board, turn) {
    const names = turn.match(/[a-z]+\d+/g) || [];
    board.mark({ begun: names.filter((name) => board.byName.has(name)) });
  }
}

function size(bytes) {
  return bytes > 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`;
}
