/** A dataset of users and clients, and the words by which a search finds them. */
import type { Client } from '#lib/protocol/registration/client.ts'
import { clientFromMetadata, clientKinds } from '#lib/protocol/registration/client.ts'
import { clientSearchRows, clientSortKey, userSearchRows } from '../prisma/configuration/search-terms.ts'
import { userToRow } from '../prisma/identity/user-rows.ts'
import { subjectId } from '../prisma/rows.ts'
import type { Chance } from './chance.ts'
import type { Row, Rows } from './database.ts'

export type Dataset = { readonly users: number; readonly clients: number; readonly now: Date }

const beginnings = [
  'al',
  'be',
  'ca',
  'da',
  'el',
  'fa',
  'ga',
  'ha',
  'jo',
  'ka',
  'li',
  'ma',
  'na',
  'ol',
  'sa',
  'zo',
]
const middles = ['bi', 'ri', 'le', 'mo', 'sto', 'the', 'va', 'wi', 'ny', 'xa']
const ends = ['n', 'na', 'ne', 'r', 's', 'son', 'ska', 'enko', 'ini', 'ë', 'é', 'ström']
const companies = ['Acme', 'Contoso', 'Fabrikam', 'Globex', 'Initech', 'Umbrella', 'Wayne', 'Zenith']
const purposes = ['Portal', 'Dashboard', 'Billing', 'Worker', 'Mobile', 'Sync', 'Reports', 'Gateway', 'Shop']

export const subjectOf = (index: number) => subjectId(`usr_${index.toString(36).padStart(8, '0')}`)
export const clientOf = (index: number) => `app-${index.toString(36).padStart(6, '0')}`

export function firstName(chance: Chance): string {
  return capital(pick(beginnings, chance) + (pick(middles, chance) + pick(ends, chance)))
}

export function familyName(chance: Chance): string {
  return capital(
    pick(beginnings, chance) + pick(middles, chance) + pick(middles, chance) + pick(ends, chance),
  )
}

/** Generates the users: one in a hundred is locked, one in ten has a phone number. */
export function* users({ users, now }: Dataset, chance: Chance): Rows {
  for (let index = 0; index < users; index += 1) {
    const [given, family] = [firstName(chance), familyName(chance)]
    const username = `${given}.${family}${index}`.toLowerCase()
    const user = {
      subject: subjectOf(index),
      username,
      passwordHash: null,
      mustChangePassword: false,
      enabled: chance.below(100) > 0,
      claims: {
        name: `${given} ${family}`,
        given_name: given,
        family_name: family,
        email: `${username}@${pick(companies, chance).toLowerCase()}.example`,
        ...(chance.below(10) > 0 ? {} : { phone_number: `+38044${1_000_000 + index}` }),
      },
    }
    const createdAt = earlier(now, chance.below(90 * 86_400))
    yield ['User', { ...userToRow(user), version: 1, createdAt, updatedAt: createdAt }]
    for (const row of userSearchRows(user)) yield ['SearchTerm', row]
  }
}

/** Generates the clients: every third has a secret that expires; few are legacy or disabled. */
export function* clients({ clients, now }: Dataset, chance: Chance): Rows {
  for (let index = 0; index < clients; index += 1) {
    const clientId = clientOf(index)
    const metadata = {
      client_id: clientId,
      client_name: `${pick(companies, chance)} ${pick(purposes, chance)} ${familyName(chance)}`,
      enabled: chance.below(200) > 0,
      redirect_uris: ['https://app.example/cb'],
      scope: `openid profile email api.s${chance.skewed(300)}`,
    }
    const kind = clientKinds[chance.below(50) === 0 ? 4 : chance.below(4)] ?? 'web'
    const client: Client = clientFromMetadata(metadata)
    const dates = { createdAt: now, updatedAt: now, lastUsedAt: earlier(now, chance.below(86_400)) }
    const columns = {
      clientId,
      name: client.clientName,
      sortKey: clientSortKey(client),
      enabled: client.enabled,
    }
    yield [
      'Client',
      { ...columns, metadata: JSON.stringify(metadata), kind, position: index, version: 1, ...dates },
    ]
    if (index % 3 === 0) yield ['ClientSecret', secretOf(clientId, now, chance)]
    for (const row of clientSearchRows(client, kind)) yield ['SearchTerm', row]
  }
}

function secretOf(clientId: string, now: Date, chance: Chance): Row {
  const expiresAt = earlier(now, -chance.below(365 * 86_400))
  return {
    clientId,
    id: 's',
    position: 0,
    name: 'Main',
    digest: 'd',
    createdAt: now,
    expiresAt,
    lastUsedAt: null,
  }
}

export function earlier(time: Date, seconds: number): Date {
  return new Date(time.getTime() - seconds * 1000)
}

export function pick<T>(choices: readonly [T, ...T[]] | readonly T[], chance: Chance): T {
  const choice = choices[chance.skewed(choices.length)]
  if (choice === undefined) throw new RangeError('nothing to choose from')
  return choice
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
