import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { codeRedemptionAttempts, rateLimits } from '#lib/config/limits.ts'
import { callerChecks, type RequestCheck } from '#lib/errors/checks.ts'
import { reasonRow, reasons } from '#lib/errors/reasons.ts'
import type { RegisteredClient } from '#lib/ports/clients.ts'
import type { CustomGrant } from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import {
  type ClientId,
  clientIdSchema,
  type GrantId,
  type SubjectId,
  subjectIdSchema,
} from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import { context } from '../testing/ports.ts'
import { openTestFlow, redemption, refreshing, secret, type TestFlow } from '../testing/token-flow.ts'
import { answerTokenRequest } from './token.ts'

/** A request that would succeed, and that a `Break` can change. */
type Attempt = {
  parameters: Record<string, string>
  authorization: string | null
  readonly address: string
  readonly subject: SubjectId
  readonly grantId: GrantId | null
  readonly code: string
}

/**
 * A change that makes a check fail. `early` runs first and needs the original request; `late` runs last and may change
 * the request, the stored data or the clock.
 */
type Break = {
  readonly early?: (attempt: Attempt) => Promise<unknown>
  readonly late?: (attempt: Attempt) => unknown
}

const asleep = new Set<string>()
const required = new Set<'urn:latchkey:mfa'>()
const custom: CustomGrant = {
  grantType: 'urn:example:test',
  validate: async ({ parameters }) =>
    parameters.one('refuse') === 'yes'
      ? { kind: 'refused', description: null }
      : {
          kind: 'granted',
          subject: parameters.one('own') === 'yes' ? null : subjectIdSchema.parse(parameters.one('subject')),
          amr: ['test'],
        },
}

let flow: TestFlow
let ports: Ports
before(async () => {
  flow = await openTestFlow({ customGrants: [custom] })
  const { userService } = flow.ports
  ports = {
    ...flow.ports,
    clients: { ...flow.ports.clients, find: findAlsoPublic },
    userService: { ...userService, isActive: async it => !asleep.has(it) },
  }
  const everything = ['client_credentials', 'password', custom.grantType]
  const legacy = { grant_types: everything, response_types: [], redirect_uris: [] }
  await flow.addClient({ ...legacy, client_id: 'legacy' }, secret)
  await flow.addClient({ ...legacy, client_id: 'closed', enable_local_login: false }, secret)
  await flow.addClient({ ...legacy, client_id: 'without-grants', grant_types: ['x'] }, secret)
})
after(() => flow.close())

const as = (clientId: string): Break => ({
  late: ({ parameters }) => Object.assign(parameters, { client_id: clientId, client_secret: secret }),
})
const sending = (changes: Record<string, string>): Break => ({
  late: ({ parameters }) => Object.assign(parameters, changes),
})
const without = (name: string): Break => ({ late: ({ parameters }) => delete parameters[name] })
const adding = (scope: string): Break => ({
  late: ({ parameters }) => Object.assign(parameters, { scope: `${parameters.scope ?? ''} ${scope}` }),
})
const falling: Break = { late: ({ subject }) => asleep.add(subject).add('alice') }
/** Makes every client require two factors. */
const raising: Break = { late: () => required.add('urn:latchkey:mfa') }
const revoking: Break = {
  late: ({ grantId }) => grantId !== null && ports.grants.revoke({ id: grantId }, ports.clock.now()),
}
/** Extends the grant and moves the clock, so that only its tokens are too old. */
const waiting: Break = {
  late: async ({ grantId }) => {
    await ports.tokens.store({ grantId, grantExpiresAt: new Date('2099-01-01') })
    flow.advance(3_000_000)
  },
}
const publicly: Break = {
  late: ({ parameters }) => {
    delete parameters.client_secret
    parameters.client_id = 'public'
  },
}

/** Finds a client. `public` cannot be registered; it makes a check fail that otherwise never does. */
async function findAlsoPublic(id: ClientId): Promise<RegisteredClient | null> {
  if (id !== 'public') return withRequiredLevel(await flow.ports.clients.find(id))
  const legacy = await flow.ports.clients.find(clientIdSchema.parse('legacy'))
  return legacy && { ...legacy, client: { ...legacy.client, tokenEndpointAuthMethod: 'none' } }
}

