// The bare page: uploads a file, lists documents, and follows their events.

const list = document.querySelector("#documents");
const more = document.querySelector("#more");
const form = document.querySelector("#upload");
const progress = form.querySelector("progress");
const message = document.querySelector("#message");
let cursor = null;

/** Asks the API; throws an `Error` with its message for people. */
async function ask(path, options) {
  const response = await fetch(path, options);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message ?? "Server error. Please try again.");
  return answer.data;
}

function say(text, isError = false) {
  message.textContent = text;
  message.classList.toggle("error", isError);
}

function size(bytes) {
  for (const [unit, name] of [[1e9, "GB"], [1e6, "MB"], [1e3, "KB"]]) {
    if (bytes >= unit) return `${(bytes / unit).toFixed(1)} ${name}`;
  }
  return `${bytes} bytes`;
}

/** A card's facts: `3 pages`, `12 s`, `1920 × 1080`. */
function facts(item) {
  const known = item.facts ?? {};
  const parts = [item.type_label, `v${item.version}`, size(item.file_size)];
  if (known.pageCount) parts.push(`${known.pageCount} ${known.pageCount === 1 ? "page" : "pages"}`);
  if (known.duration) parts.push(`${known.duration.toFixed(1)} s`);
  if (known.width && known.height) parts.push(`${known.width} × ${known.height}`);
  return parts.join(" · ");
}

function element(name, properties, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

function card(item) {
  const address = `${item.thumbnail_url}&preset=grid`;
  const picture = element("img", { src: address, alt: "", loading: "lazy" });
  const remove = element("button", { type: "button", textContent: "Delete", ariaLabel: `Delete ${item.title}` });
  remove.addEventListener("click", async () => {
    if (!confirm("Are you sure you want to delete this document? This action cannot be undone.")) return;
    try {
      await ask(`/api/documents/${item.id}`, { method: "DELETE" });
      await load();
    } catch (error) {
      say(error.message, true);
    }
  });
  const title = element("a", { href: item.file_url, textContent: item.title });
  return element("li", { id: `document-${item.id}` },
    picture, element("div", {}, title, element("small", { textContent: facts(item) }), remove));
}

/** Shows the first page, or adds the next one. */
async function load(after = null) {
  const page = await ask(`/api/documents${after ? `?cursor=${after}` : ""}`);
  if (!after) list.replaceChildren();
  list.append(...page.documents.map(card));
  cursor = page.next_cursor;
  more.hidden = !cursor;
  document.querySelector("#count").textContent = `${page.total} total`;
}

/** Sends the form; `fetch` tells no progress of what it sends. */
function send(data) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/documents");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => { progress.value = event.loaded / event.total; });
    request.addEventListener("load", () => {
      if (request.status === 201) resolve(request.response.data);
      else reject(new Error(request.response?.message ?? "Upload failed. Please try again."));
    });
    request.addEventListener("error", () => reject(new Error("Upload failed. Please try again.")));
    request.send(data);
  });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  if (!data.get("title")) data.delete("title");
  progress.hidden = false;
  progress.value = 0;
  try {
    await send(data);
    form.reset();
    say("Document uploaded");
    await load();
  } catch (error) {
    say(error.message, true);
  } finally {
    progress.hidden = true;
  }
});

more.addEventListener("click", () => load(cursor).catch((error) => say(error.message, true)));

const events = new EventSource("/api/events");
for (const name of ["document.stored", "document.changed", "document.deleted", "picture.ready", "picture.failed"]) {
  events.addEventListener(name, () => load().catch((error) => say(error.message, true)));
}

load().catch((error) => say(error.message, true));
