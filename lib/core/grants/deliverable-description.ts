/** RFC 6749 5.2: `error_description` is printable ASCII without quote and backslash. */
const wireText = /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,200}$/

/** An extension's text if it may go over the wire, else `null`: the catalogue's sentence is sent instead. */
export function deliverableDescription(text: string | null): string | null {
  return text !== null && wireText.test(text) ? text : null
}
