// Pieces as drawings, from their types' names and letters, in a box of 45 by 45 around its middle.
// Types with the names of chess pieces have their usual figures; anything else is a disc.

import { svg } from "./dom.js";

const BASE = "M10.5 36.5h24c1.4 0 1.4 4.5 0 4.5h-24c-1.4 0-1.4-4.5 0-4.5z";
const FIGURES = {
  pawn: ["M22.5 8.5a5.6 5.6 0 0 1 3.6 9.9h3.1v3h-2.7c.5 5.7 2.6 9.3 6 13.6H12.5c3.4-4.3 5.5-7.9 6-13.6h-2.7v-3h3.1a5.6 5.6 0 0 1 3.6-9.9z", BASE],
  rook: ["M11.5 7.5h5v3.5h3.8V7.5h4.4V11h3.8V7.5h5v8.2l-4 3.3v11.5l3.2 4.5H12.3l3.2-4.5V19l-4-3.3z", BASE],
  knight: ["M13.5 35c0-8.5 8-10.5 8.5-16.5-2 2-4.6 3-6.7 3.3l-2.5 2.4c-1.3 1-4-.5-3.9-2.5.2-3 3.9-6.5 5.2-10.2L14.5 6l5 3.2C29 9.8 33.5 17 33 35z", BASE],
  bishop: ["M22.5 4.8a2.6 2.6 0 0 1 1.5 4.7c5.3 3.5 8.2 8.3 7.2 13.6-.5 2.6-2 4.5-3.7 5.9l2.7 6H14.8l2.7-6c-1.7-1.4-3.2-3.3-3.7-5.9-1-5.3 1.9-10.1 7.2-13.6a2.6 2.6 0 0 1 1.5-4.7z", BASE],
  queen: ["M8.5 10.5l7 10.5.8-13.5 6.2 12.5L28.7 7.5l.8 13.5 7-10.5-4 24.5h-20z", BASE],
  king: ["M20.9 3.5h3.2v3.2h3.2v3.1h-3.2v4.1c2.5-2.2 11.4-2.5 11.4 4.8 0 5.6-5.3 8.8-6.3 16.3H15.8c-1-7.5-6.3-10.7-6.3-16.3 0-7.3 8.9-7 11.4-4.8V9.8h-3.2V6.7h3.2z", BASE],
};
const DETAILS = {
  knight: "M18 14.5a1.4 1.4 0 1 0 .1 0z",
  bishop: "M21.3 13.5h2.4v3.2h3.2v2.4h-3.2v4.5h-2.4v-4.5h-3.2v-2.4h3.2z",
};
const PLAIN = new Set(["man", "stone", "disc", "disk", "piece", "marble", "peg", "checker",
  "counter", "token", "ball", "bead", "soldier", "seed"]);
const NAMED = {
  white: ["#fbf9f3", "#3a3a3a"], black: ["#35353a", "#0c0c0e"], red: ["#d3413a", "#7d1a16"],
  yellow: ["#f4c534", "#8a6a06"], blue: ["#3f78c9", "#1b3f78"], green: ["#3f9a5c", "#1a5430"],
  x: ["#e2703a", "#8f3a10"], o: ["#3f83c0", "#194a75"],
};

// The looks of a model's pieces: what to draw for each key, in which colours.
export function looks(model) {
  const kinds = Object.values(model.types).map((piece) => piece.type.toLowerCase());
  const figured = kinds.includes("knight") || kinds.includes("rook") || !kinds.includes("man");
  const found = {};
  for (const [key, piece] of Object.entries(model.types)) {
    const type = piece.type.toLowerCase();
    const same = Object.values(model.types).filter((other) => other.player === piece.player);
    const [fill, stroke] = colours(model, piece.player);
    const look = { fill, stroke, nobody: piece.player === null, figure: "", crown: false,
      letter: "", name: piece.player === null ? piece.type : `${piece.player} ${piece.type}` };
    if (piece.player !== null && /^[xo]$/i.test(piece.player) && same.length === 1) {
      look.figure = piece.player.toLowerCase() === "x" ? "cross" : "ring";
    } else if (FIGURES[type] && figured) look.figure = type;
    else if (type === "amazon") look.figure = "queen";
    else if (type === "king" || type === "dame") look.crown = true;
    else if (/^\d+$/.test(type)) look.letter = type;
    else if (!PLAIN.has(type) && same.length > 1) {
      const first = [...piece.type][0].toUpperCase();
      const shared = same.filter((other) => [...other.type][0].toUpperCase() === first);
      look.letter = shared.length > 1 ? key : first;
    }
    found[key] = look;
  }
  return found;
}

function colours(model, player) {
  if (player === null) return ["#8a8577", "#4c483f"];
  const named = NAMED[player.toLowerCase()];
  return named || [model.colours[player], "#22222a"];
}

export function playerColours(model, player) {
  return colours(model, player);
}

// A piece around the origin of its group; `size` is the side of its square.
export function drawn(look, size) {
  const group = svg("g", { class: "piece", "aria-hidden": "true" });
  const inner = svg("g", { transform: `scale(${size / 45}) translate(-22.5 -22.5)` });
  group.append(inner);
  const paint = { fill: look.fill, stroke: look.stroke, "stroke-width": 1.6,
    "stroke-linejoin": "round" };
  if (look.figure === "cross" || look.figure === "ring") {
    const line = { fill: "none", stroke: look.fill, "stroke-width": 5.5, "stroke-linecap": "round" };
    inner.append(look.figure === "ring" ? svg("circle", { cx: 22.5, cy: 22.5, r: 11.5, ...line })
      : svg("path", { d: "M12.5 12.5l20 20m0-20l-20 20", ...line }));
  } else if (look.figure) {
    for (const d of FIGURES[look.figure]) inner.append(svg("path", { d, ...paint }));
    if (DETAILS[look.figure]) inner.append(svg("path", { d: DETAILS[look.figure], fill: look.stroke }));
  } else if (look.nobody) {
    inner.append(svg("path", { d: "M22.5 10.5l12 12-12 12-12-12z", ...paint }));
    inner.append(svg("path", { d: "M22.5 16.5l6 6-6 6-6-6z", fill: look.stroke, opacity: 0.35 }));
    if (look.letter) inner.append(letter(look, 14));
  } else {
    inner.append(svg("ellipse", { cx: 22.5, cy: 24.2, rx: 16.2, ry: 16, fill: look.stroke, opacity: 0.55 }));
    inner.append(svg("circle", { cx: 22.5, cy: 22.5, r: 16, ...paint }));
    inner.append(svg("circle", { cx: 22.5, cy: 22.5, r: 11.2, fill: "none", stroke: look.stroke,
      "stroke-width": 1.1, opacity: 0.45 }));
    if (look.crown) {
      inner.append(svg("path", { d: "M14.5 17l4 5.5 4-8.5 4 8.5 4-5.5-1.6 12H16.1z",
        fill: look.stroke === "#0c0c0e" ? "#f0dfa6" : "#b9891f", stroke: look.stroke, "stroke-width": 0.9,
        "stroke-linejoin": "round" }));
    }
    if (look.letter) inner.append(letter(look, look.letter.length > 1 ? 14 : 18));
  }
  return group;
}

function letter(look, size) {
  return svg("text", { x: 22.5, y: 22.5 + size * 0.36, "text-anchor": "middle", "font-size": size,
    "font-weight": 700, fill: light(look.fill) ? "#22222a" : "#ffffff" }, look.letter);
}

function light(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * r + 0.587 * g + 0.114 * b > 140;
}
