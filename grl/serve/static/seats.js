// Who sits where: people, and players with what they may spend on a turn and how they judge it.

import { get } from "./api.js";
import { button, el, put } from "./dom.js";

const BUDGETS = ["seconds=0.2", "seconds=1", "seconds=5", "nodes=1000", "nodes=20000", "depth=2", "depth=4"];
const NONE = "none";

// What the server knows, `strategies` as [{spec, name}]; asked again when a strategy has come.
export const known = { players: [], evaluations: [], strategies: [] };
export const learnPlayers = async () => Object.assign(known, await get("/players"));

// The parts of a player's text: `swift:nodes=1000,evaluation=fuzzy`.
function parted(spec) {
  if (spec.startsWith("strategy:")) return { name: spec, budget: "", evaluation: NONE };
  const [name, rest = ""] = spec.split(/:(.*)/s);
  const words = rest.split(",").filter(Boolean);
  const judged = words.find((word) => word.startsWith("evaluation="));
  return { name, budget: words.filter((word) => word !== judged).join(","),
    evaluation: judged ? judged.slice(11) : NONE };
}

export class Seats {
  constructor(onchange) {
    this.onchange = onchange;
    this.node = el("div", { class: "seats" });
    this.note = el("p", { class: "quiet thought", "aria-live": "off" });
    this.rows = {};
  }

  show(model, game) {
    const key = JSON.stringify([model.id, game.seats, known]);
    if (key === this.key) return this.turn(game);
    this.key = key;
    this.rows = {};
    put(this.node, model.players.map((player) => this.row(player, game.seats[player])), this.note);
    return this.turn(game);
  }

  turn(game) {
    for (const [player, row] of Object.entries(this.rows)) {
      row.classList.toggle("moves", !game.over && player === game.to_move);
    }
  }

  row(player, spec) {
    const { name, budget, evaluation } = parted(spec);
    const select = (says, options, value) => {
      const node = el("select", { "aria-label": `${says} of ${player}` },
        options.map(([each, text]) => el("option", { value: each }, text)));
      node.value = value;
      node.addEventListener("change", change);
      return node;
    };
    const change = () => this.onchange({ [player]: plain(who.value) ? who.value
      : `${who.value}:${spend.value}${judge.value === NONE ? "" : `,evaluation=${judge.value}`}` });
    const who = select("Player", [["person", "person"], ...known.players.map((each) => [each, each]),
      ...known.strategies.map((each) => [each.spec, each.name])], name);
    const budgets = BUDGETS.includes(budget) || !budget ? BUDGETS : [budget, ...BUDGETS];
    const spend = select("Budget", budgets.map((each) => [each, each.replace("=", " ")]), budget || "seconds=1");
    const judge = select("Evaluation", known.evaluations.map((each) =>
      [each, each === NONE ? "no evaluation" : each.replaceAll("+", " + ")]), evaluation);
    spend.hidden = judge.hidden = plain(name);
    const row = el("div", { class: "seat" }, el("span", { class: "who" }, player),
      el("span", { class: "chosen" }, who, spend, judge));
    this.rows[player] = row;
    return row;
  }

  think(player) {
    for (const [each, row] of Object.entries(this.rows)) row.classList.toggle("thinks", each === player);
  }

  thought(found) {
    const shown = known.strategies.find((each) => each.spec === found.player)?.name ?? found.player;
    put(this.note, plain(found.player) ? "" : `${shown}: ${found.spoken}, depth ${found.depth}, ${found.nodes.toLocaleString("en")} nodes`);
  }

  wait(onward) {
    if (onward) put(this.note, button("Go on", onward, { id: "onward" }));
    else if (this.note.querySelector("#onward")) put(this.note);
  }
}

// Whether somebody spends nothing and judges nothing that could be chosen.
function plain(name) {
  return name === "person" || name === "random" || name.startsWith("strategy:");
}
