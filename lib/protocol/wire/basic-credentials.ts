/** `Authorization: Basic` as clients really send it (RFC 7617, RFC 6749 2.3.1). */

export type IdAndSecret = { readonly id: string; readonly secret: string }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whether the header uses this scheme at all, however badly. */
export function isBasic(authorization: string): boolean {
  return /^basic(?: |$)/i.test(authorization)
}

/**
 * Reads the header's credentials. RFC 6749 has both parts form-urlencoded before base64, and many clients send them plain:
 * where the two readings differ both are returned, the encoded one first. Empty when the header cannot be read.
 */
export function readBasicCredentials(authorization: string): readonly IdAndSecret[] {
  const plain = splitAtColon(decodeStrictly(authorization.slice('Basic '.length).trim()))
  if (plain === null) return []
  const decoded = formDecoded(plain)
  if (decoded === null) return [plain]
  return decoded.id === plain.id && decoded.secret === plain.secret ? [plain] : [decoded, plain]
}

function decodeStrictly(base64: string): string | null {
  const bytes = Buffer.from(base64, 'base64')
  // RFC 4648 3.5 and 4: one value has one spelling, with padding, without whitespace and stray bits
  if (base64 === '' || bytes.toString('base64') !== base64) return null
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

// RFC 7617 2: the first colon ends the id, so a secret may contain colons
function splitAtColon(pair: string | null): IdAndSecret | null {
  const colon = pair?.indexOf(':') ?? -1
  if (pair === null || colon < 0) return null
  return { id: pair.slice(0, colon), secret: pair.slice(colon + 1) }
}

function formDecoded({ id, secret }: IdAndSecret): IdAndSecret | null {
  try {
    return { id: formDecode(id), secret: formDecode(secret) }
  } catch {
    return null
  }
}

function formDecode(value: string): string {
  return /[+%]/.test(value) ? decodeURIComponent(value.replaceAll('+', ' ')) : value
}
