/** The master key as an operator writes it: at least 32 random bytes, as base64 or hex. */

const shortestKeyBytes = 32
/**
 * The number of different bytes below which a key counts as repeated or typed text; 32 random bytes contain about 30.
 */
const fewestDifferentBytes = 16

/** Decodes a key; null when the text is neither base64 nor hex. */
export function decodeMasterKey(text: string): Buffer | null {
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return Buffer.from(text, 'hex')
  const bytes = Buffer.from(text, 'base64url')
  const plain = text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
  return bytes.toString('base64url') === plain ? bytes : null
}

/** CR-04: returns why a text is not a master key, as the words after "…, but"; `null` if it is one. */
export function masterKeyProblem(text: string): string | null {
  const bytes = decodeMasterKey(text)
  if (bytes === null) return 'it is neither base64 nor hex'
  if (bytes.length < shortestKeyBytes)
    return `it has ${bytes.length} bytes and needs at least ${shortestKeyBytes}`
  if (new Set(bytes).size < fewestDifferentBytes) return 'it is not random'
  return null
}
