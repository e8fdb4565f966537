import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { search } from '#lib/config/limits.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { countByWords, findByWords } from '../../prisma/lists/word-search.ts'
import type { Host } from '../host.ts'
import { malformedPositions, readAll } from '../pages.ts'
import { later, newDigest, newSubject, now, sampleUser } from '../samples.ts'

/** Makes a word of letters and digits that no other test uses. */
const newWord = () =>
  `q${newDigest()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 10)}`

export function userListsContract(host: () => Host): void {
  describe('the list of users', () => {
    const lists = () => host().storage.adminLists
    const put = (...users: StoredUser[]) =>
      host().storage.configuration.apply({ put: { users }, remove: {} }, now)
    const found = async (text: string, enabled: boolean | null = null) => {
      const items = await readAll(page => lists().users({ search: text, enabled }, page), 2)
      return items.map(item => item.subject)
    }

    test('lists every user once by user name, page by page', async () => {
      await put(...Array.from({ length: 7 }, () => sampleUser()))
      const everyUser = { search: null, enabled: null }
      const all = await readAll(page => lists().users(everyUser, page), 3)
      const names = all.map(user => user.username.toLowerCase())
      assert.deepEqual(names, [...new Set(names)].toSorted())
      const { count, isMore } = await lists().countUsers(everyUser)
      assert.deepEqual({ count, isMore }, { count: all.length, isMore: false })
      for (const enabled of [true, false]) {
        const some = await readAll(page => lists().users({ search: null, enabled }, page), 3)
        assert.ok(some.every(user => user.enabled === enabled))
        assert.equal((await lists().countUsers({ search: null, enabled })).count, some.length)
      }
    })

    test('counts the users whose password hash was imported, until it is replaced', async () => {
      const imported = '$pbkdf2-sha1$i=1000$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA'
      const count = async () => (await lists().countImportedHashes()).count
      const stored = () => host().storage.users
      const before = await count()
      const users = Array.from({ length: 4 }, () => sampleUser({ passwordHash: imported }))
      await put(...users, sampleUser({ passwordHash: '$argon2id$own' }))
      assert.equal(await count(), before + 4)
      const [first, second, third, fourth] = users
      if (!first || !second || !third || !fourth) throw new Error('four users')
      const hashes = { replaced: imported, successor: '$argon2id$own' }
      await stored().replacePasswordHash(first.subject, { ...hashes, replaced: `${imported}A` }, now)
      assert.equal(await count(), before + 4)
      await stored().replacePasswordHash(first.subject, hashes, now)
      assert.ok(await stored().choosePassword(second.subject, hashes, { now, notices: [] }))
      await put({ ...third, passwordHash: '$argon2id$own' })
      assert.equal(await count(), before + 1)
      await host().storage.configuration.apply({ put: {}, remove: { users: [fourth.subject] } }, now)
      assert.equal(await count(), before)
    })

    test('lists users by creation or last sign-in in both directions, those without a sign-in last', async () => {
      const users = Array.from({ length: 5 }, () => sampleUser())
      for (const [index, user] of users.entries())
        await host().storage.configuration.apply({ put: { users: [user] }, remove: {} }, later(index * 60))
      const [first, second, third] = users.map(({ subject }) => subject)
      assert.ok(first !== undefined && second !== undefined && third !== undefined)
      for (const [subject, at] of [
        [third, 10],
        [first, 20],
        [second, 20],
      ] as const)
        host().storage.usage.user(subject, later(at))
      await host().storage.usage.flush()
      const all = { search: null, enabled: null }
      const subjects = users.map(({ subject }) => subject)
      const ordered = async (by: 'created' | 'last_sign_in', isDescending: boolean, size: number) => {
        const items = await readAll(page => lists().users(all, page, { by, isDescending }), size)
        assert.equal(items.length, (await lists().countUsers(all)).count, 'every user once')
        return items.map(({ subject }) => subject).filter(subject => subjects.includes(subject))
      }
      const tied: readonly string[] = [first, second].toSorted()
      for (const size of [2, 3, 100]) {
        assert.deepEqual(await ordered('created', false, size), subjects)
        assert.deepEqual(await ordered('created', true, size), subjects.toReversed())
        const signedIn = async (isDescending: boolean) =>
          (await ordered('last_sign_in', isDescending, size)).slice(0, 3)
        assert.deepEqual(await signedIn(false), [third, ...tied])
        assert.deepEqual(await signedIn(true), [...tied.toReversed(), third])
      }
    })

    test('an invalid position starts the list of users at the beginning', async () => {
      const word = newWord()
      await put(sampleUser({ username: `${word}.a` }), sampleUser({ username: `${word}.b` }))
      for (const text of [null, word]) {
        const filter = { search: text, enabled: null }
        const first = await lists().users(filter, { after: null, limit: 1 })
        for (const after of malformedPositions) {
          assert.deepEqual(await lists().users(filter, { after, limit: 1 }), first, JSON.stringify(after))
          const order = { by: 'last_sign_in', isDescending: true } as const
          const sorted = await lists().users(filter, { after: null, limit: 1 }, order)
          assert.deepEqual(await lists().users(filter, { after, limit: 1 }, order), sorted)
        }
      }
    })

    test('searches users by the beginning of any word, ignoring case and accents', async () => {
      const [one, two] = [newWord(), newWord()]
      const user = sampleUser({
        username: `Ünit-${one}`,
        claims: {
          name: `Zoë ${two} Ångström`,
          email: `${two}@mail.${one}.example`,
          phone_number: '+380 44 123-45-67',
          nickname: 7,
        },
      })
      await put(user)
      for (const asked of [
        one,
        one.slice(0, 8).toUpperCase(),
        `unit-${one}`,
        `mail.${one}.ex`,
        `${two} zoe`,
        `ANGSTROM ${two}`,
        `${two}@mail`,
        `+380 ${two}`.replace('+', ''),
        user.subject.toUpperCase(),
      ]) {
        assert.deepEqual(await found(asked), [user.subject], asked)
      }
      assert.ok((await found('+380 (44) 123')).includes(user.subject))
      for (const asked of [`x${one}`, `${two} ${newWord()}`, `${one}x`, `example ${two}`]) {
        assert.deepEqual(await found(asked), [], asked)
      }
    })

    test('a sign at the end of a search is searched for; quotes and commas are not', async () => {
      const word = newWord()
      const claims = { name: `${word} 50%` }
      const users = ['_one', '%two'].map(end => sampleUser({ username: word + end, claims }))
      await put(...users)
      for (const [asked, at] of [
        [`${word}_`, 0],
        [`${word}%`, 1],
        [`"${word}_one",`, 0],
      ] as const)
        assert.deepEqual(await found(asked), [users[at]?.subject], asked)
      assert.deepEqual([(await found(`${word} 50%`)).length, await found(`${word} 50_`)], [2, []])
    })

    test('an exact user name comes first, then the others by name, however the pages fall', async () => {
      const word = newWord()
      const named = (username: string, name: string) => sampleUser({ username, claims: { name } })
      const users = [
        named(`${word}z.1`, `Zoe ${word}`),
        named(`${word}y.2`, `Bert ${word}`),
        named(word, `Mia ${word}`),
        named(`${word}x.3`, `Anna ${word}`),
      ]
      await put(...users)
      const byName = [users[2], users[3], users[1], users[0]].map(user => user?.subject)
      assert.deepEqual(await found(word), byName)
      assert.deepEqual(await found(word.toUpperCase(), true), byName)
      const first = await lists().users({ search: word, enabled: null }, { after: null, limit: 1 })
      assert.equal(first.items[0]?.username, word)
    })

    test('a user of an identity provider without a name is listed by email address', async () => {
      const email = `${newWord()}@example.com`
      const user = sampleUser({ passwordHash: null, claims: { email } })
      await put(user)
      const { items } = await lists().users({ search: email, enabled: null }, { after: null, limit: 2 })
      assert.deepEqual(
        items.map(({ name }) => name),
        [email],
      )
      assert.equal((await lists().namesOf([user.subject])).get(user.subject)?.name, email)
    })

    test('AD-07 a search term is never interpreted as a pattern or filter', async () => {
      const user = sampleUser({ username: newWord() })
      await put(user)
      const hostile = [
        '%',
        '_',
        "'",
        '"',
        '\\',
        ';',
        "' OR 1=1 --",
        '🎉',
        '\u0000',
        '\ud800',
        '\u{10ffff}',
        '%00',
        '*',
      ]
      // These find the same users as their letters and digits, which random names can contain
      const harmless = new Map([
        ["' OR 1=1 --", 'or 1=1'],
        ['%00', '00'],
      ])
      for (const sign of hostile) {
        const text = harmless.get(sign)
        assert.deepEqual(await found(sign), text === undefined ? [] : await found(text), sign)
        assert.equal((await found(`${user.username.slice(0, 3)}${sign}zzz`)).length, 0, sign)
        await lists().countUsers({ search: sign, enabled: null })
      }
      for (const long of ['a'.repeat(10_000), 'a '.repeat(5000), '字'.repeat(10_000)]) await found(long)
    })

    test('users with the same name are listed once each, in pages of any size', async () => {
      const word = newWord()
      const namesakes = Array.from({ length: 7 }, () =>
        sampleUser({ claims: { name: `${word} ${word}a ${word}b`, email: `${word}c@${word}d.example` } }),
      )
      await put(...namesakes)
      const expected = namesakes.map(user => user.subject).toSorted()
      for (const limit of [1, 2, 3, 6, 7, 8]) {
        for (const asked of [word, `${word}b ${word}a`, `${word}d ${word}`]) {
          const items = await readAll(page => lists().users({ search: asked, enabled: null }, page), limit)
          assert.deepEqual(items.map(item => item.subject).toSorted(), expected, `${asked} by ${limit}`)
        }
      }
      assert.deepEqual(await lists().countUsers({ search: word, enabled: null }), { count: 7, isMore: false })
    })

    test('frequent words that rarely occur together are found across short pages', async () => {
      const kind = newWord()
      const owners = Array.from({ length: 100 }, (_, index) => ({ kind, id: `${index}`.padStart(2, '0') }))
      const data = owners.flatMap(owner => [
        { ...owner, term: `a${owner.id}` },
        { ...owner, term: owner.id === '57' || owner.id === '99' ? 'b' : 'x' },
        { kind, term: 'b', id: `other ${owner.id}` },
      ])
      await host().tables.searchTerm.createMany({ data })
      const effort = { examined: 10, stretches: 2 }
      const asked = { kind: kind, words: ['a', 'b'], condition: null, effort }
      const pages: number[] = []
      const found = await readAll(async page => {
        const read = await findByWords(host().tables, asked, page)
        pages.push(read.items.length)
        return read
      }, 5)
      assert.deepEqual(found, ['57', '99'])
      assert.deepEqual(pages, [0, 0, 1, 0, 1, 0])
      assert.deepEqual(await countByWords(host().tables, asked), { count: 0, isMore: true })
    })

    test('a filter applies to a search and follows changes', async () => {
      const word = newWord()
      const [on, off] = [
        sampleUser({ username: `${word}.on` }),
        sampleUser({ username: `${word}.off`, enabled: false }),
      ]
      await put(on, off)
      assert.deepEqual(await found(word, true), [on.subject])
      assert.deepEqual(await found(word, false), [off.subject])
      assert.equal((await lists().countUsers({ search: word, enabled: true })).count, 1)
      await put({ ...off, enabled: true }, { ...on, username: newWord() })
      assert.deepEqual(await found(word, true), [off.subject])
      assert.deepEqual(await found(word, false), [])
      await host().storage.configuration.apply({ put: {}, remove: { users: [off.subject] } }, now)
      assert.deepEqual(await found(word), [])
      const where = { id: off.subject }
      assert.equal(await host().tables.searchTerm.count({ where }), 0)
    })

    test('the number of stored search words of a user is limited', async () => {
      const words = Array.from({ length: 40 }, newWord)
      const user = sampleUser({ username: 'x'.repeat(200), claims: { name: words.join(' ') } })
      await put(user)
      const terms = await host().tables.searchTerm.findMany({ where: { id: user.subject } })
      assert.equal(terms.length, search.termsStored)
      assert.ok(terms.every(({ term }) => term.length <= search.termCharacters))
    })

    test('a user of an identity provider is found, and listed with the provider', async () => {
      const word = newWord()
      const user = sampleUser({ claims: { given_name: word, family_name: 'Liddell' } })
      const scheme = providerSchemeSchema.parse('acme')
      const key = { scheme, issuer: 'https://acme.example', subject: newDigest() }
      await host().storage.users.createExternal(user, key, later(1))
      const [listed] = (await lists().users({ search: word, enabled: null }, { after: null, limit: 1 })).items
      assert.equal(listed?.name, `${word} Liddell`)
      const whole = await lists().user(user.subject)
      assert.deepEqual(whole?.linked, [{ ...key, label: null, createdAt: later(1) }])
      assert.equal(whole?.version, 1)
      const names = await lists().namesOf([user.subject, user.subject, newSubject()])
      assert.deepEqual([...names], [[user.subject, { username: user.username, name: `${word} Liddell` }]])
      assert.equal(await lists().user(newSubject()), null)
    })
  })
}
