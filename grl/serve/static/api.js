// Requests to the JSON interface; what it refuses comes as an error with its one line.

async function answered(response) {
  const data = await response.json().catch(() => ({ error: "the server gave no answer" }));
  if (!response.ok) throw new Error(data.error || `status ${response.status}`);
  return data;
}

export const get = async (path) => answered(await fetch(`/api${path}`));

export const post = async (path, data = {}) =>
  answered(await fetch(`/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(data),
  }));

export const drop = async (path) => answered(await fetch(`/api${path}`, { method: "DELETE" }));

export const send = async (path, file) =>
  answered(await fetch(`/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  }));

export const text = async (path) => {
  const response = await fetch(`/api${path}`);
  if (!response.ok) await answered(response);
  return response.text();
};

// What the server sends as it comes; whoever has heard enough leaves the loop, and the line is closed.
export async function* events(path) {
  const source = new EventSource(`/api${path}`);
  const waiting = [];
  let wake = () => {};
  source.onmessage = (event) => { waiting.push(JSON.parse(event.data)); wake(); };
  // A line that broke off is taken up again by the browser; one that is refused is not.
  source.onerror = () => { if (source.readyState === EventSource.CLOSED) { waiting.push(null); wake(); } };
  try {
    for (;;) {
      while (waiting.length) {
        const next = waiting.shift();
        if (!next) throw new Error("The server has ended this work, or was started again.");
        yield next;
      }
      await new Promise((done) => { wake = done; });
    }
  } finally {
    source.close();
  }
}
