/** docs/errors.md is written from the catalog: `UPDATE_DOCS=1 node --test lib/errors/*.test.ts`. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { type CatalogRow, catalogSections } from './catalog.ts'

const file = new URL('../../docs/errors.md', import.meta.url)
const head = `# Errors

Every refusal has an error code. A client receives it as JSON (\`error\`, \`error_description\`) or at its redirect URI; a user sees an
error page. Every response has a request ID in the header \`X-Reference-Id\`. Error pages show it, and the log contains it together with
the \`reason\`, which names the exact rule that failed. For security, responses contain only the code; look up the reason in the
dashboard under Events, by the request ID, or in the log:

\`\`\`sh
npm start | grep JNTM-DVKH   # the request ID
\`\`\`

The dashboard shows what was sent, which check failed, and how to fix it. This page explains the codes and their common
reasons; [error-reasons.md](error-reasons.md) lists all reasons.
`

/** Below the heading of a section. */
const notes: Partial<Record<string, string>> = {
  'Errors for the user':
    'The server redirects only after it has verified that the redirect URI belongs to the client.',
}

function section([title, rows]: [string, Readonly<Record<string, CatalogRow>>]): string {
  const note = notes[title] === undefined ? '' : `\n${notes[title]}\n`
  return `\n## ${title}\n${note}${Object.entries(rows).map(paragraph).join('')}`
}

function paragraph([code, { status, jsonStatus, explanation }]: [string, CatalogRow]): string {
  const other = jsonStatus === undefined ? '' : `, at the token endpoint ${jsonStatus}`
  return `\n### \`${code}\`${status === 400 ? '' : ` (${status}${other})`}\n${explanation}\n`
}

test('docs/errors.md is generated from the catalog of error codes', () => {
  const document = `${head}${Object.entries(catalogSections).map(section).join('')}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, document)
  assert.equal(readFileSync(file, 'utf8'), document, 'run this test with UPDATE_DOCS=1')
})
