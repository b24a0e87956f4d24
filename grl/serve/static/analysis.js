// A player's judgement of the turns of a position, and the bar that weighs it.

import { post } from "./api.js";
import { named } from "./builder.js";
import { button, el, put } from "./dom.js";
import { playerColours } from "./pieces.js";
import { known } from "./seats.js";

export const ADVISER = "swift:seconds=1";
const JUDGES = [ADVISER, "swift:seconds=5", "mtdf:seconds=2", "uct:seconds=2", "solver:seconds=5"];
const judges = () => [...JUDGES, ...known.evaluations.filter((each) => each !== "none")
  .map((each) => `${ADVISER},evaluation=${each}`)];

export class Analysis {
  // `play(text)` plays a turn, `hover(mark)` shows one on the board.
  constructor(node, bar, { play, hover }) {
    this.node = node;
    this.bar = bar;
    this.play = play;
    this.hover = hover;
    this.judge = ADVISER;
    this.asked = 0;
  }

  async show(model, game) {
    this.model = model;
    const asked = (this.asked += 1);
    const select = el("select", { "aria-label": "Who judges", onchange: (event) => {
      this.judge = event.target.value;
      this.show(model, game);
    } }, judges().map((each) => el("option", { value: each }, each)));
    select.value = this.judge;
    const body = el("div", {}, el("p", { class: "quiet" }, game.over ? "The game is over." : "Thinking …"));
    put(this.node, el("p", {}, select), body);
    if (game.over) {
      this.weigh(this.over(game));
      return;
    }
    try {
      const found = await post(`/games/${game.id}/analyse`, { player: this.judge, best: 8, ply: game.ply });
      if (asked !== this.asked) return;
      put(body, el("ol", { class: "variations" }, found.turns.map((each) => el("li", {
        onmouseenter: () => this.hover({ way: each.squares, good: true }), onmouseleave: () => this.hover(null) },
      button(named(each.turn), () => this.play(each.turn), { title: each.turn }),
      el("strong", {}, ` ${each.spoken}${each.proven ? "*" : ""}`),
      el("span", { class: "quiet" }, ` depth ${each.depth}  ${each.line.slice(1, 8).map(named).join(" ")}`)))),
      el("p", { class: "quiet" }, `as ${found.to_move} sees it; * is proven`));
      if (found.turns.length) this.weigh(this.share(found.turns[0].value, game.to_move));
    } catch (error) {
      if (asked === this.asked) put(body, el("p", {}, error.message));
    }
  }

  // Whatever is still thought about is of no use any more.
  leave() {
    this.asked += 1;
  }

  // The first player's part of the bar.
  share(value, player) {
    const part = Math.abs(value) > 900000 ? Math.sign(value) : value / 9999;
    return 0.5 + (player === this.model.players[0] ? part : -part) / 2;
  }

  over(game) {
    const [first, second] = this.model.players.map((player) => game.goals[player]);
    return first === undefined || second === undefined ? 0.5 : 0.5 + (first - second) / 200;
  }

  weigh(share) {
    const [one, other] = this.model.players.map((player) => playerColours(this.model, player)[0]);
    const part = el("span", {});
    part.style.background = one;
    part.style.height = `${Math.round(share * 100)}%`;
    this.bar.style.background = other;
    put(this.bar, part);
    this.bar.setAttribute("title", `${this.model.players[0]} ${Math.round(share * 100)}%`);
  }
}
