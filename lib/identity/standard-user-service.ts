/** The default user service: the users of this server's database. */

import { passwordHashDigest } from '#lib/core/sign-in/account-check.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { CheckCaller } from '#lib/ports/check-caller.ts'
import type { Random } from '#lib/ports/environment.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type {
  Authentication,
  ExternalIdentity,
  ProfileRequest,
  RefusalCause,
  StoredUser,
  UserService,
  Users,
} from '#lib/ports/users.ts'
import { accountOf } from '#lib/ports/users.ts'
import { type Claims, type JsonValue, reservedClaims } from '#lib/protocol/claims.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { standardScope } from '#lib/protocol/registration/scope.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import { standardEmailChange } from './email-change/standard-email-change.ts'
import type { LegacyUsers } from './legacy-users.ts'
import { namedIdentity } from './links/named-identity.ts'
import { standardLinks } from './links/standard-links.ts'
import { mailboxOf } from './mailbox.ts'
import { standardRecovery } from './password-recovery/standard-recovery.ts'
import { standardRegistration } from './registration/standard-registration.ts'

type StandardPorts = Pick<Ports, 'users' | 'passwords' | 'random' | 'hashing' | 'clock'>

const longestText = 2000
const groupsScope = 'groups'
const refusal = { kind: 'refused', message: null } as const

/** `legacy`: brings users of an old system. */
export function standardUserService(ports: StandardPorts, legacy?: LegacyUsers): UserService {
  return {
    authenticate: (credentials, { caller }) => authenticate(ports, { ...credentials, caller, legacy }),
    authenticateExternal: identity => authenticateExternal(ports, identity),
    completePartial: subject => completePartial(ports.users, subject),
    profile: request => profile(ports, request),
    isActive: async (subject, account) => (await accountOf(ports, subject, account))?.enabled ?? false,
    canonicalUsername: typed => accountName(ports.users, typed),
    passwordStamp: async (account, read) =>
      (read ?? (await ports.users.findByUsername(account)))?.passwordHash ?? null,
    recovery: standardRecovery(ports),
    links: standardLinks(ports.users),
    emailChange: standardEmailChange(ports),
    restoreAccount: async ({ address }, commit) => {
      const unusableHash = await ports.passwords.hash(`${ports.random.id()}${ports.random.id()}`)
      return commit({ address, unusableHash })
    },
    ownProfile: standardProfile(ports.users),
    deletion: {
      nameOf: async subject => (await ports.users.findBySubject(subject))?.username ?? null,
    },
    registration: standardRegistration(ports),
    mailbox: async subject => mailboxOf(await ports.users.findBySubject(subject)),
    authenticateSubject: async subject => {
      const user = await ports.users.findBySubject(subject)
      if (user?.enabled === true) return { ...fullAuthentication(user, 'pwd'), account: user }
      return { ...refusal, cause: causeOf(user, true) }
    },
  }
}

/**
 * Finds an account. A user name has precedence over an email address. A text with `@` is always looked up as both, so
 * that the time reveals nothing.
 */
async function findAccount(users: Users, typed: string): Promise<StoredUser | null> {
  if (!typed.includes('@')) return users.findByUsername(typed)
  const [byName, byEmail] = await Promise.all([users.findByUsername(typed), users.findByVerifiedEmail(typed)])
  return byName ?? byEmail
}

/**
 * Returns the same name for the user name and the email address of an account; for an unknown name, its canonical form.
 */
async function accountName(users: Users, typed: string): Promise<string> {
  const user = typed.includes('@') ? await findAccount(users, typed) : null
  return canonicalUsername(user?.username ?? typed)
}

/**
 * Checks the credentials. An unknown user or one without a password takes as long as a wrong password: the same look-ups, and
 * the check of a substitute hash of a kind that stored users have.
 */
