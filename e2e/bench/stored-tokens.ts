/** Fills a SQLite database with users, and with the grants and tokens of a month; lets rows expire, and counts them. */
import Database from 'better-sqlite3'

const dayMs = 86_400_000
const monthMs = 30 * dayMs
const users = 1_000_000
const filled = ['User', 'Grant', 'RefreshToken', 'ReferenceToken']

/**
 * Stores a million users and this number of tokens in a migrated database that no server uses. Each grant has a used refresh
 * token, its successor and a reference token. For each grant there is also a reference token that a client obtained for itself.
 * Nothing expires for at least a day.
 */
export function storeTokens(file: string, tokens: number): void {
  const database = new Database(file)
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000; PRAGMA foreign_keys = OFF')
  database.function('time_prefix', { deterministic: true }, timePrefix)
  const indexes = database
    .prepare(
      `SELECT "name", "sql" FROM sqlite_master
       WHERE "type" = 'index' AND "sql" IS NOT NULL AND "tbl_name" IN (${filled.map(() => '?').join()})`,
    )
    .raw()
    .all(filled)
    .map(index => (Array.isArray(index) ? index.map(String) : []))
  for (const [name] of indexes) database.exec(`DROP INDEX "${name}"`)
  const began = Date.now() - monthMs
  for (const statement of statements({ grants: tokens / 4, began })) database.exec(statement)
  for (const [, sql = ''] of indexes) database.exec(sql)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

/** The time in token digests and grant IDs, as the server writes it: 24 bits that count units of 64 milliseconds. */
function timePrefix(milliseconds: unknown): string {
  const prefix = Buffer.alloc(3)
  prefix.writeUIntBE(Math.floor(Number(milliseconds) / 64) % 2 ** 24, 0, 3)
  return prefix.toString('base64url')
}

const timeOf = (ms: string) => `strftime('%Y-%m-%dT%H:%M:%f+00:00', (${ms}) / 1000.0, 'unixepoch')`
const digestOf = (ms: string) => `time_prefix(${ms}) || hex(randomblob(20)) || 'end'`
const upTo = (count: number) =>
  `WITH RECURSIVE numbers(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < ${count})`
const claims = `printf('{"sub":"%s","client_id":"%s","scope":["openid","profile","offline_access","api"],"auth_time":1763900000,"amr":["pwd"],"idp":"latchkey"}', subject, clientId)`

function statements({ grants, began }: { readonly grants: number; readonly began: number }) {
  const hourMs = 3_600_000
  const end = timeOf(`ms + ${monthMs + dayMs}`)
  return [
    `${upTo(users)} INSERT INTO "User" ("subject", "username", "canonicalUsername", "enabled", "claims", "version", "createdAt", "updatedAt")
     SELECT 'usr_' || i, 'stored' || i, 'stored' || i, 1, '{"name":"Some Name","email":"someone@example.com","email_verified":true}',
       1, ${timeOf(String(began))}, ${timeOf(String(began))} FROM numbers`,
    `CREATE TEMP TABLE stored AS ${upTo(grants)}, timed(ms) AS (SELECT CAST(${began} + i * ${monthMs / grants} AS INTEGER) FROM numbers)
     SELECT ms, 'g' || time_prefix(ms) || lower(hex(randomblob(9))) AS id, 'app-' || abs(random() % 200) AS clientId,
       'usr_' || abs(random() % ${users}) AS subject, ${digestOf('ms')} AS first, ${digestOf(`ms + ${hourMs}`)} AS second FROM timed`,
    `INSERT INTO "Grant" ("id", "clientId", "subject", "idp", "amr", "authenticatedAt", "sessionId", "details", "isOffline", "createdAt", "expiresAt")
     SELECT id, clientId, subject, 'latchkey', '["pwd"]', ${timeOf('ms')}, hex(randomblob(11)),
       '{"scopes":["openid","profile","offline_access","api"]}', 1, ${timeOf('ms')}, ${end} FROM stored`,
    `INSERT INTO "RefreshToken" ("digest", "grantId", "clientId", "absoluteExpiresAt", "expiresAt", "createdAt", "accessTokenClaims", "spentAt", "successor")
     SELECT iif(use = 0, first, second), id, clientId, ${end}, ${end}, ${timeOf(`ms + use * ${hourMs}`)}, ${claims},
       iif(use = 0, ${timeOf(`ms + ${hourMs}`)}, NULL), iif(use = 0, second, NULL)
     FROM (SELECT 0 AS use UNION ALL SELECT 1) CROSS JOIN stored ORDER BY ms + use * ${hourMs}`,
    `INSERT INTO "ReferenceToken" ("digest", "grantId", "subject", "clientId", "claims", "expiresAt")
     SELECT ${digestOf('ms')}, iif(own, NULL, id), iif(own, NULL, subject), clientId, ${claims}, ${end}
     FROM stored CROSS JOIN (SELECT 0 AS own UNION ALL SELECT 1)`,
    `DROP TABLE stored`,
  ]
}

/** Moves the expiry of this number of rows into the past: every fifth of the oldest valid grants, with their tokens. */
export function expireRows(file: string, rows: number): void {
  const database = new Database(file, { timeout: 10_000 })
  const past = new Date(Date.now() - dayMs).toISOString().replace('Z', '+00:00')
  const ids = database
    .prepare(`SELECT "id" FROM "Grant" WHERE "expiresAt" > ? AND rowid % 5 = 0 ORDER BY rowid LIMIT ?`)
    .pluck()
    .all(past, rows / 4)
  const updates = ['Grant', 'RefreshToken', 'ReferenceToken'].map(table =>
    database.prepare(
      `UPDATE "${table}" SET "expiresAt" = ? WHERE "${table === 'Grant' ? 'id' : 'grantId'}" IN (SELECT value FROM json_each(?))`,
    ),
  )
  database.transaction(() => {
    for (const update of updates) update.run(past, JSON.stringify(ids))
  })()
  database.close()
}

/** The number of expired rows that are not deleted yet. */
export function countExpired(file: string): number {
  const database = new Database(file, { readonly: true })
  const now = new Date().toISOString().replace('Z', '+00:00')
  const counts = ['Grant', 'RefreshToken', 'ReferenceToken'].map(table =>
    Number(database.prepare(`SELECT count(*) FROM "${table}" WHERE "expiresAt" <= ?`).pluck().get(now)),
  )
  database.close()
  return counts.reduce((sum, count) => sum + count, 0)
}
