// The rulebook: sentences, an example for each, and what each of them says of this board.

import { get } from "./api.js";
import { Board } from "./board.js";
import { named } from "./builder.js";
import { button, el, put } from "./dom.js";

const TITLES = { restrictions: "A turn is illegal …", endings: "The game is over …",
  control: "Who moves next", passing: "Passes" };

export class Rules {
  // `onhover(mark)` gets squares to show on the board, or null; `onlook()` brings the board into view.
  constructor(node, { onhover, onlook }) {
    this.node = node;
    this.onhover = onhover;
    this.onlook = onlook;
    this.examples = null;
    this.outlook = null;
  }

  async show(model) {
    this.model = model;
    this.examples = null;
    this.wanted = null;
    this.book = await get(`/models/${model.id}/book`);
    this.draw();
  }

  // What `/outlook` said of the position on the board.
  said(outlook) {
    this.outlook = outlook;
    this.pinned = null;
    for (const item of this.node.querySelectorAll("[data-rule]")) {
      const found = this.here(item.dataset.part, Number(item.dataset.rule));
      item.classList.toggle("here", Boolean(found));
      const badge = item.querySelector(".count");
      badge.textContent = found ? found.text : "";
      badge.hidden = !found;
    }
  }

  here(part, number) {
    if (!this.outlook) return null;
    const { ending, forbidden, control } = this.outlook;
    if (part === "endings") {
      return ending && ending.number === number ? { text: "it is so here", squares: ending.all, ways: [] } : null;
    }
    if (part === "control") {
      const found = control.find((each) => each.number === number);
      return found && { text: `${found.ways.length} turns here`, squares: found.all, ways: arrows(found.ways, "good") };
    }
    const passes = part === "passing";
    const group = forbidden.find((each) => each.pass === passes && each.rule.number === number);
    return group && { text: passes ? "it forbids a pass here" : `forbids ${group.turns} here`,
      squares: group.all.length ? group.all : group.marked,
      ways: [...arrows(group.ways, "bad"), ...arrows(group.rivals, "good")] };
  }

  // What is marked on the board while a sentence is pointed at.
  point(found) {
    this.onhover(found ? { rule: found.squares, ways: found.ways } : null);
  }

  draw() {
    const book = this.book;
    const parts = [];
    if (book.verdict) parts.push(el("p", { class: "quiet" }, `As learned: ${book.verdict}.`));
    if (!book.known) parts.push(el("p", {}, "Restrictions and endings were not learned."));
    if (book.effects.length) {
      parts.push(el("h2", { class: "minor" }, "What turns bring about"),
        el("ul", { class: "rules" }, book.effects.map((text) => {
          const show = () => this.point(this.outlook && { squares: this.outlook.effects, ways: [] });
          return el("li", { onmouseenter: show, onmouseleave: () => this.point(null) }, text);
        })));
    }
    for (const part of Object.keys(TITLES)) {
      if (!book[part].length) continue;
      parts.push(el("h2", { class: "minor" }, TITLES[part]),
        el("ol", { class: "rules" }, book[part].map((rule, at) => this.item(part, rule, at + 1))));
    }
    if (book.known && !book.restrictions.length) {
      parts.push(el("p", { class: "quiet" }, "All that pieces can do is legal."));
    }
    put(this.node, parts);
    if (this.outlook) this.said(this.outlook);
  }

  item(part, rule, number) {
    const evidence = `${rule.support.toLocaleString("en")} positions` +
      (rule.against ? `, ${rule.against.toLocaleString("en")} against` : "");
    const hover = () => {
      if (this.pinned !== item) this.pinned = null;
      this.point(this.here(part, number));
    };
    // What was clicked stays shown when the page has moved away below the pointer.
    const leave = () => { if (this.pinned !== item) this.point(null); };
    const item = el("li", { "data-rule": number, "data-part": part, onmouseenter: hover,
      onfocusin: hover, onmouseleave: leave, onfocusout: leave },
    el("p", {}, rule.sentence),
    el("p", { class: "evidence" }, el("span", {}, evidence),
      rule.status === "certain" ? null : el("span", { class: "badge" }, rule.status),
      button("", () => { this.pinned = item; hover(); this.onlook(); }, { class: "badge count", hidden: true, title: "Show it on the board" })));
    const box = el("div", { class: "example" });
    const toggle = el("details", { ontoggle: () => { if (toggle.open) this.example(part, number, box); } },
      el("summary", {}, "Example"), box);
    item.append(toggle);
    return item;
  }

  async example(part, number, box) {
    put(box, el("p", { class: "quiet" }, "Looking for a position …"));
    this.wanted = this.wanted || get(`/models/${this.model.id}/examples`);
    let found;
    try {
      found = (await this.wanted)[part][String(number)];
    } catch (error) {
      this.wanted = null;
      put(box, el("p", {}, error.message));
      return;
    }
    if (!found) {
      put(box, el("p", { class: "quiet" }, "No position was found in which this rule decides."));
      return;
    }
    const forbids = ["restrictions", "passing"].includes(part);
    const before = this.mini(found.before, { way: found.squares, forbids, marked: found.marked,
      rivals: found.rivals });
    const after = this.mini(found.after, { changed: found.changed, marked: found.marked });
    put(box,
      el("div", { class: "pair" },
        el("figure", {}, before.node, el("figcaption", {}, "before")),
        el("figure", {}, after.node, el("figcaption", {}, forbids ? "as it would be" : "after"))),
      el("p", { class: "evidence" },
        found.turn ? `${found.to_move}: ${named(found.turn)}${forbids ? " is refused" : ""}` : "",
        found.rivals.length ? `; rather ${named(found.rivals[0].turn)}` : "",
        found.then ? `; ${found.then} moves next` : "",
        found.goals ? Object.entries(found.goals).map(([who, goal]) => `; ${who} ${goal}`) : "",
        `; from ${found.source}`));
  }

  mini(cells, { way = [], forbids = false, marked = [], changed = [], rivals = [] }) {
    const board = new Board(this.model, { small: true, label: "Example position" });
    board.draw(cells);
    board.mark({ last: changed, rule: marked });
    board.arrows([{ squares: way, kind: forbids ? "bad" : "good" },
      ...rivals.map((rival) => ({ squares: rival.squares, kind: "good" }))]);
    return board;
  }
}

const arrows = (ways, kind) => ways.map((squares) => ({ squares, kind }));
