import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrationOf } from './migration-files.ts'
import { newMigrationName, readMigrationName, releaseNumber } from './migration-names.ts'
import { concurrentIndexOf, expandProblem, kindOf, migrationProblems } from './migration-rules.ts'
import { separateIndexes } from './separate-indexes.ts'

test('UP-01 the name of a migration contains its release and its kind', () => {
  const name = newMigrationName('add-webhooks', 'expand', new Date('2026-12-03T10:15:00Z'))
  assert.equal(name, `20261203101500_r${releaseNumber}_expand_add_webhooks`)
  assert.deepEqual(readMigrationName(name), { release: releaseNumber, kind: 'expand' })
  assert.deepEqual(readMigrationName('20261203101500_r12_contract_x'), { release: 12, kind: 'contract' })
  const others = [
    '20261127134629_started_deletions',
    '20261203101500_r0_expand_x',
    '20261203101500_r1_grow_x',
  ]
  for (const other of [...others, 'x_r1_expand_x', '']) assert.equal(readMigrationName(other), null, other)
})

const later = 'CREATE TABLE "Later" ("id" TEXT NOT NULL PRIMARY KEY);'

/** `null`: expands on this product. */
const scripts = [
  { sql: '-- Nothing', sqlite: true, postgresql: true },
  { sql: later, sqlite: true, postgresql: true },
  { sql: 'ALTER TABLE "User" ADD COLUMN "x" DATETIME;', sqlite: true, postgresql: true },
  {
    sql: `ALTER TABLE "User" ADD COLUMN     "x" TEXT COLLATE "C" NOT NULL DEFAULT 'a;''b',\nADD COLUMN     "y" TIMESTAMP(3);`,
    sqlite: true,
    postgresql: true,
  },
  {
    sql: 'ALTER TABLE "User" ADD COLUMN "x" BOOLEAN NOT NULL DEFAULT false;',
    sqlite: true,
    postgresql: true,
  },
  { sql: 'ALTER TABLE "User" ADD COLUMN "x" TEXT NOT NULL;', sqlite: false, postgresql: false },
  { sql: 'ALTER TABLE "User" ADD COLUMN "x" TEXT, DROP COLUMN "y";', sqlite: false, postgresql: false },
  {
    sql: 'ALTER TABLE "User" ADD COLUMN "x" TEXT DEFAULT gen_random_uuid();',
    sqlite: false,
    postgresql: false,
  },
  { sql: 'ALTER TABLE "User" ADD COLUMN "x" TEXT UNIQUE;', sqlite: false, postgresql: false },
  { sql: 'ALTER TABLE "User" ADD COLUMN "x" TEXT REFERENCES "Client";', sqlite: false, postgresql: false },
  { sql: 'ALTER TABLE "User" RENAME COLUMN "x" TO "y";', sqlite: false, postgresql: false },
  { sql: 'ALTER TABLE "User" ALTER COLUMN "x" SET NOT NULL;', sqlite: false, postgresql: false },
  { sql: 'DROP TABLE "User";', sqlite: false, postgresql: false },
  { sql: 'DROP INDEX "User_x_idx";', sqlite: false, postgresql: false },
  { sql: 'UPDATE "User" SET "x" = 1;', sqlite: false, postgresql: false },
  { sql: `INSERT INTO "Meta" VALUES ('a', 'b');`, sqlite: false, postgresql: false },
  { sql: `${later} INSERT INTO "Later" VALUES ('a');`, sqlite: true, postgresql: true },
  { sql: `${later} CREATE UNIQUE INDEX "Later_idx" ON "Later"("id");`, sqlite: true, postgresql: true },
  { sql: 'CREATE INDEX "User_x_idx" ON "User"("x");', sqlite: true, postgresql: false },
  { sql: 'CREATE UNIQUE INDEX "User_x_key" ON "User"("x");', sqlite: false, postgresql: false },
  {
    sql: 'CREATE INDEX CONCURRENTLY IF NOT EXISTS "User_x_idx" ON "User"("x");',
    sqlite: false,
    postgresql: true,
  },
  {
    sql: `${later} CREATE INDEX CONCURRENTLY IF NOT EXISTS "User_x_idx" ON "User"("x");`,
    sqlite: false,
    postgresql: false,
  },
  {
    sql: `CREATE TABLE "A" ("u" TEXT, CONSTRAINT "f" FOREIGN KEY ("u") REFERENCES "User" ("subject") ON DELETE CASCADE ON UPDATE CASCADE);`,
    sqlite: true,
    postgresql: true,
  },
  {
    sql: 'CREATE TABLE "A" ("u" TEXT, CONSTRAINT "f" FOREIGN KEY ("u") REFERENCES "User" ("subject") ON DELETE RESTRICT);',
    sqlite: false,
    postgresql: false,
  },
  { sql: `-- DROP TABLE "User";\n${later} -- it's all`, sqlite: true, postgresql: true },
  { sql: `CREATE TABLE "A;DROP" ("id" TEXT); DROP TABLE "User";`, sqlite: false, postgresql: false },
] as const

