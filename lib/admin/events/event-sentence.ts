/** Describes events in sentences, with their reasons. */
import { type EventName, type EventRow, eventRows } from '#lib/ports/event-names.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { builtInGrantTypes, isBuiltInGrantType } from '#lib/protocol/vocabulary.ts'
import { actionLabel } from '../changes/operation-labels.ts'
import type { Names } from '../names.ts'
import { providerWords, reasonTextOf, reasonWords } from './reason-words.ts'

/** Describes an event. A refusal gets the sentence of its reason if the reason has one. */
export function eventSentence(event: StoredEvent, names: Names): string {
  if (!isName(event.name)) return nameAsSentence(event.name)
  const { sentence, failure = sentence, isRefusal }: EventRow = eventRows[event.name]
  const ofReason = isRefusal === true ? reasonTextOf(event)?.sentence : undefined
  const text = ofReason ?? (event.outcome === 'failure' ? failure : sentence)
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => placeholders[name]?.(event, names) ?? whole)
}

/** Makes a sentence from the name of an unknown event. Nodes of different releases run together during an upgrade. */
function nameAsSentence(name: string): string {
  const words = name.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

type Text = (event: StoredEvent, names: Names) => string

const detail = ({ details }: StoredEvent, name: string) => String(details[name] ?? '')
const client: Text = ({ clientId }, names) => (clientId === null ? 'A client' : names.client(clientId))

/** The values of the placeholders in the sentences of events and of reasons. */
const placeholders: Readonly<Record<string, Text>> = {
  // An API that authenticated is named in place of a client
  client: (event, names) => detail(event, 'resource') || client(event, names),
  for_client: (event, names) => (event.clientId === null ? '' : ` for ${client(event, names)}`),
  user: ({ subject }, names) => (subject === null ? 'A user' : names.user(subject)),
  api: event => detail(event, 'resource') || 'An API',
  provider: event => detail(event, 'scheme') || 'an identity provider',
  endpoint: event => detail(event, 'endpoint') || 'a page',
  because: event => {
    if (event.reason === null) return ''
    if (event.name === 'external_sign_in_failed') return `: ${providerWords(event)}`
    const sent = detail(event, 'sent')
    return `: ${reasonWords(event.reason)}${sent === '' ? '' : ` (${sent})`}`
  },
  but: ({ reason }) => (reason === null ? '' : `; ${reasonWords(reason)}`),
  sent: ({ checks }) => checks?.find(({ result }) => result === 'failed')?.sent ?? 'something',
  grant: ({ grantType }) => (grantType === null ? 'it named' : grantName(grantType)),
  by_grant: ({ grantType }) => (grantType === null ? '' : ` by ${grantName(grantType)}`),
  method: event => detail(event, 'method') || 'some method',
  scope: event => detail(event, 'scope') || 'no scope',
  removed: event => {
    const scope = detail(event, 'scope')
    return scope === '' ? 'access for' : `the permissions ${scope} of`
  },
  ignored: event => {
    const names = detail(event, 'ignored').replaceAll(' ', ', ')
    const unknown = (_: string, count: string) =>
      `${count} with ${count === '1' ? 'an unknown name' : 'unknown names'}`
    return names === '' ? '' : ` These parameters were ignored: ${names.replace(/unknown:(\d+)/, unknown)}.`
  },
  second_factor: event => secondFactorWords.get(detail(event, 'change')) ?? 'changed the two-step sign-in',
  action: event => actionLabel(detail(event, 'action')),
  delivery: event => detail(event, 'kind') || 'unknown',
  count: event => {
    const count = detail(event, 'count') || 'Some'
    if (isOfPauses(event)) return `${count} more sign-ins began`
    return `${count} more refusals came from ${event.address ?? 'one address'}`
  },
  ended: ({ details: { wasSilent, code, signal } }) => {
    if (wasSilent === true) return 'no longer answered, was killed,'
    if (typeof signal === 'string') return `was ended by ${signal}`
    return typeof code === 'number' ? `ended with exit code ${code}` : 'ended'
  },
  kind: event => (isOfPauses(event) ? '' : `: ${kindLeftOut(event)}`),
}

const secondFactorWords: ReadonlyMap<string, string> = new Map([
  ['authenticator_set', 'set up an authenticator app'],
  ['authenticator_removed', 'removed the authenticator app'],
  ['recovery_codes_replaced', 'made new recovery codes'],
  ['recovery_code_used', 'used a recovery code to sign in'],
  ['browser_trusted', 'trusted a browser, which no longer needs a code'],
  ['trust_ended', 'ended the trust in browsers'],
])

/** The name of a grant type in a sentence: its label in lower case without parentheses, or the name of a custom one. */
function grantName(grantType: string): string {
  if (!isBuiltInGrantType(grantType)) return grantType.replaceAll('_', ' ')
  return builtInGrantTypes[grantType].label.replace(/ \(.*/, '').toLowerCase()
}

function isOfPauses({ details }: StoredEvent): boolean {
  return details.kind === 'authorize_paused'
}

/** The reason or kind that the refusals that were left out had in common. */
function kindLeftOut({ reason, details }: StoredEvent): string {
  return reason === null ? String(details.kind ?? 'of one kind').replaceAll('_', ' ') : reasonWords(reason)
}

/** The name of the event in filters. */
export function eventLabel(name: EventName): string {
  return eventRows[name].label
}

export const eventNames: readonly EventName[] = Object.keys(eventRows).filter(isName)

function isName(name: string): name is EventName {
  return Object.hasOwn(eventRows, name)
}
