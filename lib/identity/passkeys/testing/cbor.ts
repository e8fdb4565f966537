/** Encodes the few types of CBOR (RFC 8949) that authenticators send. */

type Cbor = number | string | Buffer | Map<number, Cbor> | { readonly [name: string]: Cbor }

export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries: readonly (readonly [Cbor, Cbor])[] =
    value instanceof Map ? [...value] : Object.entries(value)
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(encodeCbor)])
}

/** Encodes the type and the length or the number, up to 16 bits. */
function head(type: number, size: number): Buffer {
  const first = type << 5
  if (size < 24) return Buffer.from([first | size])
  if (size < 256) return Buffer.from([first | 24, size])
  return Buffer.from([first | 25, size >> 8, size & 255])
}
