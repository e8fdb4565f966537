/** Secrets of clients and APIs. Both products store a hash of shared secrets that this server can use unchanged. */
import { secretList } from '#lib/config/limits.ts'
import { digestOfSecretHash, readImportedSecret } from '#lib/protocol/registration/imported-hashes.ts'
import { type Fields, fieldsOf } from '../source/tables.ts'
import { base64, fieldIn, list, type Note, note, or, time, WrongValue } from './field-map.ts'

/** A secret. `digest` has the format of this server. */
export type ImportedSecret = {
  readonly name: string
  readonly digest: string
  readonly expiresAt: Date | null
}

export type ImportedSecrets = { readonly secrets: readonly ImportedSecret[]; readonly notes: readonly Note[] }

const longestName = 100

/**
 * Reads the secrets of an object. A secret that cannot be imported is left out with a note; an object with more than
 * `secretList.most` secrets is refused.
 */
export function readSecrets(all: Fields, field: string): ImportedSecrets {
  const secrets: ImportedSecret[] = []
  const notes: Note[] = []
  for (const [index, entry] of list(fieldIn(all, field) ?? []).entries()) {
    try {
      secrets.push(readSecret(fieldsOf(entry)))
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      notes.push(note('left_out', `${field}[${index}]`, error.message))
    }
  }
  const { most } = secretList
  if (secrets.length > most)
    notes.push(note('refused', field, `are ${secrets.length}, and may be ${most}: remove old ones`))
  return { secrets, notes }
}

function readSecret(entry: Fields): ImportedSecret {
  const type = fieldIn(entry, 'Type') ?? 'SharedSecret'
  if (type !== 'SharedSecret')
    throw new WrongValue(
      `is of the type ${JSON.stringify(String(type).slice(0, 60))}: only shared secrets are supported, no certificates or assertions`,
    )
  return {
    name: nameOf(fieldIn(entry, 'Description')),
    digest: digestOf(base64(fieldIn(entry, 'Value'))),
    expiresAt: or<Date | null>(time, null)(fieldIn(entry, 'Expiration')),
  }
}

/** Returns the name of a secret. It must not be empty: only secrets of the configuration file have no name. */
function nameOf(description: unknown): string {
  const name =
    typeof description === 'string'
      ? description
          .replace(/[\p{C}\s]+/gu, ' ')
          .trim()
          .slice(0, longestName)
      : ''
  return name === '' ? 'Imported' : name
}

function digestOf(value: string): string {
  const read = readImportedSecret(value)
  if ('problem' in read) throw new WrongValue(read.problem)
  return digestOfSecretHash(read)
}
