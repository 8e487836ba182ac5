// Numbers, dates and names as people read them, and the rules of documents that forms know before the service is asked.

/** The types of documents, in their order. */
export const types = {
  highlight_video: { label: "Highlight Video", extensions: [".mp4", ".mov", ".avi"] },
  transcript: { label: "Transcript", extensions: [".pdf", ".txt"] },
  resume: { label: "Resume", extensions: [".pdf", ".doc", ".docx"] },
  rec_letter: { label: "Recommendation Letter", extensions: [".pdf"] },
  questionnaire: { label: "Questionnaire", extensions: [".pdf", ".doc", ".docx"] },
  stats_sheet: { label: "Stats Sheet", extensions: [".csv", ".xls", ".xlsx"] },
};

/** The largest file, in bytes; the service's own limit decides. */
export const largestFile = 100_000_000;

/** The largest résumé, in bytes; the service's own limit decides. */
export const largestResume = 10_000_000;

/** What is wrong with a file as a document of a type; `""` where nothing is. */
export function faultOf(file, type) {
  const rule = types[type];
  const name = file.name.toLowerCase();
  if (rule && !rule.extensions.some((end) => name.endsWith(end))) {
    return `Invalid file type. ${rule.label} requires ${rule.extensions.join(", ")}.`;
  }
  const most = type === "resume" ? largestResume : largestFile;
  if (file.size > most) return `File exceeds ${most / 1e6}MB limit. Please compress or choose a smaller file.`;
  return "";
}

/** `1.2 GB`. */
export function size(bytes) {
  for (const [unit, name] of [[1e9, "GB"], [1e6, "MB"], [1e3, "KB"]]) {
    if (bytes >= unit) return `${(bytes / unit).toFixed(1).replace(/\.0$/, "")} ${name}`;
  }
  return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
}

/** `1:05`, `1:02:03`. */
export function time(seconds) {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** `12 seconds`, `3 minutes`: a time that is left. */
export function left(seconds) {
  if (!Number.isFinite(seconds)) return "";
  const [number, unit] = seconds < 60 ? [Math.max(1, Math.ceil(seconds)), "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count(number, unit)} left`;
}

/** `3 pages`, `1 page`. */
export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

const format = (options) => {
  const formatter = new Intl.DateTimeFormat("en-US", options);
  return (text) => formatter.format(new Date(text));
};

/** `Jan 15, 2025`. */
export const date = format({ dateStyle: "medium" });
/** `January 15, 2025`. */
export const longDate = format({ dateStyle: "long" });
/** `Jan 15, 2025, 9:41 AM`. */
export const dateTime = format({ dateStyle: "medium", timeStyle: "short" });

/** `PDF`, `MP4 video`: the file's type in few letters. */
export function fileType(item) {
  const names = {
    "application/pdf": "PDF", "application/msword": "Word document", "text/plain": "Text", "text/csv": "CSV",
    "video/mp4": "MP4 video", "video/quicktime": "QuickTime video", "video/x-msvideo": "AVI video", "video/x-m4v": "MP4 video",
    "application/rtf": "Rich text", "text/rtf": "Rich text", "application/vnd.ms-excel": "Excel sheet",
  };
  if (names[item.file_type]) return names[item.file_type];
  const end = /\.([^.]{1,5})$/.exec(item.file_name ?? "");
  return end ? end[1].toUpperCase() : item.file_type;
}

/** How a card is read aloud. */
export function spoken(item) {
  const shared = item.shared_with_schools.length;
  return `${item.title}. ${item.type_label}. ${shared ? `Shared with ${count(shared, "school")}. ` : ""}Uploaded ${
    longDate(item.created_at)}.`;
}
