// The turns that were played, to go back to, and those that are legal, to be played.

import { named, spelled, turns } from "./builder.js";
import { button, el, put } from "./dom.js";

const LISTED = 300;
const MOST = 2500;

export function listed(node, game, { play, goto, hover }) {
  const rows = game.steps.map((step, at) => el("li", {},
    button(named(step.turn), () => goto(at + 1), { title: `${step.by}: ${step.turn}`,
      class: at + 1 === game.ply ? "ply now" : "ply", "aria-current": at + 1 === game.ply ? "step" : null })));
  const legal = game.over || game.turns > MOST ? [] : [...turns(game.tree)];
  const shown = legal.slice(0, LISTED).map((path) => {
    const text = spelled(path);
    const show = () => hover({ way: path.map((each) => each[1]), good: true });
    return el("li", {}, button(named(text), () => play(text), { class: "turn", title: text,
      onmouseenter: show, onfocus: show, onmouseleave: () => hover(null), onblur: () => hover(null) }));
  });
  if (game.may_pass) shown.push(el("li", {}, button("pass", () => play("pass"), { class: "turn" })));
  const more = game.turns - shown.length;
  put(node,
    el("h2", { class: "minor" }, "Played"),
    rows.length ? el("ol", { class: "plies", start: 1 }, rows) : el("p", { class: "quiet" }, "Nothing yet."),
    game.over ? null : [el("h2", { class: "minor" }, `Legal turns (${game.turns.toLocaleString("en")})`),
      el("ul", { class: "legal" }, shown),
      more > 0 ? el("p", { class: "quiet" }, `… ${more.toLocaleString("en")} more`) : null]);
  const now = node.querySelector(".now");
  if (now) now.parentNode.parentNode.scrollTop = now.offsetTop - 80;
}
