// Deleting a document, after a question.

import { ask } from "./api.js";
import { complain, say, sure } from "./messages.js";

/** Asks, then deletes; gives whether the document is gone. */
export async function removeDocument(item) {
  const isSure = await sure("Delete document",
    "Are you sure you want to delete this document? This action cannot be undone.", "Delete");
  if (!isSure) return false;
  const lost = "Failed to delete document. Please try again.";
  try {
    await ask(`/api/documents/${item.id}`, { method: "DELETE", lost });
  } catch (error) {
    if (error.status !== 404) {
      complain(error.status >= 500 ? lost : error.message, () => removeDocument(item));
      return false;
    }
  }
  say("Document deleted");
  return true;
}
