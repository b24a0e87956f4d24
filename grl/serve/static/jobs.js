// Long work: shown while it goes on, and stopped when somebody says so.

import { drop, events } from "./api.js";
import { button, el, put, say } from "./dom.js";

// Follows a job until it ends; `onbest` hears of what it has meanwhile. Gives the job.
export async function followed(job, node, onbest = null) {
  const bar = el("progress", { max: 1, "aria-label": job.says });
  const words = el("p", { class: "quiet" });
  const stop = button("Stop", () => drop(`/jobs/${job.id}`), { class: "stop" });
  put(node, el("p", {}, el("strong", {}, job.says)), bar, words, stop);
  let view = job;
  for await (view of events(`/jobs/${job.id}/events`)) {
    if (!["waiting", "running"].includes(view.state)) break;
    if (view.total) bar.value = view.done / view.total;
    else bar.removeAttribute("value");
    const count = view.total ? ` ${view.done.toLocaleString("en")} of ${view.total.toLocaleString("en")}`
      : view.done ? ` ${view.done.toLocaleString("en")}` : "";
    words.textContent = `${view.state === "waiting" ? "waiting" : view.stage || "beginning"}${count}, ${view.seconds.toFixed(0)} s`;
    if (view.best && onbest) onbest(view.best);
  }
  put(node);
  say(`${job.says}: ${view.state}. ${view.error}`);
  if (view.error) put(node, el("p", { class: "problem" }, `${job.says}: ${view.error}`));
  else if (view.state === "stopped") put(node, el("p", { class: "quiet" }, `${job.says}: stopped.`));
  return view;
}
