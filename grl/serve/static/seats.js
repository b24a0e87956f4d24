// Who sits where: people, and players with what they may spend on a turn.

import { button, el, put } from "./dom.js";

const PLAYERS = ["random", "swift", "mtdf", "uct", "alphabeta", "negamax", "solver"];
const BUDGETS = ["seconds=0.2", "seconds=1", "seconds=5", "nodes=1000", "nodes=20000", "depth=2", "depth=4"];

export class Seats {
  constructor(onchange) {
    this.onchange = onchange;
    this.node = el("div", { class: "seats" });
    this.note = el("p", { class: "quiet thought", "aria-live": "off" });
    this.rows = {};
  }

  show(model, game) {
    const key = JSON.stringify([model.id, game.seats]);
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
    const [name, budget = ""] = spec.split(/:(.*)/s);
    const who = el("select", { "aria-label": `Player of ${player}` },
      ["person", ...PLAYERS].map((each) => el("option", { value: each }, each)));
    who.value = name;
    const known = BUDGETS.includes(budget) || !budget ? BUDGETS : [budget, ...BUDGETS];
    const spend = el("select", { "aria-label": `Budget of ${player}` },
      known.map((each) => el("option", { value: each }, each.replace("=", " "))));
    spend.value = budget || "seconds=1";
    spend.hidden = name === "person" || name === "random";
    const change = () => this.onchange({ [player]: ["person", "random"].includes(who.value)
      ? who.value : `${who.value}:${spend.value}` });
    who.addEventListener("change", change);
    spend.addEventListener("change", change);
    const row = el("div", { class: "seat" }, el("span", { class: "who" }, player), who, spend);
    this.rows[player] = row;
    return row;
  }

  think(player) {
    for (const [each, row] of Object.entries(this.rows)) row.classList.toggle("thinks", each === player);
  }

  thought(found) {
    const quick = found.player.startsWith("random");
    put(this.note, quick ? "" : `${found.player}: ${found.spoken}, depth ${found.depth}, ${found.nodes.toLocaleString("en")} nodes`);
  }

  wait(onward) {
    if (onward) put(this.note, button("Go on", onward, { id: "onward" }));
    else if (this.note.querySelector("#onward")) put(this.note);
  }
}
