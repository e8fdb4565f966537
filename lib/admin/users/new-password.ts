/** A temporary password that can be read out: 100 random bits in groups, without similar letters. */
import type { Random } from '#lib/ports/environment.ts'

const alphabet = '23456789abcdefghjkmnpqrstvwxyz'
const groups = 5
const groupLength = 4

export function newPassword(random: Pick<Random, 'id'>): string {
  const letters = [...random.id(), ...random.id()].map(
    letter => alphabet[letter.charCodeAt(0) % alphabet.length],
  )
  const group = (index: number) => letters.slice(index * groupLength, (index + 1) * groupLength).join('')
  return Array.from({ length: groups }, (_one, index) => group(index)).join('-')
}
