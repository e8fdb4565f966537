/**
 * Reads columns back into the core's types. Only we write these rows, through the same types, so reading them
 * brands and does not check again.
 */
import type { Claims } from '#lib/protocol/claims.ts'
import type {
  ClientId,
  Digest,
  GrantId,
  ProviderScheme,
  ScopeName,
  SessionId,
  SubjectId,
} from '#lib/protocol/ids.ts'

export const digest = (text: string): Digest => text as Digest
export const clientId = (text: string): ClientId => text as ClientId
export const subjectId = (text: string): SubjectId => text as SubjectId
export const grantId = (text: string): GrantId => text as GrantId
export const sessionId = (text: string): SessionId => text as SessionId
export const scopeName = (text: string): ScopeName => text as ScopeName
export const providerScheme = (text: string): ProviderScheme => text as ProviderScheme

/** Reads a column that may be null. */
export function optional<T>(text: string | null, read: (text: string) => T): T | null {
  return text === null ? null : read(text)
}

export function claims(text: string): Claims {
  return JSON.parse(text)
}

export function parseStringList(text: string): readonly string[] {
  return JSON.parse(text)
}

export function scopeNames(text: string): readonly ScopeName[] {
  return parseStringList(text).map(scopeName)
}
