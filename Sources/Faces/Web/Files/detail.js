// A document: its facts, a preview, its versions, and what can be done with it.

import { addressOf, downloadOf } from "./address.js";
import { backToList, go, setTitle } from "./app.js";
import { APIError, ask, events, schoolName, schoolNames, schools, showOnline } from "./api.js";
import { colours } from "./card.js";
import { latest, seen } from "./collection.js";
import { h, once } from "./dom.js";
import { icon } from "./icons.js";
import { linkSection } from "./links.js";
import { complain, field, say, sheet, showFault, sure } from "./messages.js";
import { picture } from "./picture.js";
import { removeDocument } from "./removing.js";
import { count, date, dateTime, fileType, longDate, size, time } from "./text.js";
import { openUpload } from "./upload.js";

/** Shows a document; gives what ends the screen. */
export function show(main, id) {
  const screen = new Detail(main, id);
  screen.start();
  const changed = ({ detail }) => { if (detail.line === screen.item?.line_id) screen.load(); };
  events.addEventListener("any", changed);
  return { leave: () => {
    screen.isLeft = true;
    clearTimeout(screen.bones);
    screen.watcher?.disconnect();
    events.removeEventListener("any", changed);
  } };
}

/** How many versions are shown at first, and by each further click. */
const versionsAtOnce = 10;
/** From how many schools on they can be searched. */
const searchedFrom = 50;

/** Versions by the identity of the document that was opened, for ten minutes. */
const knownVersions = new Map();
const versionsFresh = 10 * 60_000;

function rememberVersions(id, versions) {
  knownVersions.set(id, { versions, at: Date.now() });
  if (knownVersions.size > 50) knownVersions.delete(knownVersions.keys().next().value);
}

function versionsInMemory(id) {
  const known = knownVersions.get(id);
  return known && Date.now() - known.at < versionsFresh ? known.versions : null;
}

/** A picture that the service draws; one that is not ready in time is asked for again, ever more seldom. */
function drawn(address, alt, name = "img") {
  let pause = 1000;
  const image = h(name, { src: address, alt, onerror: () => {
    if (pause > 60_000) return;
    setTimeout(() => { if (image.isConnected) image.src = `${address}&content=${pause}`; }, pause);
    pause *= 2;
  } });
  return image;
}

class Detail {
  constructor(main, id) {
    Object.assign(this, { main, id });
    this.versionCount = versionsAtOnce;
    setTitle("Document");
    main.replaceChildren(h("div.detail", { "aria-busy": "true" }, h("h1.unseen", {}, "Document")));
  }

  /** Shows what is in memory at once, and asks behind it. */
  start() {
    const item = seen.get(this.id);
    if (item) {
      Object.assign(this, { item, versions: versionsInMemory(this.id) });
      this.draw();
    } else {
      this.bones = setTimeout(() => this.main.firstChild.append(h("div.panel", {}, h("div.bone"), h("div.bone"))), 300);
    }
    this.load();
  }

  async load() {
    if (this.isLeft) return;
    try {
      const [item, versions] = await Promise.all([
        ask(`/api/documents/${this.id}`, { lost: "Unable to load document details. Check your connection." }),
        ask(`/api/documents/${this.id}/versions`), schools(),
      ]);
      if (this.isLeft) return;
      clearTimeout(this.bones);
      rememberVersions(this.id, versions);
      seen.set(item.id, item);
      const isSame = this.item && JSON.stringify([this.item, this.versions, this.schoolNames]) === JSON.stringify([item, versions, schoolNames()]);
      Object.assign(this, { item, versions });
      if (!isSame) this.draw();
    } catch (error) {
      if (this.isLeft) return;
      clearTimeout(this.bones);
      if (error instanceof APIError && error.status === 404) this.missing();
      else complain(error.message, () => this.load());
    }
  }

  missing() {
    seen.delete(this.id);
    setTitle("Document not found");
    this.main.replaceChildren(h("div.empty", {}, icon("document"), h("h1", {}, "Document not found"),
      h("a.button.primary", { href: "/documents" }, "Return to Documents")));
  }

