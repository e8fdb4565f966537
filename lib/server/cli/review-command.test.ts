/** Tests `npm run config:review` as a script runs it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const root = join(import.meta.dirname, '../../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const [, ...script] = String(scripts['config:review']).split(' ')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-review-'))
after(() => rmSync(folder, { recursive: true }))

const client = {
  client_id: 'web',
  client_secret: 'a secret of some length',
  redirect_uris: ['https://a.example/cb'],
}

function fileWith(name: string, document: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document))
  return path
}

const good = fileWith('good.json', { clients: [client] })
const warned = fileWith('warned.json', { clients: [{ ...client, pkce: 'optional' }] })
const wrong = fileWith('wrong.json', { clients: [{ ...client, shade: 'red' }] })

type Ended = { readonly code: number; readonly output: string; readonly problem: string }

function review(given: readonly string[], configFile = ''): Promise<Ended> {
  const env = { ...process.env, MASTER_KEY: '', ISSUER: 'https://login.example', LATCHKEY_CONFIG: configFile }
  return new Promise(done => {
    const child = execFile(
      process.execPath,
      [...script, ...given],
      { cwd: root, env },
      (_error, output, problem) => done({ code: child.exitCode ?? -1, output, problem }),
    )
  })
}

test('a file without findings ends with 0', async () => {
  const { code, output } = await review([good])
  assert.deepEqual([code, output], [0, '0 findings.\n'])
})

test('the file of LATCHKEY_CONFIG is read, and a warning ends with 3, with its problem, fix and source', async () => {
  const { code, output } = await review([], warned)
  assert.equal(code, 3)
  assert.match(
    output,
    /^warning {2}client web: .*PKCE.*\n {9}Set pkce to .* \(optional_pkce, RFC 9700 2\.1\.1\)\n1 finding\.\n$/,
  )
})

test('a warning ends with 0 if only errors fail', async () => {
  assert.equal((await review([warned, '--fail-on', 'error'])).code, 0)
})

test('JSON has the findings and the accepted ones', async () => {
  const accepted_findings = [{ rule: 'optional_pkce', id: 'web', reason: 'An old app.' }]
  const file = fileWith('accepted.json', { clients: [{ ...client, pkce: 'optional' }], accepted_findings })
  const { code, output } = await review([file, '--json'])
  const { findings, accepted } = JSON.parse(output)
  assert.deepEqual([code, findings.length, accepted[0].reason], [0, 0, 'An old app.'])
})

for (const [title, given, expected] of [
  ['a wrong file', [wrong], /shade/],
  ['a missing file', [join(folder, 'none.json')], /there is no such file/],
  ['no file', [], /Name a file, or set LATCHKEY_CONFIG/],
  ['an unknown severity', [good, '--fail-on', 'all'], /Usage/],
  ['two files', [good, warned], /Usage/],
] as const)
  test(`${title} ends with 2 and a sentence`, async () => {
    const { code, problem } = await review(given)
    assert.equal(code, 2)
    assert.match(problem, expected)
  })
