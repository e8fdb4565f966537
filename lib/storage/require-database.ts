import { existsSync } from 'node:fs'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { DatabaseLocation } from './location.ts'

/** For commands on existing data: a wrong folder must not look like a new installation. Throws a ConfigError. */
export function requireDatabase(location: DatabaseLocation): void {
  if (location.kind !== 'sqlite' || existsSync(location.file)) return
  throw new ConfigError(
    `There is no database at ${location.file}; correct DATABASE_URL or DATA_DIR, or start the server first.`,
  )
}
