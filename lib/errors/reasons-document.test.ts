/** docs/error-reasons.md is written from the tables: `UPDATE_DOCS=1 node --test lib/errors/reasons-document.test.ts`. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalog } from './catalog.ts'
import { isErrorReason, knownReason, reasonRow, reasons } from './reasons.ts'

const file = new URL('../../docs/error-reasons.md', import.meta.url)
const head = `# Reasons

Why requests are refused. A reason is shown in the dashboard, in events and in the log; clients get only its error code, which
[errors.md](errors.md) explains. A reason without a code is recorded in an event only. Generated from \`lib/errors/reasons.ts\`.

| reason | error code | cause | remedy |
|---|---|---|---|
`

function rowOf(name: string): string {
  const reason = knownReason(name)
  if (reason === null) return ''
  const { cause, remedy = '' } = reasonRow(reason)
  const code = isErrorReason(reason) ? `\`${reasons[reason].error}\`` : ''
  return `| \`${reason}\` | ${code} | ${cause} | ${remedy} |\n`
}

test('docs/error-reasons.md is generated from the table of reasons', () => {
  const document = `${head}${Object.keys(reasons).map(rowOf).join('')}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, document)
  assert.equal(readFileSync(file, 'utf8'), document, 'run this test with UPDATE_DOCS=1')
})

test('docs/errors.md names no reason that does not exist', () => {
  const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
  const known = new Set([...Object.keys(reasons), ...Object.keys(catalog)])
  const endings =
    /_(missing|unknown|expired|replayed|reused|revoked|inactive|not_allowed|\w+ed|queue_full|differs|client)$/
  const named = [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).filter(name => endings.test(name))
  assert.deepEqual(
    named.filter(name => !known.has(name)),
    [],
  )
})
