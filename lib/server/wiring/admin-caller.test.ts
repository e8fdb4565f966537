import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AdminTestPorts, openAdminTestPorts } from '#lib/admin/testing/admin-ports.ts'
import { isFresh } from '#lib/admin/use-case.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Grant } from '#lib/ports/grants.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import { sampleGrant, sampleReferenceToken } from '#lib/storage/testing/samples.ts'
import { adminCaller } from './admin-caller.ts'

let opened: AdminTestPorts
before(async () => {
  opened = await openAdminTestPorts()
})
after(() => opened.close())

const hour = 3_600_000

/** Determines the caller for a token of the client: its own, or one of a grant. */
async function callWith(clientId: string, grant: Grant | null, scope: string = adminScope) {
  const { ports } = opened
  const client = await opened.addClient({ client_id: clientId, scope: adminScope })
  const handle = ports.random.handle('accessToken')
  if (grant !== null) await ports.grants.open({ ...grant, clientId: client.clientId })
  await ports.tokens.store({
    grantId: null,
    referenceToken: sampleReferenceToken({
      digest: ports.hashing.tokenDigest(handle),
      clientId: client.clientId,
      grantId: grant?.id ?? null,
      subject: grant?.subject ?? null,
      claims: { scope },
      expiresAt: new Date(ports.clock.now().getTime() + hour),
    }),
  })
  return adminCaller(ports, `Bearer ${handle}`, context)
}

test('AD-04 the sign-in of the user decides whether an app that acts for them is recently authenticated', async () => {
  const { subject } = await opened.actor('owner')
  const now = opened.ports.clock.now()
  const expiresAt = new Date(now.getTime() + hour)
  for (const [minutesAgo, expected] of [
    [1, true],
    [6, false],
  ] as const) {
    const authenticatedAt = new Date(now.getTime() - minutesAgo * 60_000)
    const caller = await callWith('console', sampleGrant({ subject, authenticatedAt, expiresAt }))
    assert.ok(caller.kind === 'actor', JSON.stringify(caller))
    assert.equal(isFresh(caller.actor, now), expected)
  }
})

test('AD-01 a client whose ID cannot be a subject is not an administrator', async () => {
  const caller = await callWith('my machine', null)
  assert.ok(caller.kind === 'refused' && caller.isKnown)
})

test('AD-01 an owner’s token without the scope is refused', async () => {
  const { subject } = await opened.actor('owner')
  const now = opened.ports.clock.now()
  const facts = { subject, authenticatedAt: now, expiresAt: new Date(now.getTime() + hour) }
  for (const scope of ['openid', `${adminScope}.x`, '']) {
    const caller = await callWith('console', sampleGrant(facts), scope)
    assert.ok(caller.kind === 'refused' && caller.isKnown)
    assert.equal(caller.error, 'insufficient_scope')
    assert.equal(opened.events.at(-1)?.reason, 'admin_scope_missing')
  }
})
