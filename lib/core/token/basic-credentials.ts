/** Reads the credentials of an `Authorization` header with the scheme Basic (RFC 7617, RFC 6749 2.3.1). */

export type IdAndSecret = { readonly id: string; readonly secret: string }

/** Whether the header uses the scheme Basic, however malformed (RFC 7617). */
export function isBasic(authorization: string): boolean {
  return /^basic(?: |$)/i.test(authorization)
}

/**
 * Reads the header's credentials. RFC 6749 requires both parts to be form-urlencoded before base64, but many clients
 * send them unencoded: if the two readings differ, both are returned, the encoded one first. Empty when the header
 * cannot be read.
 */
export function readBasicCredentials(authorization: string): readonly IdAndSecret[] {
  const plain = splitAtColon(decodeStrictly(authorization.slice('Basic '.length).trim()))
  if (plain === null) return []
  if (!/[+%]/.test(plain.id + plain.secret)) return [plain]
  try {
    return [{ id: formDecode(plain.id), secret: formDecode(plain.secret) }, plain]
  } catch {
    return [plain]
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeStrictly(base64: string): string | null {
  const bytes = Buffer.from(base64, 'base64')
  // RFC 4648 3.5 and 4: a value has only one valid encoding, with padding, without whitespace and stray bits
  if (base64 === '' || bytes.toString('base64') !== base64) return null
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

// RFC 7617 2: the first colon ends the ID, so a secret may contain colons
function splitAtColon(pair: string | null): IdAndSecret | null {
  const colon = pair?.indexOf(':') ?? -1
  if (pair === null || colon < 0) return null
  return { id: pair.slice(0, colon), secret: pair.slice(colon + 1) }
}

function formDecode(value: string): string {
  return decodeURIComponent(value.replaceAll('+', ' '))
}