function withRequiredLevel(found: RegisteredClient | null): RegisteredClient | null {
  const [requireAcr = null] = required
  return found && { ...found, client: { ...found.client, requireAcr } }
}

const digestOf = ({ code }: Attempt) => ports.hashing.digest(code)

async function tryOften(attempt: Attempt): Promise<void> {
  const most = rateLimits.account.limit + 1
  for (let count = 0; count < most; count += 1)
    await ask({ ...attempt, parameters: { ...attempt.parameters, password: 'wrong' } })
}

async function useTwice(attempt: Attempt): Promise<void> {
  await ask(attempt)
  await ask(attempt)
  flow.advance(60)
}

const callerBreaks: Readonly<Record<(typeof callerChecks)[number], Break>> = {
  request_read: {
    late: attempt => Object.assign(attempt, { authorization: `Basic ${btoa(`web:${secret}`)}` }),
  },
  client_authenticated: sending({ client_secret: 'wrong' }),
  grant_type_known: sending({ grant_type: 'nonsense' }),
  grant_type_allowed: as('without-grants'),
}

const grants = ['authorization_code', 'refresh_token', 'client_credentials', 'password', 'custom'] as const
type GrantName = (typeof grants)[number]

/** The checks of each grant in their order, and a change that makes each fail. */
const grantBreaks: Readonly<Record<GrantName, Readonly<Partial<Record<RequestCheck, Break>>>>> = {
  authorization_code: {
    parameters_present: without('redirect_uri'),
    code_known: sending({ code: 'code_unknown' }),
    code_attempts_not_exceeded: {
      early: async attempt => {
        for (let count = 0; count < codeRedemptionAttempts; count += 1)
          await ports.codes.countFailure(digestOf(attempt))
      },
    },
    code_redirect_uri_matches: sending({ redirect_uri: 'https://app.example/other' }),
    code_verifier_correct: sending({ code_verifier: 'x'.repeat(43) }),
    code_unused: {
      late: attempt => ports.codes.redeem(digestOf(attempt), { grantId: null }, ports.clock.now()),
    },
    code_not_expired: waiting,
    grant_live: revoking,
    user_active: falling,
    level_reached: raising,
  },
  refresh_token: {
    parameters_present: without('refresh_token'),
    refresh_token_known: sending({ refresh_token: 'rt_unknown' }),
    grant_live: revoking,
    refresh_token_unused: { early: useTwice },
    user_active: falling,
    level_reached: raising,
    scopes_still_allowed: adding('api.write'),
    refresh_token_not_expired: waiting,
  },
  client_credentials: {
    client_is_confidential: publicly,
    scopes_allowed: adding('nonsense'),
    scopes_fit_grant: adding('openid'),
  },
  password: {
    parameters_present: without('password'),
    client_is_confidential: publicly,
    password_sign_in_allowed: as('closed'),
    scopes_allowed: adding('nonsense'),
    parameters_well_formed: sending({ acr_values: 'tenant:a\u0007b' }),
    rate_limit_not_exceeded: { early: tryOften },
    credentials_correct: sending({ password: 'wrong' }),
    user_active: falling,
  },
  custom: {
    scopes_allowed: adding('nonsense'),
    extension_accepted: sending({ refuse: 'yes' }),
    scopes_fit_grant: sending({ own: 'yes', scope: 'openid' }),
    user_active: falling,
    level_reached: raising,
  },
}

/**
 * The checks that are not made to fail together with the check of this name. The limit of attempts does not apply to a
 * used code.
 */
const apart: Readonly<Record<string, readonly string[]>> = {
  code_attempts_not_exceeded: ['code_unused'],
}

