// The page put together: which model, which page, which game.

import { get, post } from "./api.js";
import { Batch } from "./batch.js";
import { byId, el, problem, put } from "./dom.js";
import { Games } from "./games.js";
import { Play } from "./play.js";
import { learnPlayers } from "./seats.js";
import { Teach } from "./teach.js";

const PAGES = ["play", "teach", "batch", "games"];

class Page {
  constructor() {
    this.models = [];
    this.known = new Map();
    this.play = new Play(byId("page-play"));
    this.pages = { play: this.play, teach: new Teach(byId("page-teach"), this),
      batch: new Batch(byId("page-batch"), this), games: new Games(byId("page-games"), this) };
  }

  async start() {
    byId("models").addEventListener("change", (event) => this.choose(event.target.value));
    window.addEventListener("hashchange", () => this.route());
    await Promise.all([this.list(), learnPlayers()]);
    if (!this.models.length) {
      problem("There is no model here yet: start with grl serve MODEL, or teach one.");
      location.hash = "#teach";
    }
    await this.route(true);
    document.documentElement.dataset.ready = "true";
  }

  async list() {
    const found = await get("/models");
    this.models = found.models;
    const broken = Object.values(found.broken);
    if (broken.length) problem(broken[0]);
    put(byId("models"), this.models.map((model) => el("option", { value: model.id }, model.name)));
    if (this.model) byId("models").value = this.model.id;
  }

  async data(id) {
    if (!this.known.has(id)) this.known.set(id, await get(`/models/${id}`));
    return this.known.get(id);
  }

  async choose(id, game = null) {
    try {
      problem(null);
      this.model = await this.data(id);
      byId("models").value = id;
      document.title = `${this.model.name} · grl`;
      await this.play.open(this.model, game);
      for (const name of PAGES) if (!byId(`page-${name}`).hidden && name !== "play") this.pages[name].show();
    } catch (error) {
      problem(error);
    }
  }

  // A game that was begun elsewhere on the page, or before.
  async openGame(id) {
    const game = await get(`/games/${id}`);
    await this.choose(game.model, game);
    history.replaceState(null, "", `#play/${id}`);
    await this.route();
  }

  async route(first = false) {
    const [name, id = ""] = location.hash.slice(1).split("/");
    const page = PAGES.includes(name) ? name : "play";
    for (const each of PAGES) byId(`page-${each}`).hidden = each !== page;
    for (const link of document.querySelectorAll("nav a")) {
      if (link.dataset.page === page) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    try {
      if (page === "play" && id && (!this.play.game || this.play.game.id !== id)) await this.openGame(id);
      else if (first && this.models.length) await this.choose(this.models[0].id);
    } catch (error) {
      problem(error);
      if (first && this.models.length) await this.choose(this.models[0].id);
    }
    if (page !== "play") await this.pages[page].show();
    else if (this.play.game) location.hash = `#play/${this.play.game.id}`;
  }

  begin(body) {
    return post("/games", body);
  }
}

new Page().start().catch(problem);
