/** Tests token requests during the revocation of their grant. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { ClientMetadata } from '#lib/protocol/registration/client.ts'
import { context } from '../testing/ports.ts'
import {
  issued,
  openTestFlow,
  readTokens,
  redemption,
  refreshing,
  refusedCode,
  secret,
  type TestFlow,
} from '../testing/token-flow.ts'
import type { TokenOutcome } from '../token/token.ts'
import { userinfo } from '../userinfo/userinfo.ts'
import { readAccessToken } from '../validation/read-access-token.ts'

const rounds = 10

let flow: TestFlow
before(async () => {
  flow = await openTestFlow()
})
after(() => flow.close())

async function revokeAll(): Promise<void> {
  const subject = subjectIdSchema.parse('alice')
  await flow.ports.grants.revoke({ subject }, flow.ports.clock.now())
}

/** Sends half of the requests before a revocation begins and half after it, without waiting for it to end. */
async function duringRevocation(
  asks: ReadonlyArray<() => Promise<TokenOutcome>>,
): Promise<readonly TokenOutcome[]> {
  const half = Math.ceil(asks.length / 2)
  const earlier = asks.slice(0, half).map(ask => ask())
  const revoked = revokeAll()
  const late = asks.slice(half).map(ask => ask())
  await revoked
  const outcomes = await Promise.all([...earlier, ...late])
  // Codes of revoked grants count toward the limit of live codes until they expire
  flow.advance(60)
  return outcomes
}

async function assertDead(outcome: TokenOutcome): Promise<void> {
  if (outcome.kind === 'refused') return
  const { access, refresh } = readTokens(issued(outcome))
  assert.equal(await readAccessToken(flow.ports, access), null)
  const asked = await userinfo(flow.ports, { authorization: `Bearer ${access}`, bodyToken: null }, context)
  assert.equal(asked.kind, 'refused')
  assert.equal((await flow.ask(refreshing(refresh), 'racing')).kind, 'refused')
}

const kinds: ReadonlyArray<Partial<ClientMetadata>> = [
  { access_token_type: 'jwt' },
  { access_token_type: 'reference' },
  { access_token_type: 'jwt', refresh_token_usage: 'reuse' },
]
for (const kind of kinds) {
  describe(`RT-08 during a revocation, ${Object.values(kind).join(' ')}`, () => {
    const racing = () => flow.addClient({ client_id: 'racing', ...kind }, secret)

    test('CD-14 codes that are redeemed give nothing usable', async () => {
      const client = await racing()
      for (let round = 0; round < rounds; round += 1) {
        const codes = await Promise.all(Array.from({ length: 6 }, () => flow.issueCode({ client })))
        const outcomes = await duringRevocation(codes.map(code => () => flow.ask(redemption(code), 'racing')))
        for (const outcome of outcomes) await assertDead(outcome)
      }
    })

    test('RT-05 refresh tokens that are used give nothing usable', async () => {
      const client = await racing()
      for (let round = 0; round < rounds; round += 1) {
        const families = await Promise.all(Array.from({ length: 6 }, () => flow.tokens({ client })))
        const uses = families.map(
          ({ refresh }) =>
            () =>
              flow.ask(refreshing(refresh), 'racing'),
        )
        for (const outcome of await duringRevocation(uses)) await assertDead(outcome)
      }
    })
  })
}

describe('a grant that is revoked while its tokens are made', () => {
  const whileRevoking = async (ask: () => Promise<TokenOutcome>): Promise<TokenOutcome> => {
    const { codes, refreshTokens, tokens } = flow.ports
    Object.assign(flow.ports, {
      codes: { ...codes, redeem: afterRevoking(codes.redeem) },
      refreshTokens: { ...refreshTokens, rotate: afterRevoking(refreshTokens.rotate) },
      tokens: { store: afterRevoking(tokens.store) },
    })
    return ask().finally(() => Object.assign(flow.ports, { codes, refreshTokens, tokens }))
  }
  const afterRevoking =
    <Given extends unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await revokeAll()
      return write(...given)
    }
  const assertRevoked = (outcome: TokenOutcome) => {
    assert.equal(refusedCode(outcome), 'invalid_grant')
    assert.equal(flow.events.at(-1)?.reason, 'grant_revoked')
  }

  test('CD-14 a code gives no tokens, and is not a replay', async () => {
    const code = await flow.issueCode()
    assertRevoked(await whileRevoking(() => flow.ask(redemption(code))))
    assertRevoked(await flow.ask(redemption(code)))
  })
  for (const usage of ['one_time', 'reuse'] as const) {
    test(`RT-05 a refresh token gives no tokens: ${usage}`, async () => {
      const client = await flow.addClient(
        { client_id: 'racing', access_token_type: 'reference', refresh_token_usage: usage },
        secret,
      )
      const { refresh } = await flow.tokens({ client })
      assertRevoked(await whileRevoking(() => flow.ask(refreshing(refresh), 'racing')))
    })
  }
})