let attempts = 0
async function newAttempt(grant: GrantName): Promise<Attempt> {
  attempts += 1
  const address = `192.0.2.${attempts}`
  const name = `user-${attempts}`
  const { subject } = await flow.addUser(name, { password: 'a long enough password' })
  const legacy = { client_id: 'legacy', client_secret: secret, scope: 'api' }
  const plain = { authorization: null, address, subject, grantId: null, code: '' }
  asleep.clear()
  required.clear()
  if (grant === 'client_credentials') return { ...plain, parameters: { ...legacy, grant_type: grant } }
  if (grant === 'custom')
    return { ...plain, parameters: { ...legacy, grant_type: custom.grantType, subject: name } }
  if (grant === 'password') {
    const credentials = { username: name, password: 'a long enough password' }
    return { ...plain, parameters: { ...legacy, ...credentials, grant_type: grant } }
  }
  const id = ports.random.grantId()
  const facts = { grant: { id } }
  const web = { client_id: 'web', client_secret: secret }
  if (grant === 'refresh_token') {
    const { refresh } = await flow.tokens(facts)
    return { ...plain, grantId: id, parameters: { ...web, ...refreshing(refresh) } }
  }
  const code = await flow.issueCode(facts)
  return { ...plain, grantId: id, code, parameters: { ...web, ...redemption(code) } }
}

async function ask({ parameters, authorization, address }: Attempt) {
  return answerTokenRequest(
    ports,
    { parameters: parametersFrom({ ...parameters }), authorization },
    { ...context, address },
  )
}

/** Sends a request in which all these checks would fail, and returns the event of its refusal. */
async function refusedAt(grant: GrantName, broken: readonly (readonly [string, Break])[]) {
  const attempt = await newAttempt(grant)
  const [first = ''] = broken[0] ?? []
  const wrong = broken.filter(([name]) => !(apart[first] ?? []).includes(name)).map(([, it]) => it)
  for (const it of wrong) await it.early?.(attempt)
  for (const it of wrong.toReversed()) await it.late?.(attempt)
  await ask(attempt)
  return flow.events.findLast(({ name }) => name === 'token_refused')
}

describe('the recorded order of checks is the order in which the code runs them', () => {
  for (const grant of grants) {
    const breaks = Object.entries<Break>({ ...callerBreaks, ...grantBreaks[grant] })
    const names = breaks.map(([name]) => name)
    for (const [position, [name]] of breaks.entries()) {
      test(`${grant}: ${name} is reported before the checks that follow it`, async () => {
        const { checks = [], reason } = (await refusedAt(grant, breaks.slice(position))) ?? {}
        assert.equal(checks.find(({ result }) => result === 'failed')?.check, name)
        assert.ok(reason !== undefined && reasonRow(reason).check === name, reason)
        const results = checks.map(({ result }) => result)
        const failed = results.indexOf('failed')
        assert.ok(results.slice(0, failed).every(result => result === 'passed'))
        assert.ok(results.slice(failed + 1).every(result => result === 'not_reached'))
        assert.deepEqual(
          checks.slice(0, failed).map(it => it.check),
          names.slice(0, failed),
        )
      })
    }
  }
})

test('every reason of invalid_grant, invalid_client and unsupported_grant_type belongs to a check', () => {
  const codes: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unsupported_grant_type'])
  const known: ReadonlySet<string> = new Set([
    ...callerChecks,
    'scopes_still_allowed',
    ...Object.values(grantBreaks).flatMap(breaks => Object.keys(breaks)),
  ])
  for (const [reason, row] of Object.entries(reasons)) {
    if ('error' in row && codes.has(row.error)) assert.ok('check' in row && known.has(row.check), reason)
  }
})

test('the failed check records the sent and the expected values', async () => {
  const code = await flow.issueCode()
  await flow.ask(redemption(code, { redirect_uri: 'https://app.example/callback/?session=1' }))
  const refused = flow.events.findLast(({ name }) => name === 'token_refused')
  const failed = refused?.checks?.find(({ result }) => result === 'failed')
  assert.equal(failed?.sent, 'https://app.example/callback/?session=…')
  assert.deepEqual(failed?.expected, ['https://app.example/callback'])
})
