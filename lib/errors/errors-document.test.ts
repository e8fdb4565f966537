/** Checks that docs/errors.md matches the tables. `npm run docs:write` writes it. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { type CatalogRow, catalog, catalogSections, statusRemark } from './catalog.ts'
import { type ReasonRow, reasons } from './reasons.ts'

const file = new URL('../../docs/errors.md', import.meta.url)
const head = `# Errors

Every refusal has an error code. A client receives it as JSON (\`error\`, \`error_description\`) or at its redirect URI; a user sees an
error page. Every response has a request ID in the header \`X-Reference-Id\`. Error pages show it, and the log contains it together with
the \`reason\`, which names the exact rule that failed.

\`error_description\` says what is wrong, unless that would help an attacker: it does not say whether a client or its secret is wrong, or a
user or the password. Look up the reason in the dashboard under Events, by the request ID, or in the log of the server:

\`\`\`sh
journalctl -u latchkey | grep JNTM-DVKH   # with systemd; otherwise search the output of npm start
\`\`\`

The dashboard shows what was sent, which check failed, and how to fix it. This page lists the codes with all their
reasons. \`npm run docs:write\` generates it from \`lib/errors/catalog.ts\` and \`lib/errors/reasons.ts\`.
`

function section({ title, codes, note }: (typeof catalogSections)[number]): string {
  const lead = note === undefined ? '' : `\n${note}\n`
  return `\n## ${title}\n${lead}${Object.entries(codes).map(code).join('')}`
}

function code([name, row]: [string, CatalogRow]): string {
  return `\n### \`${name}\`${statusRemark(row)}\n${row.explanation}\n${reasonTable(name)}`
}

/** Returns the table of the reasons with this code; with `undefined`, of those that are only recorded in an event. */
function reasonTable(name: string | undefined): string {
  const rows = Object.entries<ReasonRow>(reasons).filter(([, { error }]) => error === name)
  const lines = rows.map(([reason, { cause, remedy = '' }]) => `| \`${reason}\` | ${cause} | ${remedy} |\n`)
  return lines.length === 0 ? '' : `\n| reason | cause | remedy |\n|---|---|---|\n${lines.join('')}`
}

test('docs/errors.md is generated from the tables of error codes and of reasons', () => {
  const events = `\n## Reasons without an error code\n\nThey are recorded in an event only.\n${reasonTable(undefined)}`
  const document = `${head}${catalogSections.map(section).join('')}${events}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, document)
  assert.equal(readFileSync(file, 'utf8'), document, 'run npm run docs:write')
})

test('the explanation of an error code has no links: the help page shows only its code', () => {
  for (const [name, { explanation }] of Object.entries(catalog))
    assert.doesNotMatch(explanation, /\]\(/, name)
})

test('the explanation of an error code names no reason that does not exist', () => {
  const text = Object.values(catalog)
    .map(({ explanation }) => explanation)
    .join('\n')
  const known = new Set([...Object.keys(reasons), ...Object.keys(catalog)])
  const endings =
    /_(missing|unknown|expired|replayed|reused|revoked|inactive|not_allowed|\w+ed|queue_full|differs|client)$/
  const named = [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).filter(name => endings.test(name))
  assert.deepEqual(
    named.filter(name => !known.has(name)),
    [],
  )
})