test('UP-01 a migration expands if the release before works as before after each of its statements', () => {
  for (const { sql, ...expected } of scripts)
    for (const product of ['sqlite', 'postgresql'] as const)
      assert.equal(expandProblem(product, sql) === null, expected[product], `${product}: ${sql}`)
  assert.equal(kindOf({ sqlite: later, postgresql: later }), 'expand')
  assert.equal(kindOf({ sqlite: later, postgresql: 'DROP TABLE "User"' }), 'contract')
})

test('UP-01 the check refuses a new migration without a kind, of a wrong release, and an expansion that is not one', () => {
  const problems = (...migrations: readonly (readonly [string, string])[]) =>
    migrationProblems(
      'sqlite',
      migrations.map(([name, script]) => migrationOf(name, script)),
    )
  const drop = 'DROP TABLE "User"'
  assert.deepEqual(problems(['20261127134629_started_deletions', drop]), [])
  assert.deepEqual(problems(['20261203101500_r1_contract_x', drop]), [])
  assert.match(
    problems(['20261203101500_x', later]).join(),
    /20261203101500_x \(sqlite\): its name has no release/,
  )
  assert.match(problems(['20261203101500_r1_expand_x', drop]).join(), /cannot work with DROP TABLE "User"\.$/)
  const next = `20261203101500_r${releaseNumber + 1}_expand_x`
  assert.match(problems([next, later]).join(), /its release must be from/)
  const backwards = problems([next, later], ['20261203101501_r1_expand_x', later])
  assert.equal(backwards.length, 2)
})

test('UP-01 indexes of existing tables become migrations that PostgreSQL can run while others write', () => {
  const column = '-- AlterTable\nALTER TABLE "User" ADD COLUMN "x" TEXT;'
  const index = '-- CreateIndex\nCREATE INDEX "User_x_idx" ON "User"("x");'
  const script = `${column}\n\n${index}\n`
  const concurrent = index.replace('CREATE INDEX', 'CREATE INDEX CONCURRENTLY IF NOT EXISTS')
  const separated = separateIndexes({ sqlite: script, postgresql: script })
  assert.deepEqual(separated, [
    { sqlite: `${column}\n`, postgresql: `${column}\n` },
    { sqlite: `${index}\n`, postgresql: `${concurrent}\n` },
  ])
  assert.deepEqual(separated.map(kindOf), ['expand', 'expand'])
  assert.equal(concurrentIndexOf(`${concurrent}\n`), 'User_x_idx')
  const contract = { sqlite: `DROP TABLE "A";\n\n${index}`, postgresql: `DROP TABLE "A";\n\n${index}` }
  assert.deepEqual(separateIndexes(contract), [contract])
  const created = { sqlite: `${later}\n\n${index.replaceAll('User', 'Later')}\n`, postgresql: later }
  assert.equal(separateIndexes(created).length, 1)
})
