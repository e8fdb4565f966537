import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type AuthorizeCheck, authorizeChecks, type CheckResult } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context, openTestPorts, type TestPorts } from '../testing/ports.ts'
import { validParameters } from '../testing/validation-input.ts'
import { authorize } from './authorize.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addClient()
  await t.addClient({ client_id: 'switched-off', enabled: false })
  await t.addClient({ client_id: 'implicit', grant_types: ['implicit'], response_types: ['id_token'] })
})
after(() => t.close())

type Parameters = Readonly<Record<string, string>>

/**
 * A request for each check, which fails it; `parameters_well_formed` fails because of `repeated`. The first check, which only an
 * unreadable query fails, and the limit, which comes last, are left out.
 */
const breaks: Readonly<
  Record<Exclude<AuthorizeCheck, 'request_read' | 'rate_limit_not_exceeded'>, Parameters>
> = {
  client_known: { client_id: 'unregistered' },
  client_enabled: { client_id: 'switched-off' },
  redirect_uri_registered: { redirect_uri: 'https://app.example/callback/' },
  parameters_well_formed: {},
  features_supported: { request: 'eyJ' },
  response_type_known: { response_type: 'nonsense' },
  response_type_allowed: { client_id: 'implicit' },
  response_mode_allowed: { response_mode: 'nonsense' },
  scopes_allowed: { scope: 'openid nonsense' },
  scopes_fit_response_type: { scope: 'profile' },
  code_challenge_valid: { code_challenge: 'short' },
  nonce_present: { response_type: 'id_token', scope: 'openid' },
  prompt_valid: { prompt: 'nonsense' },
  max_age_valid: { max_age: 'x' },
  user_may_continue: { prompt: 'none' },
}

const entries = authorizeChecks.flatMap(name =>
  name === 'request_read' || name === 'rate_limit_not_exceeded' ? [] : [[name, breaks[name]] as const],
)

/**
 * The checks whose requests cannot be combined with the others: the request that needs a nonce has a response type
 * without a code, to which a code challenge does not apply.
 */
const apart: ReadonlySet<string> = new Set(['nonce_present'])

const repeated = new OauthError('parameter_repeated', {
  description: 'The parameter nonce is given more than once.',
})

async function checksOf(
  parameters: Parameters,
  fault: OauthError | null = null,
): Promise<readonly CheckResult[]> {
  const browser = t.ports.random.handle('browser')
  const asked = {
    parameters: parametersFrom({ ...validParameters, ...parameters }),
    fault,
    session: null,
    browser,
  }
  await authorize(t.ports, asked, context)
  return t.events.at(-1)?.checks ?? []
}

describe('the recorded order of checks is the order in which the code runs them', () => {
  for (const [position, [name, own]] of entries.entries()) {
    test(`${name} is reported before the checks that follow it`, async () => {
      const later = entries.slice(position + 1)
      const wrong = later.filter(([other]) => !apart.has(other)).map(([, parameters]) => parameters)
      const isWhole = authorizeChecks.indexOf(name) > authorizeChecks.indexOf('parameters_well_formed')
      const checks = await checksOf(Object.assign({}, ...wrong.toReversed(), own), isWhole ? null : repeated)
      assert.deepEqual(
        checks.map(({ check }) => check),
        authorizeChecks,
      )
      const failed = authorizeChecks.indexOf(name)
      const expected = authorizeChecks.map((_check, index) =>
        index === failed ? 'failed' : index < failed ? 'passed' : 'not_reached',
      )
      assert.deepEqual(
        checks.map(({ result }) => result),
        expected,
      )
    })
  }
})

test('each check has its time since the beginning of the request, in ascending order', async () => {
  const checks = await checksOf(breaks.max_age_valid)
  const times = checks.filter(({ result }) => result !== 'not_reached').map(({ atMs }) => atMs ?? -1)
  assert.ok(times.every(time => time >= 0))
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  )
  assert.ok(checks.filter(({ result }) => result === 'not_reached').every(({ atMs }) => atMs === null))
})

describe('the failed check records the sent and the expected values', () => {
  const redirect = 'https://app.example/callback'
  const rows: ReadonlyArray<readonly [Parameters, string | undefined, readonly string[] | undefined]> = [
    [{ client_id: 'unregistered' }, 'unregistered', undefined],
    [{ redirect_uri: `${redirect}/` }, `${redirect}/`, [redirect]],
    [{ redirect_uri: `${redirect}?session=1#x` }, `${redirect}?session=…#…`, [redirect]],
    [{ redirect_uri: '' }, undefined, [redirect]],
    [{ client_id: 'implicit' }, 'code', ['id_token']],
    [{ response_mode: 'nonsense' }, 'nonsense', ['query', 'fragment', 'form_post']],
    [{ prompt: 'later' }, 'later', ['none', 'login', 'consent', 'select_account', 'create']],
    [
      { nonce: 'n', code_challenge: 'not a real secret' },
      '17 characters',
      ['43 to 128 unreserved characters'],
    ],
  ]
  for (const [parameters, sent, expected] of rows) {
    test(`a request with ${JSON.stringify(parameters)} records the sent value`, async () => {
      const failed = (await checksOf(parameters)).find(({ result }) => result === 'failed')
      assert.deepEqual([failed?.sent, failed?.expected], [sent, expected])
    })
  }
  test('a refused scope is recorded by name', async () => {
    const failed = (await checksOf({ scope: 'openid nonsense' })).find(({ result }) => result === 'failed')
    assert.equal(failed?.sent, 'nonsense')
    assert.ok(failed?.expected?.includes('profile'))
  })
})

test('the event of a disabled client names the reason', async () => {
  await checksOf({ client_id: 'switched-off' })
  assert.equal(t.events.at(-1)?.reason, 'client_disabled')
})
