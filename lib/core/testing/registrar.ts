/** Stores scopes, clients, users, providers and sessions for tests of the core. */

import { createSecretHashing, createSecrets } from '#lib/crypto/passwords/secrets.ts'
import type { Configuration, ConfigurationStore } from '#lib/ports/configuration-store.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { providerSchemeSchema, scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { type Client, type ClientMetadata, clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { noPresetValues } from '#lib/protocol/registration/provider-presets.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { testClientMetadata, testScopeMetadata } from './registrations.ts'

export type Registrar = {
  readonly addScopes: () => Promise<void>
  /** Stores the client of `registrations.ts` with changes, replacing one with the same `client_id`. */
  readonly addClient: (changes?: Partial<ClientMetadata>, ...secrets: readonly string[]) => Promise<Client>
  /** Stores a user whose subject is also the user name. */
  readonly addUser: (subject: string, changes?: UserChanges) => Promise<StoredUser>
  readonly addProvider: (scheme: string, changes?: Partial<IdentityProvider>) => Promise<IdentityProvider>
  /** Stores a session of a user who signs in with a password now. */
  readonly openSession: (subject: string, changes?: Partial<Session>) => Promise<Session>
}

export type UserChanges = Partial<
  Pick<StoredUser, 'enabled' | 'claims' | 'mustChangePassword' | 'passwordHash'>
> & { readonly password?: string }

/** Parameters of Argon2 that are fast enough for tests. */
export const cheapHashing = { memoryKiB: 64, passes: 1, lanes: 1 } as const

type Put = (part: Partial<Configuration>) => Promise<void>

export function createRegistrar(ports: Ports, configuration: ConfigurationStore): Registrar {
  const put: Put = async part => {
    await configuration.apply({ put: part, remove: {} }, ports.clock.now())
  }
  return {
    addScopes: () => put({ scopes: testScopeMetadata.map(scopeRecord) }),
    addClient: (changes = {}, ...secrets) => addClient({ ports, put }, changes, secrets),
    addUser: (subject, changes = {}) => addUser({ ports, put }, subject, changes),
    addProvider: (scheme, changes = {}) => addProvider(put, scheme, changes),
    openSession: (subject, changes = {}) => openSession(ports, subject, changes),
  }
}

type Target = { readonly ports: Ports; readonly put: Put }

function scopeRecord(metadata: (typeof testScopeMetadata)[number]) {
  return { name: scopeNameSchema.parse(metadata.name), metadata, secrets: [] }
}

async function addClient(
  { ports, put }: Target,
  changes: Partial<ClientMetadata>,
  plain: readonly string[],
): Promise<Client> {
  const metadata = { ...testClientMetadata, ...changes }
  const client = clientFromMetadata(metadata)
  const digests = await createSecrets(createSecretHashing(cheapHashing)).digests(plain, [])
  const secrets = digests.map(digest => ({ id: ports.random.id(), digest, expiresAt: null }))
  await put({
    clients: [{ clientId: client.clientId, metadata: JSON.parse(JSON.stringify(metadata)), secrets }],
  })
  return client
}

async function addUser({ ports, put }: Target, subject: string, changes: UserChanges): Promise<StoredUser> {
  const { password, ...rest } = changes
  const passwordHash = password === undefined ? null : await ports.passwords.hash(password)
  const named = { subject: subjectIdSchema.parse(subject), username: subject, passwordHash }
  const user = { mustChangePassword: false, enabled: true, claims: {}, ...named, ...rest }
  await put({ users: [user] })
  return user
}

async function addProvider(
  put: Put,
  scheme: string,
  changes: Partial<IdentityProvider>,
): Promise<IdentityProvider> {
  const provider: IdentityProvider = {
    scheme: providerSchemeSchema.parse(scheme),
    displayName: scheme,
    issuer: `https://${scheme}.example`,
    clientId: 'latchkey',
    clientSecret: null,
    domains: [],
    scope: 'openid profile email',
    reauthentication: 'prompt',
    signOutAtProvider: false,
    preset: 'openid_connect',
    ...noPresetValues,
    secondFactorValues: [],
    hidden: false,
    trustsEmail: false,
    enabled: true,
    ...changes,
  }
  await put({ providers: [provider] })
  return provider
}

async function openSession(ports: Ports, subject: string, changes: Partial<Session>): Promise<Session> {
  const now = ports.clock.now()
  const session: Session = {
    digest: ports.hashing.digest(ports.random.handle('session')),
    sessionId: ports.random.sessionId(),
    subject: subjectIdSchema.parse(subject),
    name: subject,
    idp: localProvider,
    amr: ['pwd'],
    acr: null,
    authenticatedAt: now,
    isPersistent: false,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + 36_000_000),
    userAgent: null,
    address: null,
    details: {},
    ...changes,
  }
  await ports.sessions.create(session)
  return session
}
