/** Functions that the readers of other products’ users share. Their files are JSON, which is read as a whole. */
import type { z } from 'zod'
import { type JsonValue, reservedClaims } from '#lib/protocol/claims.ts'
import type { ReadPasswordHash } from '#lib/protocol/registration/exported-hashes.ts'
import { standardClaimProblem } from '#lib/protocol/registration/standard-claims.ts'
import type { ImportedUser } from '../imported.ts'
import { type Note, note } from '../mapping/field-map.ts'
import type { RowProblem } from '../source/tables.ts'

export type UserExport = { readonly users: readonly ImportedUser[]; readonly problems: readonly RowProblem[] }

type UserReading<Entry> = {
  readonly schema: z.ZodType<Entry>
  readonly read: (entry: Entry, place: string) => ImportedUser
}

/** Reads a list of users. An entry of the wrong form becomes a problem of the report. */
export function readUserList<Entry>(
  entries: readonly unknown[],
  { schema, read }: UserReading<Entry>,
): UserExport {
  const users: ImportedUser[] = []
  const problems: RowProblem[] = []
  for (const [index, entry] of entries.entries()) {
    const place = `users[${index}]`
    const parsed = schema.safeParse(entry)
    if (parsed.success) users.push(read(parsed.data, place))
    else problems.push({ place, problem: problemIn(parsed.error) })
  }
  return { users, problems }
}

function problemIn({ issues: [first] }: z.ZodError): string {
  const path = first?.path.join('.') ?? ''
  return path === '' ? 'is not an object with the fields of a user' : `has no valid "${path}"`
}

/** The claims that may be stored, and a note for each other one. Empty values are left out. */
export function acceptedClaims(given: Readonly<Record<string, JsonValue | undefined>>) {
  const notes: Note[] = []
  const claims: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === '') continue
    const problem = reservedClaims.has(name) ? 'is set by the server' : standardClaimProblem(name, value)
    if (problem === null) claims.push([name, value])
    else notes.push(note('changed', name, `is left out: it ${problem}`))
  }
  return { claims: Object.fromEntries(claims), notes }
}

/** The hash to store, or a note that the user has no password here. */
export function acceptedHash(read: ReadPasswordHash | null): {
  readonly passwordHash: string | null
  readonly notes: readonly Note[]
} {
  if (read === null) return { passwordHash: null, notes: [] }
  if ('passwordHash' in read) return { passwordHash: read.passwordHash, notes: [] }
  return {
    passwordHash: null,
    notes: [note('changed', 'password', `${read.problem}: the user has no password here`)],
  }
}

/** The claim of a name that consists of parts; `undefined` without any part. */
export function joinedName(...parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter(part => part !== undefined && part !== '')
  return given.length === 0 ? undefined : given.join(' ')
}
