import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Ports } from '#lib/ports/ports.ts'
import type { SignInToCheck } from '#lib/ports/sign-in-steps.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { openTestPorts, type TestPorts, withPolicies } from '../testing/ports.ts'
import { testClient } from '../testing/registrations.ts'
import { requiresSecondFactor } from './second-factor-policy.ts'

let t: TestPorts
before(async () => {
  t = await openTestPorts()
  await t.addUser('alice', { claims: { role: ['staff', 'admin'], groups: 'finance' } })
  await t.addUser('bob', { claims: {} })
})
after(() => t.close())

function signIn(subject: string, client: SignInToCheck['hints']['client'] = testClient()) {
  const at = t.ports.clock.now()
  const factor = { methods: ['pwd'], at, credential: { kind: 'password', hash: null } } as const
  const proven = {
    ...{ subject: subjectIdSchema.parse(subject), idp: 'latchkey', factors: [factor] as const },
    userService: { kind: 'accepted', name: subject, acr: null },
    ...{ authenticatedAt: null, provider: null, returnedFrom: {} },
  } as const
  return { proven, hints: { client, tenant: null, acrValues: [] } }
}

function withPolicy(text: string, service: Partial<Ports['userService']> = {}): Ports {
  const policies = withPolicies({ second_factor_required_for: text === '' ? [] : text.split(',') })
  return { ...t.ports, policies, userService: { ...t.ports.userService, ...service } }
}

const rows = [
  ['', 'alice', false],
  ['everyone', 'bob', true],
  ['role=admin', 'alice', true],
  ['groups=finance', 'alice', true],
  ['role=other,groups=finance', 'alice', true],
  ['role=finance', 'alice', false],
  ['role=staff', 'bob', false],
] as const
for (const [policy, user, isRequired] of rows) {
  test(`MF-06 with the policy ${policy}, ${user} ${isRequired ? 'needs' : 'does not need'} a second factor`, async () => {
    assert.equal(await requiresSecondFactor(withPolicy(policy), signIn(user)), isRequired)
  })
}

test('MF-06 a custom user service is asked for the claims of its users', async () => {
  const asked: string[] = []
  const service: Partial<Ports['userService']> = {
    profile: async ({ caller, claims }) => {
      asked.push(`${caller} ${claims.join(' ')}`)
      return { role: 'staff' }
    },
  }
  assert.equal(await requiresSecondFactor(withPolicy('role=staff', service), signIn('elsewhere')), true)
  assert.equal(await requiresSecondFactor(withPolicy('role=other', service), signIn('elsewhere')), false)
  assert.deepEqual(asked, ['second_factor_policy role', 'second_factor_policy role'])
})

test('MF-06 a user of another store without a client needs a second factor with any list', async () => {
  assert.equal(await requiresSecondFactor(withPolicy('role=other'), signIn('elsewhere', null)), true)
})
