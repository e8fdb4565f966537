/** Tests the status page and its API: the checks of the doctor on the server, for the roles that may see them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Api, Staff } from '../fixtures/dashboard/administrators-by-role.ts'
import { sharedStaff } from '../fixtures/dashboard/shared-administrators.ts'

let all: Staff
let apis: Readonly<Record<keyof Staff, Api>>
sharedStaff(opened => {
  ;({ all, apis } = opened)
})

const runSchema = z.object({
  at: z.string(),
  findings: z.array(
    z.object({ group: z.string(), check: z.string(), severity: z.string(), text: z.string() }),
  ),
})

test('DO-08 the API returns the status to every role', async () => {
  const answer = await apis.user_support.call('GET', '/status')
  const status = z
    .looseObject({ release: z.string(), database: z.looseObject({ kind: z.string(), bytes: z.number() }) })
    .parse(answer.json())
  assert.match(status.release, /^\d+\.\d+\.\d+/)
  assert.ok(status.database.bytes > 0)
})

test('the checks run on the server, and their findings are stored for the page and the API', async () => {
  const ran = await apis.auditor.call('POST', '/status/checks', { body: {} })
  assert.equal(ran.status, 200, ran.text)
  const run = runSchema.parse(ran.json())
  assert.deepEqual(
    [...new Set(run.findings.map(({ group }) => group))],
    ['settings', 'database', 'keys', 'tasks', 'server', 'address'],
  )
  assert.deepEqual(
    run.findings.filter(({ severity }) => severity !== 'good'),
    [],
  )
  const listed = await apis.owner.call('GET', '/status/checks')
  assert.deepEqual(runSchema.parse(Object(listed.json()).last_run), run)
  const page = await all.auditor.get('/admin/status')
  assert.match(page.text, /All is well: \d+ checks found no problem/)
})

test('two runs at the same time are one run and a refusal', async () => {
  const both = await Promise.all(
    ['owner', 'auditor'].map(role =>
      apis[role as 'owner' | 'auditor'].call('POST', '/status/checks', { body: {} }),
    ),
  )
  const statuses = both.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [200, 400], both.map(({ text }) => text).join())
  assert.match(both.map(({ text }) => text).join(), /The checks are running/)
})

test('roles that may not run the checks do not see the weaknesses that they list', async () => {
  assert.match((await all.auditor.get('/admin/status')).text, /Public address/)
  const { text, status } = await all.user_support.get('/admin/status')
  assert.equal(status, 200)
  assert.match(text, /Housekeeping/)
  assert.doesNotMatch(text, /Public address|Run again/)
})
