import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ClientFilter } from '#lib/ports/admin-lists.ts'
import type { StoredSecret } from '#lib/ports/clients.ts'
import { type ClientId, clientIdSchema, providerSchemeSchema, scopeNameSchema } from '#lib/protocol/ids.ts'
import { clientKinds } from '#lib/protocol/registration/client.ts'
import type { Host } from '../host.ts'
import { malformedPositions, readAll } from '../pages.ts'
import { later, newDigest, now, sampleUser } from '../samples.ts'

const newWord = () =>
  `w${newDigest()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 10)}`

type Fields = {
  readonly name: string
  readonly id?: string
  readonly scope?: string
  readonly enabled?: boolean
}

function record({ name, id = newWord(), scope = '', enabled = true }: Fields, secrets: StoredSecret[] = []) {
  const clientId = clientIdSchema.parse(id)
  const redirects = { redirect_uris: ['https://app.example/cb'] }
  return {
    clientId,
    metadata: { client_id: clientId, client_name: name, scope, enabled, ...redirects },
    secrets,
  }
}

const everything: ClientFilter = { search: null, kind: null, enabled: null }

export function clientListsContract(host: () => Host): void {
  describe('the list of clients', () => {
    const lists = () => host().storage.adminLists
    const put = (...clients: ReturnType<typeof record>[]) =>
      host().storage.configuration.apply({ put: { clients }, remove: {} }, now)
    const found = async (filter: Partial<ClientFilter>, limit = 2): Promise<readonly ClientId[]> => {
      const items = await readAll(page => lists().clients({ ...everything, ...filter }, page, now), limit)
      return items.map(item => item.clientId)
    }

    test('lists each client once by name, ignoring case, then by id', async () => {
      const word = newWord()
      const clients = [
        record({ name: `${word} b` }),
        record({ name: `${word.toUpperCase()} A` }),
        ...Array.from({ length: 5 }, () => record({ name: `${word} á` })),
      ]
      await put(...clients)
      const all = await found({}, 3)
      assert.equal(new Set(all).size, all.length)
      assert.equal((await lists().countClients(everything)).count, all.length)
      const ours = all.filter(id => clients.some(client => client.clientId === id))
      assert.equal(ours.length, 7)
      assert.equal(ours.at(-1), clients[0]?.clientId)
      assert.deepEqual(ours.slice(0, 6), ours.slice(0, 6).toSorted())
    })

    test('lists clients by change or last use in both directions, unused ones last', async () => {
      const clients = Array.from({ length: 4 }, () => record({ name: newWord() }))
      for (const [index, client] of clients.entries())
        await host().storage.configuration.apply(
          { put: { clients: [client] }, remove: {} },
          later(1000 + index * 60),
        )
      const ids = clients.map(({ clientId }) => clientId)
      for (const [index, id] of ids.slice(0, 2).entries()) host().storage.usage.client(id, later(index * 60))
      await host().storage.usage.flush()
      const ordered = async (by: 'updated' | 'last_used', isDescending: boolean) => {
        const order = { by, isDescending }
        const items = await readAll(page => lists().clients(everything, page, now, order), 2)
        assert.equal(items.length, (await lists().countClients(everything)).count, 'every client once')
        return items.map(({ clientId }) => clientId).filter(id => ids.includes(id))
      }
      assert.deepEqual(await ordered('updated', false), ids)
      assert.deepEqual(await ordered('updated', true), ids.toReversed())
      assert.deepEqual((await ordered('last_used', false)).slice(0, 2), ids.slice(0, 2))
      assert.deepEqual((await ordered('last_used', true)).slice(0, 2), ids.slice(0, 2).toReversed())
    })

    test('an invalid position starts the list of clients at the beginning', async () => {
      const word = newWord()
      await put(record({ name: word }), record({ name: word }))
      for (const search of [null, word]) {
        const read = (after: string | null) =>
          lists().clients({ ...everything, search }, { after, limit: 1 }, now)
        const first = await read(null)
        for (const after of malformedPositions) assert.deepEqual(await read(after), first)
      }
    })

    test('searches clients by any word of name and id, and filters by kind and state', async () => {
      const word = newWord()
      const [on, off] = [
        record({ name: `Ünder ${word}`, id: `app-${word}.mobile` }),
        record({ name: `${word} off`, enabled: false }),
      ]
      await put(on, off)
      for (const search of [`under ${word}`, `app-${word}`, `${word}.mob`, `mobile ${word.slice(0, 9)}`]) {
        assert.deepEqual(await found({ search }), [on.clientId], search)
      }
      assert.deepEqual(await found({ search: word, enabled: true }), [on.clientId])
      assert.deepEqual(await found({ search: word, enabled: false }), [off.clientId])
      const kind = (await lists().client(on.clientId))?.kind ?? 'web'
      for (const other of clientKinds) {
        const expected = other === kind ? [on.clientId] : []
        assert.deepEqual(await found({ search: word, kind: other, enabled: true }), expected, other)
        const count = await lists().countClients({ search: word, kind: other, enabled: true })
        assert.equal(count.count, expected.length)
        const listed = await readAll(page => lists().clients({ ...everything, kind: other }, page, now), 50)
        assert.ok(listed.every(item => item.kind === other))
      }
      await host().storage.configuration.apply({ put: {}, remove: { clients: [on.clientId] } }, now)
      assert.equal(await host().tables.searchTerm.count({ where: { id: on.clientId } }), 0)
    })

    test('returns the next expiry of a client’s secrets, and the dates of all secrets', async () => {
      const secrets = [
        { id: 'past', name: null, digest: 'd', expiresAt: later(-1) },
        { id: 'next', name: 'Blue', digest: 'd', expiresAt: later(60) },
        { id: 'then', name: null, digest: 'd', expiresAt: later(90) },
        { id: 'ever', name: null, digest: 'd', expiresAt: null },
      ]
      const client = record({ name: newWord() }, secrets)
      await put(client)
      const page = await lists().clients(
        { ...everything, search: client.clientId },
        { after: null, limit: 1 },
        now,
      )
      assert.deepEqual(page.items[0]?.secretExpiresAt, later(60))
      const whole = await lists().client(client.clientId)
      assert.deepEqual(whole?.secrets, secrets)
      assert.deepEqual(
        whole?.secretDates.map(({ id, name, expiresAt, createdAt }) => ({ id, name, expiresAt, createdAt })),
        secrets.map(({ id, name, expiresAt }) => ({ id, name, expiresAt, createdAt: now })),
      )
      assert.equal(await lists().client(clientIdSchema.parse('unknown')), null)
    })

    test('lists the clients of a scope by name', async () => {
      const scope = newWord()
      const clients = ['c', 'A', 'b'].map(name => record({ name, scope: `openid ${scope}` }))
      await put(...clients, record({ name: 'a', scope: `${scope}x` }))
      const name = scopeNameSchema.parse(scope)
      const named = await lists().clientsWith({ scope: name }, 5)
      assert.deepEqual(
        named.map(client => client.name),
        ['A', 'b', 'c'],
      )
      assert.equal((await lists().clientsWith({ scope: name }, 2)).length, 2)
      const [first] = clients
      if (first !== undefined) await put({ ...first, metadata: { ...first.metadata, scope: '' } })
      assert.equal((await lists().clientsWith({ scope: name }, 5)).length, 2)
    })

    test('lists the enabled clients that use flows which standards advise against', async () => {
      const mark = newWord()
      const legacy = record({ name: `0 ${mark}` })
      const metadata = { ...legacy.metadata, grant_types: ['password'], response_types: [] }
      const names = async () =>
        (await lists().clientsWith({ setting: 'password_grant' }, 200)).filter(({ name }) =>
          name.includes(mark),
        )
      await put({ ...legacy, metadata }, record({ name: `1 ${mark}` }))
      assert.deepEqual(
        (await names()).map(({ name }) => name),
        [`0 ${mark}`],
      )
      await put({ ...legacy, metadata: { ...metadata, enabled: false } })
      assert.deepEqual(await names(), [])
    })

    test('lists the enabled clients whose offline_access has no effect', async () => {
      const mark = newWord()
      const idle = record({ name: `0 ${mark}` })
      const metadata = {
        ...idle.metadata,
        scope: 'openid offline_access',
        grant_types: ['authorization_code'],
      }
      const names = async () =>
        (await lists().clientsWith({ setting: 'idle_offline_access' }, 200)).filter(({ name }) =>
          name.includes(mark),
        )
      await put({ ...idle, metadata }, record({ name: `1 ${mark}` }))
      assert.deepEqual(
        (await names()).map(({ name }) => name),
        [`0 ${mark}`],
      )
      const refreshing = { ...metadata, grant_types: [...metadata.grant_types, 'refresh_token'] }
      await put({ ...idle, metadata: refreshing })
      assert.deepEqual(await names(), [])
    })

    test('lists the clients of a provider, and counts its users', async () => {
      const scheme = providerSchemeSchema.parse(newWord())
      const restricted = (name: string, schemes: readonly string[]) => {
        const client = record({ name })
        const metadata = { ...client.metadata, identity_provider_restrictions: schemes }
        return { ...client, metadata }
      }
      await put(restricted('b', ['other', scheme]), restricted('A', [scheme]), restricted('c', ['other']))
      const named = await lists().clientsWith({ provider: scheme }, 5)
      assert.deepEqual(
        named.map(client => client.name),
        ['A', 'b'],
      )
      assert.deepEqual(await lists().linkedUsers(scheme), { count: 0, isMore: false })
      for (const issuer of ['https://old.example', 'https://new.example'])
        await host().storage.users.createExternal(sampleUser(), { scheme, issuer, subject: 'una' }, now)
      assert.deepEqual(await lists().linkedUsers(scheme), { count: 2, isMore: false })
    })

    test('lists expiring secrets of clients and scopes, the next first', async () => {
      const far = (seconds: number) => later(315_360_000 + seconds)
      const secret = (id: string, expiresAt: Date | null) => ({ id, name: id, digest: 'd', expiresAt })
      const client = record({ name: 'x' }, [secret('b', far(2)), secret('d', far(9)), secret('n', null)])
      const scope = scopeNameSchema.parse(newWord())
      const secrets = [secret('a', far(1)), secret('c', far(3))]
      await put(client)
      await host().storage.configuration.apply(
        { put: { scopes: [{ name: scope, metadata: { name: scope }, secrets }] }, remove: {} },
        now,
      )
      assert.deepEqual(await lists().expiringSecrets(far(0), far(9), 10), [
        { owner: 'scope', id: scope, name: 'a', expiresAt: far(1), successor: null },
        { owner: 'client', id: client.clientId, name: 'b', expiresAt: far(2), successor: null },
        { owner: 'scope', id: scope, name: 'c', expiresAt: far(3), successor: null },
      ])
      assert.equal((await lists().expiringSecrets(far(0), far(10), 2)).length, 2)
      const stored = await lists().scope(scope)
      assert.deepEqual(stored?.secrets, secrets)
      assert.equal(stored?.version, 1)
      assert.ok((await lists().scopes()).some(other => other.name === scope))
    })

    test('lists a rotated secret of a client or scope until only its successor is used', async () => {
      const far = (seconds: number) => later(630_720_000 + seconds)
      const secret = (name: string, expiresAt: Date | null) => ({
        id: newWord(),
        name,
        digest: 'd',
        expiresAt,
      })
      const rotated = () => [secret('key', far(1)), secret('key (2)', null)]
      const clients = Array.from({ length: 3 }, () => record({ name: newWord() }, rotated()))
      const single = record({ name: newWord() }, [secret('key', far(2)), secret('other', null)])
      const scope = scopeNameSchema.parse(newWord())
      const scopes = [{ name: scope, metadata: { name: scope }, secrets: rotated() }]
      const put = { clients: [...clients, single], scopes }
      await host().storage.configuration.apply({ put, remove: {} }, far(-60))
      const mark = async (owner: string, secrets: readonly { readonly id: string }[], index: number) => {
        host().storage.usage.secret({ owner, id: secrets[index]?.id ?? '' }, far(-30))
        await host().storage.usage.flush()
      }
      const expiring = (limit: number) => lists().expiringSecrets(far(0), far(9), limit)
      const notRotated = {
        owner: 'client',
        id: single.clientId,
        name: 'key',
        expiresAt: far(2),
        successor: null,
      }
      const unused = await expiring(9)
      assert.deepEqual(
        unused.map(({ successor }) => successor),
        [...Array.from({ length: 4 }, () => ({ name: 'key (2)', isUsed: false })), null],
      )
      for (const { clientId, secrets } of clients) await mark(clientId, secrets, 1)
      for (const { secrets } of scopes) await mark(scope, secrets, 1)
      for (const limit of [1, 2, 9]) assert.deepEqual(await expiring(limit), [notRotated])
      const of = async (search: string) =>
        (await lists().clients({ ...everything, search }, { after: null, limit: 1 }, now)).items[0]
      assert.equal((await of(clients[0]?.clientId ?? ''))?.secretExpiresAt, null)
      assert.deepEqual((await of(single.clientId))?.secretExpiresAt, far(2))
      for (const { secrets } of scopes) await mark(scope, secrets, 0)
      const used = {
        owner: 'scope',
        id: scope,
        name: 'key',
        expiresAt: far(1),
        successor: { name: 'key (2)', isUsed: true },
      }
      assert.deepEqual(await expiring(9), [used, notRotated])
    })
  })
}
