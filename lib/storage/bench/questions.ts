/** Queries of the dashboard, many of them with inputs that change from run to run. */
import type { ClientFilter, Page, PageRequest, UserFilter } from '#lib/ports/admin-lists.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import type { Storage } from '../open.ts'
import { clientId } from '../prisma/rows.ts'
import type { Chance } from './chance.ts'
import { clientOf, type Dataset, earlier, familyName, firstName, subjectOf } from './dataset.ts'

export type Question = { readonly name: string; readonly ask: () => Promise<unknown> }
export type Asked = { readonly storage: Storage; readonly dataset: Dataset; readonly chance: Chance }

const limit = 50
const first: PageRequest = { after: null, limit }

export async function questions(asked: Asked): Promise<readonly Question[]> {
  return [
    ...(await userQuestions(asked)),
    ...(await clientQuestions(asked)),
    ...(await recordQuestions(asked)),
    ...(await eventQuestions(asked)),
  ]
}

async function userQuestions({ storage, dataset, chance }: Asked): Promise<readonly Question[]> {
  const lists = storage.adminLists
  const filter = (search: string | null, enabled: boolean | null = null): UserFilter => ({ search, enabled })
  const someone = () => chance.below(dataset.users)
  const deep = await deepPosition(page => lists.users(filter(null), page), dataset.users / 2)
  const deepInSearch = await deepPosition(page => lists.users(filter('a'), page), 50_000)
  const search = (name: string, text: () => string, enabled: boolean | null = null): Question => ({
    name: `users: ${name}`,
    ask: () => lists.users(filter(text(), enabled), first),
  })
  const count = (name: string, text: () => string | null, enabled: boolean | null = null): Question => ({
    name: `count users: ${name}`,
    ask: () => lists.countUsers(filter(text(), enabled)),
  })
  const beginning = (length: number) => () => familyName(chance).slice(0, length)
  const pair = (length: number) => () => `${beginning(length)()} ${firstName(chance).slice(0, length)}`
  return [
    { name: 'users: first page', ask: () => lists.users(filter(null), first) },
    { name: 'users: deep page', ask: () => lists.users(filter(null), { after: deep, limit }) },
    { name: 'users: disabled', ask: () => lists.users(filter(null, false), first) },
    { name: 'users: one user', ask: () => lists.user(subjectOf(someone())) },
    search('1 letter', beginning(1)),
    {
      name: 'users: 1 letter, deep page',
      ask: () => lists.users(filter('a'), { after: deepInSearch, limit }),
    },
    search('2 letters', beginning(2)),
    search('4 letters', beginning(4)),
    search('whole name', () => `${firstName(chance)} ${familyName(chance)}`),
    search('two words of 1 letter', pair(1)),
    search('two words of 3 letters', pair(3)),
    search('frequent and unknown word', () => `${beginning(2)()} zzzz`),
    search('two frequent words that never meet', () => 'acme.example contoso.example'),
    search('subject', () => subjectOf(someone())),
    search('telephone', () => `+38 044 ${1_000_000 + someone()}`),
    search('unknown', () => chance.word(8)),
    search('2 letters, enabled', beginning(2), true),
    search('2 letters, disabled', beginning(2), false),
    count('all', () => null),
    count('disabled', () => null, false),
    count('1 letter', beginning(1)),
    count('two words of 3 letters', pair(3)),
    count('2 letters, enabled', beginning(2), true),
  ]
}

async function clientQuestions({ storage, dataset, chance }: Asked): Promise<readonly Question[]> {
  const lists = storage.adminLists
  const all: ClientFilter = { search: null, kind: null, enabled: null }
  const list = (
    name: string,
    filter: () => Partial<ClientFilter>,
    after: string | null = null,
  ): Question => ({
    name: `clients: ${name}`,
    ask: () => lists.clients({ ...all, ...filter() }, { after, limit }, dataset.now),
  })
  const deep = await deepPosition(page => lists.clients(all, page, dataset.now), dataset.clients / 2)
  const someone = () => clientOf(chance.skewed(dataset.clients))
  const scope = () => scopeNameSchema.parse(`api.s${chance.skewed(300)}`)
  return [
    list('first page', () => ({})),
    list('deep page', () => ({}), deep),
    list('legacy', () => ({ kind: 'legacy' })),
    list('disabled', () => ({ enabled: false })),
    list('legacy and disabled', () => ({ kind: 'legacy', enabled: false })),
    list('1 letter', () => ({ search: familyName(chance).slice(0, 1) })),
    list('2 letters', () => ({ search: familyName(chance).slice(0, 2) })),
    list('4 letters', () => ({ search: familyName(chance).slice(0, 4) })),
    list('two words', () => ({ search: `acme ${familyName(chance).slice(0, 3)}` })),
    list('client id', () => ({ search: someone() })),
    list('1 letter, legacy', () => ({ search: 'a', kind: 'legacy', enabled: true })),
    list('1 letter, disabled', () => ({ search: 'a', enabled: false })),
    { name: 'count clients: all', ask: () => lists.countClients(all) },
    { name: 'count clients: 1 letter', ask: () => lists.countClients({ ...all, search: 'a' }) },
    { name: 'clients of a scope', ask: () => lists.clientsWith({ scope: scope() }, limit) },
    {
      name: 'clients of openid',
      ask: () => lists.clientsWith({ scope: scopeNameSchema.parse('openid') }, limit),
    },
    {
      name: 'secrets that end',
      ask: () => lists.expiringSecrets(earlier(dataset.now, 86_400), earlier(dataset.now, -2_592_000), limit),
    },
  ]
}

