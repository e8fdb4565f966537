/** The activity of an account in words: sign-ins, refused ones, and changes, folded by day. */
import { activity as limits } from '#lib/config/limits.ts'
import type { EventName } from '#lib/ports/event-names.ts'
import type { EventLog, StoredEvent } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'

/** The activities of changes of the second factor, by the detail `change` of their event. */
const twoStepActivities = {
  authenticator_set: 'authenticatorSet',
  authenticator_removed: 'authenticatorRemoved',
  recovery_code_used: 'recoveryCodeUsed',
  recovery_codes_replaced: 'recoveryCodesReplaced',
  browser_trusted: 'browserTrusted',
  trust_ended: 'trustEnded',
} as const

type TwoStepChange = keyof typeof twoStepActivities
export type ActivityKind =
  | 'signedIn'
  | 'signInRefused'
  | 'identityConfirmed'
  | 'signedOut'
  | 'othersSignedOut'
  | 'passwordChanged'
  | 'passwordRecovered'
  | 'passwordMailRequested'
  | 'profileChanged'
  | 'dataDownloaded'
  | 'deletionPlanned'
  | 'deletionCanceled'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'providerLinked'
  | 'providerUnlinked'
  | 'emailChanged'
  | 'passkeysLost'
  | 'passkeysKept'
  | 'passkeysLostRemoved'
  | 'changeTakenBack'
  | 'registered'
  | 'termsAccepted'
  | 'appAllowed'
  | 'appDenied'
  | 'appNarrowed'
  | 'appRemoved'
  | (typeof twoStepActivities)[TwoStepChange]

/** Names the activity of an event; `null`: users are not shown it. */
type Naming = (event: Pick<StoredEvent, 'outcome' | 'details'>) => ActivityKind | null

const namings: { readonly [Name in EventName]?: Naming } = {
  sign_in_succeeded: always('signedIn'),
  sign_in_failed: always('signInRefused'),
  sign_in_limited: always('signInRefused'),
  session_stepped_up: always('identityConfirmed'),
  signed_out: ({ details }) => (details.sessions === undefined ? 'signedOut' : 'othersSignedOut'),
  password_changed: succeeded(({ by }) => (by === 'recovery' ? 'passwordRecovered' : 'passwordChanged')),
  password_mail_requested: succeeded(() => 'passwordMailRequested'),
  profile_changed: always('profileChanged'),
  data_downloaded: always('dataDownloaded'),
  account_deletion_planned: always('deletionPlanned'),
  account_deletion_canceled: always('deletionCanceled'),
  passkey_added: succeeded(() => 'passkeyAdded'),
  passkey_removed: succeeded(() => 'passkeyRemoved'),
  provider_linked: succeeded(() => 'providerLinked'),
  provider_unlinked: succeeded(() => 'providerUnlinked'),
  email_changed: succeeded(() => 'emailChanged'),
  lost_passkeys_reported: always('passkeysLost'),
  lost_passkeys_kept: always('passkeysKept'),
  lost_passkeys_removed: always('passkeysLostRemoved'),
  change_taken_back: always('changeTakenBack'),
  user_registered: always('registered'),
  terms_accepted: always('termsAccepted'),
  second_factor_changed: ({ details: { change } }) =>
    isTwoStepChange(change) ? twoStepActivities[change] : null,
  consent_granted: always('appAllowed'),
  consent_denied: always('appDenied'),
  consent_revoked: ({ details }) => (details.scope === undefined ? 'appRemoved' : 'appNarrowed'),
}

function always(kind: ActivityKind): Naming {
  return () => kind
}

function succeeded(kindOf: (details: StoredEvent['details']) => ActivityKind): Naming {
  return ({ outcome, details }) => (outcome === 'success' ? kindOf(details) : null)
}

function isTwoStepChange(change: unknown): change is TwoStepChange {
  return typeof change === 'string' && Object.hasOwn(twoStepActivities, change)
}

const shownNames = eventNamesOf(namings)

function eventNamesOf(table: { readonly [Name in EventName]?: Naming }): readonly EventName[] {
  return Object.keys(table).filter((name): name is EventName => Object.hasOwn(table, name))
}

export type ActivityOccurrence = Pick<StoredEvent, 'id' | 'time' | 'address' | 'userAgent'>

/** All activities of one kind on one day (UTC), the newest first. */
export type AccountActivity = {
  readonly kind: ActivityKind
  /** The name of the app that the activity is about; `null`: none. */
  readonly app: string | null
  readonly occurrences: readonly [ActivityOccurrence, ...ActivityOccurrence[]]
}

export type ActivityPage = {
  readonly activities: readonly AccountActivity[]
  /** The place where the next page begins; `null`: this is the last one. */
  readonly next: string | null
}

type ActivityPorts = { readonly eventLog: EventLog; readonly clients: Ports['clients'] }

/** Returns a page of activities, newest first, as far as their events are still stored. `before`: see `next`. */
export async function accountActivity(
  { eventLog, clients }: ActivityPorts,
  { subject }: { readonly subject: SubjectId },
  before: string | null,
): Promise<ActivityPage> {
  const events = await eventLog.list({ subject, names: shownNames }, before, limits.events + 1)
  const shown = events.slice(0, limits.events)
  const named = shown.flatMap(event => {
    const kind = namings[event.name]?.(event) ?? null
    return kind === null ? [] : [{ event, kind }]
  })
  const folded = Map.groupBy(named, ({ event, kind }) =>
    JSON.stringify([event.time.toISOString().slice(0, 10), kind, aboutApp(kind) ? event.clientId : null]),
  )
  const activities = await Promise.all(
    [...folded.values()].map(async ([first, ...more]) => {
      if (first === undefined) return []
      const { event, kind } = first
      const occurrences = [occurrenceOf(event), ...more.map(other => occurrenceOf(other.event))] as const
      return [{ kind, app: aboutApp(kind) ? await appName(clients, event.clientId) : null, occurrences }]
    }),
  )
  const isLast = events.length <= limits.events
  return { activities: activities.flat(), next: isLast ? null : (shown.at(-1)?.id ?? null) }
}

function aboutApp(kind: ActivityKind): boolean {
  return kind.startsWith('app')
}

function occurrenceOf({ id, time, address, userAgent }: StoredEvent): ActivityOccurrence {
  return { id, time, address, userAgent }
}

/** Returns the name of an app; that of a deleted one is its ID. */
async function appName(clients: Ports['clients'], clientId: string | null): Promise<string | null> {
  if (clientId === null) return null
  const parsed = clientIdSchema.safeParse(clientId)
  const found = parsed.success ? await clients.find(parsed.data) : null
  return displayName(found?.client.clientName ?? clientId, clientId)
}
