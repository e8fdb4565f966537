/** Recovery codes: they replace the code of an authenticator app that the user has lost, each once (MF-02). */
import { secondFactors as limits } from '#lib/config/limits.ts'
import type { Hashing, Random } from '#lib/ports/environment.ts'
import type { Digest, SubjectId } from '#lib/protocol/ids.ts'

/** Digits and letters without those that look alike: 0 and O, 1, I and L, U and V. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 3
const groupLength = 5
const length = groups * groupLength

/** Makes a set of codes, in groups. Each has 73 random bits, so that it cannot be found from its digest. */
export function newRecoveryCodes(random: Pick<Random, 'id'>): readonly string[] {
  return Array.from({ length: limits.recoveryCodes }, () => newRecoveryCode(random))
}

/** Converts a random number of 128 bits: the last digits to the base of the alphabet are distributed evenly. */
function newRecoveryCode(random: Pick<Random, 'id'>): string {
  let rest = BigInt(`0x${Buffer.from(random.id(), 'base64url').toString('hex')}`)
  let code = ''
  while (code.length < length) {
    code += alphabet.charAt(Number(rest % BigInt(alphabet.length)))
    rest /= BigInt(alphabet.length)
  }
  return (code.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-')
}

/** Returns the code as typed, without spaces and dashes and in capitals; `null` if it cannot be a code. */
export function parseRecoveryCode(typed: string): string | null {
  const code = typed.slice(0, limits.typedCharacters).replace(/[\s-]/g, '').toUpperCase()
  return code.length === length && [...code].every(character => alphabet.includes(character)) ? code : null
}

/** Returns the digest under which a code is stored. The subject makes equal codes of different users differ. */
export function recoveryCodeDigest(
  { digest }: Pick<Hashing, 'digest'>,
  subject: SubjectId,
  code: string,
): Digest {
  return digest(`recovery-code:${subject}:${code.replaceAll('-', '')}`)
}
