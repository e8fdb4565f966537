/** Checks the database: whether it answers and is this server's, its settings, its clock, and the free space of a file. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { attention, doctor as limits } from '#lib/config/limits.ts'
import { readOnlyAdapter } from '#lib/storage/database.ts'
import { connectionProblem } from '#lib/storage/database-errors.ts'
import { requireDatabase } from '#lib/storage/open-audit-trail.ts'
import { openPastPooler } from '#lib/storage/postgres-pool.ts'
import { type Finding, failure, good, warning } from './finding.ts'

/** Reads only: a server may be running. Throws a ConfigError if there is no database. */
export async function checkDatabase(location: DatabaseLocation): Promise<readonly Finding[]> {
  requireDatabase(location)
  return location.kind === 'sqlite' ? checkFile(location.file) : checkServer(location)
}

async function checkFile(file: string): Promise<readonly Finding[]> {
  const { bavail, bsize } = await statfs(dirname(file))
  const free = bavail * bsize
  const text = `The disk of ${file} has ${Math.round(free / 1_048_576)} MB left.`
  return [
    free < attention.freeBytes
      ? failure('disk', text, 'Delete files, or enlarge it: sign-ins fail when it is full.')
      : good('disk', text),
  ]
}

type PostgresLocation = Extract<DatabaseLocation, { readonly kind: 'postgresql' }>

async function checkServer(location: PostgresLocation): Promise<readonly Finding[]> {
  try {
    return settingFindings(await openPastPooler(settings => readSettings(location, settings)))
  } catch (error) {
    throw connectionProblem(error, location.url)
  }
}

const query = `SELECT current_setting('server_version'), pg_is_in_recovery()::text, current_setting('fsync'),
  current_setting('synchronous_commit'), (extract(epoch FROM clock_timestamp()) * 1000)::text`

type Settings = {
  readonly version: string
  readonly isStandby: boolean
  readonly fsync: string
  readonly synchronousCommit: string
  readonly time: number
  readonly readAt: number
}

async function readSettings(
  location: PostgresLocation,
  settings: Parameters<typeof readOnlyAdapter>[1],
): Promise<Settings> {
  const connection = await readOnlyAdapter(location, settings).connect()
  try {
    const { rows } = await connection.queryRaw({ sql: query, args: [], argTypes: [] })
    const [version, standby, fsync, commit, time] = (rows[0] ?? []).map(String)
    return {
      version: version ?? '',
      isStandby: standby === 'true',
      fsync: fsync ?? '',
      synchronousCommit: commit ?? '',
      time: Number(time),
      readAt: Date.now(),
    }
  } finally {
    await connection.dispose()
  }
}

function settingFindings({
  version,
  isStandby,
  fsync,
  synchronousCommit,
  time,
  readAt,
}: Settings): readonly Finding[] {
  const seconds = Math.round(Math.abs(readAt - time) / 1000)
  const clock = `The clocks of this machine and of the database differ by ${seconds} s.`
  return [
    isStandby
      ? failure('database', 'The database server is a standby.', 'Let DATABASE_URL lead to the primary.')
      : good('database', `PostgreSQL ${version} answers.`),
    fsync === 'on' && synchronousCommit !== 'off'
      ? good('durability', 'Commits wait for the disk.')
      : failure(
          'durability',
          `Commits do not wait for the disk (fsync ${fsync}, synchronous_commit ${synchronousCommit}), so a crash loses tokens and revocations.`,
          'Set fsync and synchronous_commit to on.',
        ),
    seconds > limits.clockWarningSeconds
      ? warning('database clock', clock, 'Let both machines keep their time by NTP.')
      : good('database clock', clock),
  ]
}