async function authenticate(
  ports: StandardPorts,
  { legacy, ...attempt }: Attempt & { readonly legacy: LegacyUsers | undefined },
): Promise<Authentication> {
  const { username, password, caller } = attempt
  const user = await findAccount(ports.users, username)
  const substitute = ports.passwords.substituteHash(canonicalUsername(username))
  const isRight = await ports.passwords.verify(password, user?.passwordHash ?? substitute, caller)
  if (!isRight && legacy !== undefined) {
    const brought = await bringOrImitate(legacy, attempt, user)
    if (brought !== null) return authenticate(ports, { ...attempt, username: brought, legacy: undefined })
  }
  if (!isRight || user === null || !user.enabled) return { ...refusal, cause: causeOf(user, isRight) }
  await strengthenHash(ports, user, password)
  const current = await ports.users.findBySubject(user.subject)
  const isStillRight =
    current !== null && (await isSamePassword(ports, password, { before: user, current, caller }))
  if (!isStillRight || !current.enabled) return { ...refusal, cause: causeOf(current, isStillRight) }
  const authentication = fullAuthentication(current, 'pwd')
  const provenHash = passwordHashDigest(ports.hashing, current)
  return provenHash === null ? authentication : { ...authentication, provenHash, account: current }
}

type Attempt = {
  readonly username: string
  readonly password: string
  readonly caller: CheckCaller | undefined
}

/** Returns the name of a user whom the old system knows by this password; `null` after a refusal, which takes as long. */
async function bringOrImitate(
  legacy: LegacyUsers,
  attempt: Attempt,
  user: StoredUser | null,
): Promise<string | null> {
  if (user === null || user.passwordHash === null) return legacy.bring(attempt, user)
  await legacy.imitateRefusal()
  return null
}

/**
 * Accepts an enabled user who has a password. This service never interrupts a sign-in; the function is called after the
 * user has replaced a temporary password.
 */
async function completePartial(users: Users, subject: SubjectId): Promise<Authentication> {
  const user = await users.findBySubject(subject)
  if (user === null || user.passwordHash === null) return refusal
  return user.enabled ? fullAuthentication(user, 'pwd') : { ...refusal, cause: causeOf(user, true) }
}

type ReadTwice = {
  readonly before: StoredUser
  readonly current: StoredUser
  readonly caller: CheckCaller | undefined
}

/** SE-06: whether the password is still the same: an admin may have reset it while it was hashed. */
async function isSamePassword(
  { passwords }: StandardPorts,
  password: string,
  { before, current, caller }: ReadTwice,
): Promise<boolean> {
  if (before.passwordHash === current.passwordHash) return true
  return passwords.verify(password, current.passwordHash, caller)
}

function causeOf(user: StoredUser | null, isRight: boolean): RefusalCause {
  if (user === null) return { reason: 'unknown_user' }
  const { subject } = user
  if (isRight) return { reason: 'account_disabled', subject }
  return { reason: user.passwordHash === null ? 'no_password' : 'wrong_password', subject }
}

/** Replaces a hash that was imported or made with weaker parameters, because only now the password is known. */
async function strengthenHash(
  { users, passwords, clock }: StandardPorts,
  user: StoredUser,
  password: string,
): Promise<void> {
  const { subject, passwordHash: replaced } = user
  if (replaced === null || !passwords.needsRehash(replaced)) return
  try {
    const successor = await passwords.hash(password)
    await users.replacePasswordHash(subject, { replaced, successor }, clock.now())
  } catch (error) {
    // A full queue must not fail a successful sign-in; the next sign-in replaces the hash
    if (!isOauthError(error)) throw error
  }
}

/**
 * Finds the account by scheme, issuer and subject only, or creates it: an email address never leads to an existing
 * account.
 */
async function authenticateExternal(
  { users, random, clock }: StandardPorts,
  identity: ExternalIdentity,
): Promise<Authentication> {
  const known = await users.findByExternal(identity)
  const user = known ?? (await createNewcomer({ users, random, clock }, identity))
  if (known?.enabled === true) await followGroups({ users, clock }, known, identity)
  if (!user.enabled) return { ...refusal, cause: causeOf(user, true) }
  const { scheme, issuer, subject } = identity
  return { ...fullAuthentication(user, 'external'), link: { scheme, issuer, subject } }
}

function createNewcomer(
  { users, random, clock }: Pick<StandardPorts, 'users' | 'random' | 'clock'>,
  identity: ExternalIdentity,
): Promise<StoredUser> {
  return users.createExternal(newcomer(random, identity), namedIdentity(identity), clock.now())
}