async function recordQuestions({ storage, dataset, chance }: Asked): Promise<readonly Question[]> {
  const lists = storage.adminLists
  const { now } = dataset
  const everyUser = { subject: null, clientId: null }
  const oneUser = () => ({ subject: subjectOf(chance.below(dataset.users)), clientId: null })
  const frequentApp = () => ({ subject: null, clientId: clientId(clientOf(chance.below(20))) })
  const deepSession = await deepPosition(page => lists.sessions(everyUser, page, now), 20_000)
  const deepGrant = await deepPosition(page => lists.grants(everyUser, page, now), 20_000)
  return [
    { name: 'sessions: first page', ask: () => lists.sessions(everyUser, first, now) },
    { name: 'sessions: deep page', ask: () => lists.sessions(everyUser, { after: deepSession, limit }, now) },
    { name: 'sessions: of a user', ask: () => lists.sessions(oneUser(), first, now) },
    { name: 'grants: first page', ask: () => lists.grants(everyUser, first, now) },
    { name: 'grants: deep page', ask: () => lists.grants(everyUser, { after: deepGrant, limit }, now) },
    { name: 'grants: of a user', ask: () => lists.grants(oneUser(), first, now) },
    { name: 'grants: of a frequent client', ask: () => lists.grants(frequentApp(), first, now) },
    { name: 'consents: first page', ask: () => lists.consents(everyUser, first, now) },
    { name: 'consents: of a client', ask: () => lists.consents(frequentApp(), first, now) },
    { name: 'usage: of a user', ask: () => lists.usage(oneUser(), now) },
    { name: 'usage: of a frequent client', ask: () => lists.usage(frequentApp(), now) },
  ]
}

async function eventQuestions({ storage, dataset, chance }: Asked): Promise<readonly Question[]> {
  const log = storage.eventLog
  const list = (
    name: string,
    filter: () => Parameters<typeof log.list>[0],
    before: string | null = null,
  ) => ({
    name: `events: ${name}`,
    ask: () => log.list(filter(), before, limit),
  })
  const frequent = () => clientOf(chance.below(3))
  const subject = () => subjectOf(chance.below(dataset.users))
  const recent = (await log.list({}, null, 200)).at(-1)?.id ?? ''
  const lastMonth = { from: earlier(dataset.now, 60 * 86_400), until: earlier(dataset.now, 30 * 86_400) }
  return [
    list('newest', () => ({})),
    list('a month ago', () => lastMonth),
    list('failures', () => ({ outcome: 'failure' })),
    list('of a name', () => ({ name: 'code_replayed' })),
    list('of a client', () => ({ clientId: frequent() })),
    list('failures of a client', () => ({ clientId: frequent(), outcome: 'failure' })),
    list('of a name and a client', () => ({ clientId: frequent(), name: 'code_replayed' })),
    list('of a name and a rare reason', () => ({ name: 'sign_in_failed', reason: 'unknown_scope' })),
    list('of a user', () => ({ subject: subject() })),
    list('failures of a user', () => ({ subject: subject(), outcome: 'failure' })),
    list('name and outcome that never meet', () => ({ name: 'tokens_issued', outcome: 'failure' })),
    { name: 'events: live tail', ask: () => log.newer({ outcome: 'failure' }, recent, limit) },
    {
      name: 'events: a request trace',
      ask: () => {
        const index = chance.below(100_000)
        return log.related({ requestId: `ref${index}`, flows: [`flow${index >> 2}`] }, 200)
      },
    },
  ]
}

/** Returns a position after at least `rows` rows of a list, or before its last page if it is shorter. */
async function deepPosition(
  read: (page: PageRequest) => Promise<Page<unknown>>,
  rows: number,
): Promise<string | null> {
  let after: string | null = null
  for (let passed = 0; passed < rows; passed += 500) {
    const page: Page<unknown> = await read({ after, limit: 500 })
    if (page.next === null) break
    after = page.next
  }
  return after
}
