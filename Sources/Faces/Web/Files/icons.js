// The icons, drawn as lines in a box of 24.

const paths = {
  add: "M12 5v14M5 12h14",
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  bag: "M4 8h16v11H4zM9 8V5.5h6V8M4 13h16",
  check: "M5 13l4.5 4.5L19 7",
  delete: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5",
  document: "M7 3h7l5 5v13H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM14 3v5h5M9 13h6M9 17h6",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14",
  down: "M5 9l7 7 7-7",
  edit: "M4 20h4L19.5 8.5a2.1 2.1 0 0 0-4-4L4 16zM13.5 6.5l4 4",
  expand: "M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5",
  filter: "M4 6h16M7 12h10M10 18h4",
  gear: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01",
  leave: "M10 4H5v16h5M15 8l4 4-4 4M19 12H10",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  minus: "M5 12h14",
  next: "M9 5l7 7-7 7",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.8-4 3.8-5.5 7.5-5.5s6.7 1.5 7.5 5.5",
  phone: "M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2",
  pie: "M12 3a9 9 0 1 0 9 9h-9zM15 3.5A9 9 0 0 1 20.5 9H15z",
  pin: "M12 21s7-6.3 7-11.5a7 7 0 0 0-14 0C5 14.7 12 21 12 21zM12 7a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  play: "M8 5l11 7-11 7z",
  retry: "M5 12a7 7 0 1 1 2.2 5.1M5 17v-4h4",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5",
  share: "M12 15V4M8 7.5L12 3.5l4 4M6 11H5v9h14v-9h-1",
  sheet: "M5 4h14v16H5zM5 9h14M5 14h14M11 9v11",
  star: "M12 4l2.4 5.2 5.6.6-4.2 3.8 1.2 5.6-5-2.9-5 2.9 1.2-5.6L4 9.8l5.6-.6z",
  storage: "M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
  text: "M4 5h16v11h-9l-4 4v-4H4z",
  twitter: "M9 4L7 20M17 4l-2 16M4.5 9h16M3.5 15h16",
  upload: "M12 16V5M7.5 9L12 4.5 16.5 9M5 20h14",
  video: "M3 6h12v12H3zM15 10.5l6-3.5v10l-6-3.5",
  view: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  warning: "M12 4l9 16H3zM12 10v4.5M12 17.5h.01",
};

/** An icon that screen readers skip. */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", paths[name] ?? paths.document);
  svg.append(path);
  return svg;
}

/** The icon of a document's kind of file. */
export function iconOf(item) {
  const type = item.file_type ?? "";
  if (type.startsWith("video/")) return "video";
  if (type.startsWith("image/")) return "image";
  if (item.type === "stats_sheet") return "sheet";
  return "document";
}
