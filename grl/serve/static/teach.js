import { el, put } from "./dom.js";

export class Teach {
  constructor(node, page) {
    this.node = node;
    this.page = page;
  }

  async show() {
    put(this.node, el("p", {}, "…"));
  }
}