  draw() {
    const { item } = this;
    setTitle(item.title);
    this.schoolNames = schoolNames();
    // What does not differ stays: a video goes on, and pages keep their place.
    const previewOf = JSON.stringify([item.id, item.state, item.file_url, item.facts]);
    const kept = this.previewOf === previewOf ? this.main.querySelector(".preview") : null;
    this.previewOf = previewOf;
    if (!kept) this.watcher?.disconnect();
    const place = kept?.querySelector(".pages")?.scrollTop;
    const action = (name, className, label, run) => h(`button.${className}`, {
      type: "button", "data-online": true, "data-change": true, "aria-label": label, onclick: once(run) }, name);
    this.main.replaceChildren(h("div.detail", {},
      h("a.back", { href: "/documents", onclick: (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        backToList();
      } }, "← Back to Documents"),
      h("section.panel", {},
        h("span.badge", { class: colours[item.type] }, item.type_label),
        h("h1", { dir: "auto" }, item.title),
        item.description && h("p", { dir: "auto" }, item.description),
        h("div.actions", {},
          action("Edit", "primary", "Edit document metadata", () => this.edit()),
          action("Share", "success", "Share document with schools", () => this.share()),
          action("Delete", "danger", "Delete document. This action cannot be undone.", () => this.remove())),
        h("dl.facts-list", {}, this.facts().map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))))),
      kept ?? h("section.panel.preview", { "aria-label": "Preview" }, this.preview(),
        h("div.actions", {},
          this.isViewable && h("a.button.primary", { href: latest.query.viewing(item.id) }, icon("expand"), "Open viewer"),
          h("a.button.plain", { href: downloadOf(item), download: true, "data-online": true }, icon("download"), "Download"))),
      this.history()));
    if (place) this.main.querySelector(".pages").scrollTop = place;
    showOnline(this.main);
  }

  facts() {
    const { item } = this;
    const known = item.facts ?? {};
    return [
      ["Version", `v${item.version}`], ["School", schoolName(item.school_id)], ["Uploaded", date(item.created_at)],
      ["File type", fileType(item)], ["Size", size(item.file_size)],
      known.pageCount && ["Pages", count(known.pageCount, "page")], known.duration && ["Duration", time(known.duration)],
      known.width && known.height && ["Pixels", `${known.width} × ${known.height}`],
      item.shared_with_schools.length > 0 && ["Shared with", item.shared_with_schools.map(schoolName).join(", ")],
    ].filter(Boolean);
  }

  /** Whether the viewer has more to show than this page. */
  get isViewable() {
    const { file_type: type, facts, state } = this.item;
    return state !== "quarantined" && (/^(video|image)\//.test(type) || !!facts?.pageCount);
  }

  /** What is shown of the file: a video plays in place, pages and images are drawn by the service. */
  preview() {
    const { item } = this;
    if (item.state === "quarantined") return h("p.muted", {}, "This file is being checked for malware.");
    if (item.file_type.startsWith("video/")) {
      const frame = addressOf(item, "picture", { width: 1280 });
      return h("video.stage", { controls: true, preload: "metadata", poster: frame, src: item.file_url,
        onerror: () => complain("Unable to play video. The browser does not know its format.") });
    }
    if (item.facts?.pageCount) return this.pages(item.facts.pageCount);
    if (item.file_type.startsWith("image/")) {
      return drawn(addressOf(item, "picture", { width: 1600 }), item.title, "img.stage");
    }
    return h("div.nothing", {}, picture(item, "grid"), h("p.muted", {}, "Preview unavailable"));
  }

  /** Pages below each other; a page is drawn when it comes near, and dropped when it is far away again. */
  pages(total) {
    const { item } = this;
    const known = item.facts;
    const shape = known.pageWidth && known.pageHeight ? `${known.pageWidth} / ${known.pageHeight}` : "17 / 22";
    const stack = h("div.pages", { role: "list", tabindex: "0", "aria-label": count(total, "page") });
    this.watcher = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) target.replaceChildren();
        else if (!target.firstChild) {
          const width = Math.min(1600, Math.ceil(target.clientWidth * devicePixelRatio));
          target.append(drawn(addressOf(item, `pages/${target.dataset.page}`, { width }),
            `Page ${target.dataset.page} of ${total}`));
        }
      }
    }, { rootMargin: "1500px 0px" });
    for (let number = 1; number <= total; number += 1) {
      const page = h("div.page", { role: "listitem", "data-page": number, style: { "--shape": shape } });
      stack.append(page);
      this.watcher.observe(page);
    }
    return stack;
  }

  history() {
    const { item } = this;
    const versions = this.versions ?? [];
    const rows = versions.slice(0, this.versionCount).map((version) => h("li", {},
      h("strong", {}, `v${version.version}`), version.is_current && h("span.badge.green", {}, "Current"),
      h("span.muted", {}, dateTime(version.created_at)),
      h("a.button.quiet", { href: `/documents/${version.id}`,
        "aria-label": `Version ${version.version}. Uploaded ${longDate(version.created_at)}.` }, "View"),
      !version.is_current && h("button.plain", { type: "button", "data-online": true, "data-change": true,
        onclick: once(() => this.restore(version)) }, "Restore")));
    return h("section.panel", {}, h("h2", {}, "Version History"),
      versions.length > 1 ? h("ul.versions", {}, rows) : this.versions && h("p.muted", {}, "No previous versions"),
      versions.length > this.versionCount && h("button.quiet", { type: "button", onclick: () => {
        this.versionCount += versionsAtOnce;
        this.draw();
      } }, "Show older versions"),
      h("button.plain", { type: "button", "data-online": true, "data-change": true, onclick: once(() => openUpload([], item)) },
        "+ Upload New Version"));
  }

  async restore(version) {
    const isSure = await sure("Restore version",
      "Restore this version? The current version will be marked as archived.", "Restore", { danger: false });
    if (!isSure) return;
    await this.attempt(async () => {
      await ask(`/api/documents/${version.id}/restore`, { method: "POST" });
      say("Version restored");
      go(`/documents/${version.id}`, { replace: true });
    });
  }

  async remove() {
    // Its own event would show that the document is not found.
    this.isLeft = true;
    if (await removeDocument(this.item)) go("/documents", { replace: true });
    else this.isLeft = false;
  }

  async edit() {
    const { item } = this;
    const known = await schools();
    const title = h("input", { type: "text", required: true, maxlength: 100, value: item.title });
    const school = h("select", {}, h("option", { value: "" }, "General / Not School-Specific"),
      known.map(({ id, name }) => h("option", { value: id, selected: id === item.school_id }, name)));
    const description = h("textarea", { rows: 3, maxlength: 500, value: item.description ?? "" });
    await sheet("Edit document", (close, dialog) => {
      const save = h("button.primary", { type: "submit" }, "Save");
      title.addEventListener("input", () => { save.disabled = !title.value.trim(); dialog.classList.add("is-dirty"); });
      return h("form", { onsubmit: once(async () => {
        try {
          await ask(`/api/documents/${item.id}`, { method: "PATCH", body: {
            title: title.value, school_id: school.value || null, description: description.value || null } });
          close();
          say("Changes saved");
          await this.load();
        } catch (error) {
          showFault(error.field === "description" ? description : title, `Failed to save changes. ${error.message}`);
        }
      }) }, field("Title", title, { required: true }), field("School", school), field("Description", description),
      h("div.actions", {}, h("button.plain", { type: "button", onclick: () => close() }, "Cancel"), save));
    });
  }

  async share() {
    const known = await schools({ fresh: true });
    await sheet("Share document", (close) => {
      const body = h("div", {});
      const draw = () => body.replaceChildren(...this.sharing(known, close, draw));
      draw();
      return h("div", {}, linkSection(this.item), body);
    });
    await this.load();
  }

  /** The content of the share sheet: schools that have the document, and those that can get it. */
  sharing(known, close, draw) {
    const { item } = this;
    const has = known.filter(({ id }) => item.shared_with_schools.includes(id));
    const rest = known.filter(({ id }) => !item.shared_with_schools.includes(id));
    const name = h("input", { type: "text", maxlength: 200 });
    const search = rest.length >= searchedFrom && h("input", { type: "search", "aria-label": "Search schools",
      placeholder: "Search schools", autocomplete: "off", oninput: () => {
        const wanted = search.value.trim().toLocaleLowerCase();
        for (const box of boxes) box.hidden = !box.textContent.toLocaleLowerCase().includes(wanted);
      } });
    const fault = h("p.error", { role: "alert" });
    // Said inside the sheet, which covers the page's banner.
    const attempt = async (action) => {
      try {
        await action();
        draw();
      } catch (error) {
        fault.replaceChildren(error.isLost ? "Failed to share document. Check your connection." : error.message);
      }
    };
    const change = (path, options) => attempt(async () => {
      this.item = await ask(`/api/documents/${item.id}/shares${path}`, options);
    });
    const boxes = rest.map((school) => h("label.choice", {}, h("input", { type: "checkbox", value: school.id }), school.name));
    const save = h("button.primary", { type: "button", disabled: true, onclick: once(() => change("", { method: "POST", body: {
      school_ids: boxes.map((box) => box.firstChild).filter((box) => box.checked).map((box) => box.value) } })) }, "Save");
    for (const box of boxes) {
      box.addEventListener("change", () => { save.disabled = !boxes.some((one) => one.firstChild.checked); });
    }
    return [
      h("h3", {}, "Shared with"), has.length ? h("ul.versions", {}, has.map((school) => h("li", {}, h("span", {}, school.name),
        h("button.plain", { type: "button", onclick: once(() => change(`/${school.id}`, { method: "DELETE" })) }, "Remove"))))
        : h("p.muted", {}, "No school has this document yet."),
      h("h3", {}, "Add schools"), ...(search ? [search] : []),
      ...(boxes.length ? boxes : [h("p.muted", {}, "There is no further school in your list.")]),
      h("form.new-school", { onsubmit: once(() => attempt(async () => {
        known.push(await ask("/api/schools", { method: "POST", body: { name: name.value } }));
        await schools({ fresh: true });
      })) }, field("New school", name), h("button.plain", { type: "submit" }, "Add school")),
      fault,
      h("div.actions", {}, h("button.plain", { type: "button", onclick: () => close() }, "Close"), save),
    ];
  }

  /** Runs what may fail, and says so. */
  async attempt(action) {
    try {
      await action();
    } catch (error) {
      complain(error.message);
    }
  }
}
