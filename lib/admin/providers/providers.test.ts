import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { adminSession } from '#lib/config/limits.ts'
import { adminRoles } from '#lib/protocol/admin-role.ts'
import { clientIdSchema, providerSchemeSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { sampleUser } from '#lib/storage/testing/samples.ts'
import { type AdminTestPorts, callUntyped, openAdminTestPorts } from '../testing/admin-ports.ts'
import type { Caller } from '../use-case.ts'
import { deleteProvider, findProviderClients, setProviderClients } from './provider-clients.ts'
import { listProviders, readProvider } from './read-providers.ts'
import { createProvider, providerUseCases, setProviderEnabled, updateProvider } from './write-providers.ts'

let opened: AdminTestPorts
let caller: Caller
let scheme: string
let made = 0

const secret = 'the secret that partner gave us'

before(async () => {
  opened = await openAdminTestPorts()
  caller = await opened.caller('owner')
})
after(() => opened.close())
beforeEach(async () => {
  made += 1
  scheme = `partner-${made}`
  caller = { ...caller, actor: { ...caller.actor, authenticatedAt: opened.ports.clock.now() } }
  const created = await createProvider.call(opened.ports, { ...document(), client_secret: secret }, caller)
  assert.equal(created.kind, 'ok', JSON.stringify(created))
})

function document() {
  return {
    scheme,
    display_name: `Partner ${made}`,
    issuer: `https://${scheme}.example`,
    client_id: 'latchkey',
    domains: [`${scheme}.example`],
  }
}

async function stored() {
  return (await opened.ports.providers.find(providerSchemeSchema.parse(scheme))) ?? assert.fail()
}

async function auditOf(targetId: string) {
  return opened.ports.adminStore.audit.list({ targetKind: 'provider', targetId }, null, 10)
}

describe('creating and changing a provider', () => {
  test('AD-05 its secret is stored sealed and never read back', async () => {
    assert.equal((await stored()).clientSecret, secret)
    const answers = await Promise.all([
      readProvider.call(opened.ports, { scheme }, caller),
      listProviders.call(opened.ports, {}, caller),
      auditOf(scheme),
    ])
    const sealed = (await opened.ports.adminLists.providers()).find(it => it.scheme === scheme)?.clientSecret
    const text = JSON.stringify(answers)
    assert.ok(sealed !== null && sealed !== undefined && sealed !== secret)
    assert.ok(!text.includes(secret) && !text.includes(sealed))
    assert.match(text, /"has_secret":true/)
    assert.ok(text.includes(`https://id.example/login/external/${scheme}/callback`))
  })

  const invalid: ReadonlyArray<readonly [string, object, string]> = [
    ['an invalid issuer', { issuer: 'partner' }, 'issuer'],
    ['an issuer over plain http', { issuer: 'http://partner.example' }, 'issuer'],
    ['a scheme with signs', { scheme: 'a b' }, 'scheme'],
    ['the scheme of another', { scheme: 'partner-1' }, 'scheme'],
    ['the scheme of local accounts', { scheme: 'latchkey' }, 'scheme'],
    ['no client id', { client_id: '' }, 'client_id'],
    ['no secret', { client_secret: undefined }, 'client_secret'],
    ['a secret where there is none', { is_public: true }, 'client_secret'],
    ['an invalid domain', { domains: ['ok.example', 'not a domain'] }, 'domains.1'],
    ['a domain of another provider', { domains: ['ok.example', 'PARTNER-1.example'] }, 'domains.1'],
  ]
  for (const [what, changes, path] of invalid) {
    test(`names the field for ${what}`, async () => {
      const fresh = { ...document(), scheme: 'fresh', domains: [], client_secret: secret }
      const result = await callUntyped(createProvider, opened.ports, { ...fresh, ...changes }, caller)
      assert.ok(result.kind === 'invalid', JSON.stringify(result))
      assert.equal(result.errors[0]?.path, path)
    })
  }

  test('a domain that is taken names the provider it leads to', async () => {
    const input = { ...document(), scheme: 'fresh', client_secret: secret }
    const result = await createProvider.call(opened.ports, input, caller)
    assert.ok(result.kind === 'invalid')
    assert.match(result.errors[0]?.message ?? '', new RegExp(`leads to "Partner ${made}"`))
  })

  test('a form without a new secret keeps the stored one', async () => {
    const form = {
      scheme: [scheme],
      version: ['1'],
      display_name: ['The Partner'],
      issuer: [`https://${scheme}.example`],
      client_id: ['latchkey'],
      client_secret: [''],
      is_public: ['false'],
      domains: ['One.example\r\ntwo.example, one.example'],
      enabled: ['false'],
    }
    const result = await callUntyped(updateProvider, opened.ports, updateProvider.fromForm(form), caller)
    assert.equal(result.kind, 'ok', JSON.stringify(result))
    const { displayName, domains, enabled, clientSecret } = await stored()
    assert.deepEqual([displayName, domains, enabled], ['The Partner', ['one.example', 'two.example'], false])
    assert.equal(clientSecret, secret)
  })

  test('a new secret replaces the stored one, and the audit row only notes that it changed', async () => {
    const input = { ...document(), version: 1, client_secret: 'changed secret' }
    assert.equal((await updateProvider.call(opened.ports, input, caller)).kind, 'ok')
    assert.equal((await stored()).clientSecret, 'changed secret')
    const [row] = await auditOf(scheme)
    assert.ok(!JSON.stringify(row).includes('changed secret'))
    assert.match(JSON.stringify(row?.after), /"secret_changed":true/)
  })

  test('a provider that is changed to public has no secret any longer', async () => {
    const input = { ...document(), version: 1, is_public: true }
    assert.equal((await updateProvider.call(opened.ports, input, caller)).kind, 'ok')
    assert.equal((await stored()).clientSecret, null)
  })

  test('AD-05 a change of the issuer requires its secret, so that the stored one is not sent there', async () => {
    const moved = { ...document(), version: 1, issuer: 'https://elsewhere.example' }
    const result = await updateProvider.call(opened.ports, moved, caller)
    assert.ok(result.kind === 'invalid')
    assert.equal(result.errors[0]?.path, 'client_secret')
    assert.equal(
      (await updateProvider.call(opened.ports, { ...moved, client_secret: 'new' }, caller)).kind,
      'ok',
    )
  })

  test('AD-02 a field that providers do not have changes nothing', async () => {
    const input = { ...document(), version: 1, clientSecret: 'x', callback_uri: 'https://evil.example' }
    assert.equal((await callUntyped(updateProvider, opened.ports, input, caller)).kind, 'ok')
    assert.equal((await stored()).clientSecret, secret)
  })

  test('the second of two changes of the same version gets a conflict with the stored state', async () => {
    const change = (name: string) =>
      updateProvider.call(opened.ports, { ...document(), version: 1, display_name: name }, caller)
    assert.equal((await change('first')).kind, 'ok')
    const second = await change('second')
    assert.ok(second.kind === 'conflict')
    assert.match(JSON.stringify(second.current), /"version":2.*"display_name":"first"/)
    assert.ok(!JSON.stringify(second.current).includes(secret))
    assert.equal((await stored()).displayName, 'first')
  })

  test('disabling a provider keeps its secret', async () => {
    const input = { scheme, version: 1, enabled: 'false' } as const
    assert.equal((await setProviderEnabled.call(opened.ports, input, caller)).kind, 'ok')
    assert.equal((await stored()).enabled, false)
    assert.equal((await stored()).clientSecret, secret)
  })
})

describe('which clients may use it', () => {
  let clientId: string
  const restrictions = async () =>
    (await opened.ports.clients.find(clientIdSchema.parse(clientId)))?.client.identityProviderRestrictions
  const say = (isAllowed: boolean) =>
    setProviderClients.call(
      opened.ports,
      { scheme, shown: [clientId], allowed: isAllowed ? [clientId] : [] },
      caller,
    )
  beforeEach(() => {
    clientId = `shop-${made}`
  })

  test('adds the provider to the list of a client and removes it, with an audit row for each', async () => {
    await opened.addClient({ client_id: clientId, identity_provider_restrictions: ['partner-1'] })
    assert.equal((await say(true)).kind, 'ok')
    assert.deepEqual(await restrictions(), ['partner-1', scheme])
    assert.equal((await say(false)).kind, 'ok')
    assert.deepEqual(await restrictions(), ['partner-1'])
    const rows = await opened.ports.adminStore.audit.list(
      { targetKind: 'client', targetId: clientId },
      null,
      5,
    )
    assert.deepEqual(
      rows.map(row => row.action),
      ['providers.set_clients', 'providers.set_clients'],
    )
  })

  test('excluding a provider from an unrestricted client gives it a list of others', async () => {
    await opened.addClient({ client_id: clientId })
    assert.equal((await say(true)).kind, 'ok')
    assert.deepEqual(await restrictions(), [], 'nothing to change')
    assert.equal((await say(false)).kind, 'ok')
    assert.ok((await restrictions())?.includes(providerSchemeSchema.parse('partner-1')))
    assert.ok(!(await restrictions())?.includes(providerSchemeSchema.parse(scheme)))
  })

  test('a list never becomes empty, because that would allow every provider', async () => {
    await opened.addClient({ client_id: clientId, identity_provider_restrictions: [scheme] })
    const result = await say(false)
    assert.ok(result.kind === 'invalid')
    assert.equal(result.errors[0]?.path, 'shown.0')
    assert.deepEqual(await restrictions(), [scheme])
  })

  test('the search shows for each client whether it may use the provider', async () => {
    await opened.addClient({
      client_id: clientId,
      client_name: `Zeta${made}`,
      identity_provider_restrictions: ['partner-1'],
    })
    const found = await findProviderClients.call(opened.ports, { scheme, q: `Zeta${made}` }, caller)
    assert.ok(found.kind === 'ok')
    assert.deepEqual(found.value.items, [
      { client_id: clientId, name: `Zeta${made}`, is_allowed: false, allows_all: false },
    ])
  })
})

describe('deleting a provider', () => {
  test('an unused provider is deleted without confirmation', async () => {
    assert.equal((await deleteProvider.call(opened.ports, { scheme, version: 1 }, caller)).kind, 'ok')
    assert.equal(await opened.ports.providers.find(providerSchemeSchema.parse(scheme)), null)
  })

  test('a provider in use is deleted only with a confirmation, which counts its users and names its clients', async () => {
    const subject = subjectIdSchema.parse(`una-${made}`)
    const key = { scheme: providerSchemeSchema.parse(scheme), issuer: 'https://x.example', subject: 'una' }
    const user = sampleUser({ subject, username: subject, passwordHash: null })
    await opened.ports.users.createExternal(user, key, opened.ports.clock.now())
    const clientId = `shop-${made}`
    const lists = { identity_provider_restrictions: ['partner-1', scheme] }
    await opened.addClient({ client_id: clientId, client_name: 'The Shop', ...lists })
    const asked = await deleteProvider.call(opened.ports, { scheme, version: 1 }, caller)
    assert.ok(asked.kind === 'invalid')
    assert.match(asked.errors[0]?.message ?? '', /1 user signed in there.*The Shop/)
    const done = await deleteProvider.call(opened.ports, { scheme, version: 1, confirm: scheme }, caller)
    assert.equal(done.kind, 'ok', JSON.stringify(done))
    const client = await opened.ports.clients.find(clientIdSchema.parse(clientId))
    assert.deepEqual(client?.client.identityProviderRestrictions, ['partner-1'])
    assert.ok(await opened.ports.users.findBySubject(subject), 'users keep their accounts')
  })

  test('a client whose list contains only this provider must be changed first', async () => {
    await opened.addClient({
      client_id: `only-${made}`,
      client_name: 'Only',
      identity_provider_restrictions: [scheme],
    })
    const result = await deleteProvider.call(opened.ports, { scheme, version: 1, confirm: scheme }, caller)
    assert.ok(result.kind === 'invalid')
    assert.match(result.errors[0]?.message ?? '', /Only may use only this provider/)
    assert.ok(await stored())
  })

  test('an older version is a conflict', async () => {
    await setProviderEnabled.call(opened.ports, { scheme, enabled: false }, caller)
    assert.equal((await deleteProvider.call(opened.ports, { scheme, version: 1 }, caller)).kind, 'conflict')
  })
})

/** Fields of the inputs of several use cases. A use case ignores those that it does not have. */
const some = { scheme: 'nothing', version: 1, seq: 1, enabled: true }
const sound = { ...some, shown: [], allowed: [], visit: 'v'.repeat(43) }

describe('AD-01 AD-03 permissions for providers', () => {
  for (const useCase of providerUseCases) {
    for (const role of adminRoles) {
      const isAllowed = useCase.permission === 'providers:read' || role === 'owner'
      test(`${useCase.name}: ${role} ${isAllowed ? 'may' : 'may not'}`, async () => {
        const other = await opened.caller(role)
        const { kind } = await useCase.call(opened.ports, { ...sound, parameters: {} }, other)
        assert.equal(kind === 'denied', !isAllowed, kind)
      })
    }
  }
})

test('AD-04 every change of a provider requires a fresh sign-in', async () => {
  opened.advance(adminSession.freshSignInSeconds + 1)
  const lookers = ['providers.preview', 'providers.finish_test']
  const input = { ...document(), ...sound, domains: [], is_public: true }
  for (const useCase of providerUseCases) {
    if (useCase.permission === 'providers:read' || lookers.includes(useCase.name)) continue
    assert.equal(
      (await useCase.call(opened.ports, input, caller)).kind,
      'fresh_sign_in_required',
      useCase.name,
    )
  }
})
