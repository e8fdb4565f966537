/** Which database, and where. */
import { join, resolve } from 'node:path'
import { ConfigError } from '#lib/errors/config-error.ts'

export type Database =
  /** `file` is absolute. */
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgresql'; readonly url: string }

/** Throws a ConfigError that does not repeat the URL, because it may contain a password. */
export function readDatabase(url: string | undefined, dataDir: string): Database {
  if (url === undefined) return { kind: 'sqlite', file: join(dataDir, 'latchkey.db') }
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return { kind: 'postgresql', url }
  if (url.startsWith('file:') && url.length > 'file:'.length) {
    return { kind: 'sqlite', file: resolve(url.slice('file:'.length).replace(/^\/\/(?=\/)/, '')) }
  }
  throw new ConfigError(
    'DATABASE_URL is (not shown), but it must start with "file:" and a path, or be "postgresql://user:password@host/database".',
  )
}