/**
 * Makes a new user. The user name is generated, because names from a provider could collide with existing ones, or
 * imitate them.
 */
function newcomer(random: Pick<Random, 'id'>, identity: ExternalIdentity): StoredUser {
  const id = random.id()
  return {
    subject: subjectIdSchema.parse(id),
    username: `${identity.scheme}.${hexadecimal(id)}`,
    passwordHash: null,
    mustChangePassword: false,
    enabled: true,
    claims: { ...profileClaims(identity.claims), ...groupClaims(identity) },
  }
}

/**
 * Returns the groups from a provider whose scopes include them. Groups give access, so they are not accepted from other
 * providers.
 */
function groupClaims({ scopes, claims: { groups } }: ExternalIdentity): Claims {
  if (!scopes.includes(groupsScope) || groups === undefined) return {}
  const names = Array.isArray(groups) ? groups : [groups]
  const known = names.filter(name => typeof name === 'string' && name !== '' && name.length <= longestText)
  return known.length === 0 ? {} : { groups: known }
}

/**
 * Updates the groups: a user who has left a group at the provider is no longer in it here. Other claims are unchanged.
 */
async function followGroups(
  { users, clock }: Pick<StandardPorts, 'users' | 'clock'>,
  { subject, claims: replaced }: StoredUser,
  identity: ExternalIdentity,
): Promise<void> {
  if (!identity.scopes.includes(groupsScope)) return
  const { groups: before, ...others } = replaced
  const now = groupClaims(identity)
  if (JSON.stringify(before) === JSON.stringify(now.groups)) return
  await users.replaceClaims(subject, { replaced, successor: { ...others, ...now } }, clock.now())
}

/** Converts a random ID, whose case matters, to hexadecimal, because user names ignore case. */
function hexadecimal(id: string): string {
  return [...new TextEncoder().encode(id)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

function fullAuthentication(user: StoredUser, method: string): Extract<Authentication, { kind: 'full' }> {
  return { kind: 'full', subject: user.subject, name: displayName(user), amr: [method], acr: null }
}

function displayName(user: StoredUser): string {
  const names = [user.claims.name, user.claims.preferred_username, user.claims.email]
  return names.find(name => typeof name === 'string' && name.trim() !== '')?.toString() ?? user.username
}

function standardProfile(users: Users): NonNullable<UserService['ownProfile']> {
  return {
    read: async subject => (await users.findBySubject(subject))?.claims ?? null,
    update: async (subject, { before: replaced, after: successor, now }) => {
      const user = await users.findBySubject(subject)
      if (user === null || !(await users.replaceClaims(subject, { replaced, successor }, now))) return null
      return { name: displayName({ ...user, claims: successor }) }
    },
  }
}

async function profile(ports: StandardPorts, request: ProfileRequest): Promise<Claims> {
  const user = await accountOf(ports, request.subject, request.account)
  if (user === null || !user.enabled) return {}
  const asked = new Set(request.claims)
  const isAsked = (name: string) => request.allClaims || asked.has(name)
  return Object.fromEntries(
    Object.entries(user.claims).filter(([name]) => isAsked(name) && !reservedClaims.has(name)),
  )
}

const profileTexts = standardScope('profile')?.claims?.filter(name => name !== 'updated_at') ?? []
const texts = new Set([...profileTexts, 'email', 'phone_number'])

/**
 * Returns the texts of the standard profile, the email address and the phone number (OpenID Connect Core 5.1). An email
 * address or phone number counts as verified only if the provider sends the JSON value `true`.
 */
export function profileClaims(claims: Claims): Claims {
  const kept = Object.fromEntries(
    Object.entries(claims).filter(([name, value]) => isProfileText(name, value)),
  )
  return { ...kept, ...verification(kept, claims, 'email'), ...verification(kept, claims, 'phone_number') }
}

function isProfileText(name: string, value: JsonValue): boolean {
  return texts.has(name) && typeof value === 'string' && value !== '' && value.length <= longestText
}

function verification(kept: Claims, claims: Claims, name: 'email' | 'phone_number'): Claims {
  return name in kept ? { [`${name}_verified`]: claims[`${name}_verified`] === true } : {}
}
