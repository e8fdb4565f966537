/** Tests the self-test: by the API and the command line, and that it leaves nothing behind. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import type { Api } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'
import { onTablesOf } from '../fixtures/server/stored-rows.ts'

let apis: Readonly<Record<'owner' | 'auditor', Api>>
const latchkey = sharedStaff(opened => {
  ;({ apis } = opened)
})

const resultsSchema = z.object({
  note: z.string(),
  results: z.array(
    z.object({ group: z.string(), check: z.string(), severity: z.string(), text: z.string() }),
  ),
})

const problemsIn = ({ results }: z.output<typeof resultsSchema>) =>
  results.filter(({ severity }) => severity !== 'good')

function command(...given: readonly string[]) {
  const parts = ['--import', './lib/server/read-environment-file.mjs', 'lib/server/cli/doctor-command.ts']
  return new Promise<{ readonly code: number; readonly output: string; readonly problem: string }>(done => {
    const options = { cwd: resolve(import.meta.dirname, '../..'), env: latchkey.server.environment }
    const child = execFile(process.execPath, [...parts, ...given], options, (_error, output, problem) =>
      done({ code: child.exitCode ?? -1, output, problem }),
    )
  })
}

test('the API runs the self-test, and everything is as it should be', async () => {
  const answer = await apis.owner.call('POST', '/status/self-test', { body: {} })
  assert.equal(answer.status, 200, answer.text)
  const run = resultsSchema.parse(answer.json())
  assert.deepEqual(problemsIn(run), [])
  assert.ok(run.results.length >= 40, `${run.results.length} results`)
  assert.match(run.note, /not a certification/)
})

test('the command line runs the self-test, and says that it is not a certification', async () => {
  const json = await command('--self-test', '--json')
  assert.deepEqual([json.code, json.problem], [0, ''], json.output)
  assert.deepEqual(problemsIn(resultsSchema.parse(JSON.parse(json.output))), [])
  const text = await command('--self-test')
  assert.match(text.output, /All is well\.\n.*not a certification/)
})

test('two self-tests at the same time are one and a refusal', async () => {
  const both = await Promise.all([
    apis.owner.call('POST', '/status/self-test', { body: {} }),
    apis.owner.call('POST', '/status/self-test', { body: {} }),
  ])
  const texts = both.map(({ text }) => text).join()
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400], texts)
  assert.match(texts, /A self-test is running/)
})

test('a self-test leaves no client, session, grant or token, and has an audit row', async () => {
  const answer = await apis.owner.call('POST', '/status/self-test', { body: {} })
  assert.equal(answer.status, 200)
  const [clients, sessions, grants] = await Promise.all(
    ['/clients?q=slf_', '/sessions?limit=100', '/access?limit=100'].map(path => apis.owner.call('GET', path)),
  )
  for (const listed of [clients, sessions, grants]) {
    assert.equal(listed?.status, 200, listed?.text)
    assert.doesNotMatch(String(listed?.text), /slf_|Self-test/)
  }
  const rows = await onTablesOf(latchkey.server, async tables => ({
    sessions: await tables.session.count({ where: { subject: { startsWith: 'slf_' } } }),
    live: await tables.grant.count({ where: { clientId: { startsWith: 'slf_' }, revokedAt: null } }),
    run: await tables.meta.findUnique({ where: { name: 'self-test' } }),
  }))
  assert.deepEqual([rows.sessions, rows.live], [0, 0])
  assert.match(rows.run?.value ?? '', /"until":0/)
  assert.doesNotMatch(rows.run?.value ?? '', /digest/)
  const changes = await apis.owner.call('GET', '/changes?target_kind=self_test')
  assert.match(changes.text, /status\.run_self_test/)
})
