/** Parses DATABASE_URL: the kind of the database and its location. */
import { join, resolve } from 'node:path'
import { ConfigError } from '#lib/errors/config-error.ts'
import { closestName } from '#lib/protocol/text/similar-names.ts'

export type DatabaseLocation =
  /** `file` is an absolute path. */
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgresql'; readonly url: string }

/**
 * Parses the URL; without one, returns the SQLite file in `dataDir`. Throws a ConfigError that does not repeat the URL, because it
 * may contain a password.
 */
export function readDatabase(url: string | undefined, dataDir: string): DatabaseLocation {
  if (url === undefined) return { kind: 'sqlite', file: join(dataDir, 'latchkey.db') }
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return { kind: 'postgresql', url }
  const path = /^file:(.+)$/s.exec(url)?.[1]
  // The path of a file must not have a scheme: "file:postgresql://…" would be a new, empty database
  if (path !== undefined && !schemePattern.test(path)) {
    return { kind: 'sqlite', file: resolve(path.replace(/^\/\/(?=\/)/, '')) }
  }
  throw new ConfigError(
    `DATABASE_URL is (not shown), but it must start with "file:" and a path, or be "postgresql://user:password@host/database"; ${hintFor(url)}.`,
  )
}

const schemePattern = /^([a-z][a-z0-9+.-]+):/i

/** Explains the problem of a refused URL without quoting a part that could be secret. */
function hintFor(url: string): string {
  const scheme = schemePattern.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'it has no scheme; for a path, write "file:" before it'
  if (scheme === 'file') return 'what follows "file:" is not a path'
  if (/^sqlite/.test(scheme)) return 'for SQLite, write "file:" and the path'
  if (!/^po.{0,3}g/.test(scheme)) return 'no other kind of database is supported'
  const isWellSpelt = /^postgres(ql)?$/.test(scheme)
  return isWellSpelt
    ? 'this one cannot be read as a URL: encode special characters in the password'
    : 'the scheme is misspelt: write "postgresql://"'
}

/**
 * Throws a ConfigError if DATABASE_URL is not set and a variable with a similar name contains such a URL: the server
 * would start with a new, empty database.
 */
export function refuseMisspeltName(environment: Readonly<Record<string, string | undefined>>): void {
  if ((environment[name] ?? '') !== '') return
  const misspelt = Object.keys(environment).find(
    other =>
      Math.abs(other.length - name.length) < 2 &&
      closestName(other, [name]) !== null &&
      /^(file|postgres(ql)?):/.test(environment[other] ?? ''),
  )
  if (misspelt === undefined) return
  throw new ConfigError(`${misspelt} is (not shown), but there is no such setting; did you mean "${name}"?`)
}

const name = 'DATABASE_URL'
