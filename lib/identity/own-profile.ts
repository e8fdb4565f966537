/** The profile of a signed-in user: the claims that users may change themselves. */
import { claimLimits, profile as limits } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type Claims, claimsProblem } from '#lib/protocol/claims.ts'
import type { ProfileField } from '#lib/protocol/registration/policies.ts'
import { standardClaimProblem } from '#lib/protocol/registration/standard-claims.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'

type ProfilePorts = Pick<
  Ports,
  'userService' | 'policies' | 'managedUsers' | 'hashing' | 'clock' | 'sessions' | 'events'
>

/** The values of the fields; an empty text: the claim is absent. */
export type ProfileValues = ReadonlyMap<ProfileField, string>

export type OwnProfile = {
  /** The fields that the user may change, in the order of the form. */
  readonly values: ProfileValues
  /** Whether the configuration file sets the claims of the user, so that a change would not last. */
  readonly isManaged: boolean
  /** A digest of the values: a form that was shown with others stores nothing. */
  readonly version: string
}

type ReadProfile = OwnProfile & { readonly claims: Claims }

/** Returns the profile; `null` if users cannot change any claim themselves. */
export async function ownProfile(
  ports: Omit<ProfilePorts, 'sessions' | 'events' | 'clock'>,
  { subject }: Pick<Session, 'subject'>,
): Promise<ReadProfile | null> {
  const claims = (await ports.userService.ownProfile?.read(subject)) ?? null
  const { profile_fields: fields } = await ports.policies.current()
  if (claims === null || fields.length === 0) return null
  const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string'
  const values = new Map(
    fields.filter(name => isText(claims[name])).map(name => [name, String(claims[name] ?? '')] as const),
  )
  const version = ports.hashing.digest(JSON.stringify([...values]))
  return { claims, values, version, isManaged: await ports.managedUsers.has(subject) }
}

export type ProfileChange = {
  readonly session: Session
  /** The version that the form was shown with. */
  readonly version: string
  readonly entered: ProfileValues
}

export type ProfileOutcome =
  | { readonly kind: 'saved' | 'unchanged' | 'unavailable' | 'changed_meanwhile' }
  | { readonly kind: 'unfit'; readonly fields: readonly ProfileField[] }

/**
 * Stores the entered values, only if the profile is still the one that the form showed. Sessions get the new display name.
 * Apps get the values with their next tokens.
 */
export async function changeOwnProfile(
  ports: ProfilePorts,
  { session, version, entered }: ProfileChange,
  context: RequestContext,
): Promise<ProfileOutcome> {
  const { subject } = session
  const own = await ownProfile(ports, session)
  const service = ports.userService.ownProfile
  if (own === null || own.isManaged || service === undefined) return { kind: 'unavailable' }
  if (own.version !== version) return { kind: 'changed_meanwhile' }
  const changed = [...own.values].flatMap(([name, value]) => {
    const text = (entered.get(name) ?? value).trim().normalize('NFC')
    return text === value ? [] : [[name, text] as const]
  })
  if (changed.length === 0) return { kind: 'unchanged' }
  const fields = changed.filter(([name, text]) => !isFit(name, text)).map(([name]) => name)
  if (fields.length > 0) return { kind: 'unfit', fields }
  const after = withChanges(own.claims, changed)
  if (claimsProblem(after, claimLimits.userBytes) !== null)
    return { kind: 'unfit', fields: changed.map(([name]) => name) }
  const now = ports.clock.now()
  const stored = await service.update(subject, { before: own.claims, after, now })
  if (stored === null) return { kind: 'changed_meanwhile' }
  await ports.sessions.rename(subject, stored.name)
  const details = { claims: changed.map(([name]) => name).join(' ') }
  ports.events.record({ name: 'profile_changed', outcome: 'success', subject, details }, context)
  return { kind: 'saved' }
}

function isFit(name: ProfileField, text: string): boolean {
  if (text === '') return true
  if (text.length > limits.fieldCharacters || /\p{Cc}/u.test(text)) return false
  return standardClaimProblem(name, text) === null
}

/** Removes emptied claims. A new phone number is not verified. */
function withChanges(claims: Claims, changed: ReadonlyArray<readonly [ProfileField, string]>): Claims {
  const removed = new Set<string>(changed.filter(([, text]) => text === '').map(([name]) => name))
  if (changed.some(([name]) => name === 'phone_number')) removed.add('phone_number_verified')
  const merged = { ...claims, ...Object.fromEntries(changed) }
  return Object.fromEntries(Object.entries(merged).filter(([name]) => !removed.has(name)))
}
