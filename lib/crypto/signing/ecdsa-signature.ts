/**
 * The two spellings of a P-256 signature: ASN.1 DER, which OpenSSL makes, and the two numbers side by side, which JWS
 * wants (RFC 7518 3.4). NOTE: letting Node convert (`dsaEncoding`) halves the number of signatures a second.
 */

const numberBytes = 32

/** From `SEQUENCE { INTEGER r, INTEGER s }`. Only for signatures we just made. */
export function toJwsSignature(der: Buffer): Buffer {
  const joined = Buffer.alloc(2 * numberBytes)
  // 0x30 length 0x02 length r 0x02 length s; for P-256 every length fits one byte.
  const lengthOfR = der.readUInt8(3)
  const r = der.subarray(4, 4 + lengthOfR)
  const s = der.subarray(4 + lengthOfR + 2)
  placeRight(joined, r, numberBytes)
  placeRight(joined, s, 2 * numberBytes)
  return joined
}

/** `null` unless it has exactly the length of two numbers. */
export function fromJwsSignature(signature: Buffer): Buffer | null {
  if (signature.length !== 2 * numberBytes) return null
  const body = Buffer.concat([
    derInteger(signature.subarray(0, numberBytes)),
    derInteger(signature.subarray(numberBytes)),
  ])
  return Buffer.concat([Buffer.from([0x30, body.length]), body])
}

/** Copies a number so that it ends before `end`, without the zero byte that DER puts before a high bit. */
function placeRight(target: Buffer, number: Buffer, end: number): void {
  const digits = number.length > numberBytes ? number.subarray(number.length - numberBytes) : number
  digits.copy(target, end - digits.length)
}

/** X.690 8.3: the shortest form, with a zero byte before a high bit. */
function derInteger(number: Buffer): Buffer {
  let start = 0
  while (start < number.length - 1 && number[start] === 0) start += 1
  const digits = number.subarray(start)
  const sign = digits.readUInt8(0) >= 0x80 ? [0] : []
  return Buffer.concat([Buffer.from([0x02, digits.length + sign.length, ...sign]), digits])
}
