/** Labels of counts, and titles of charts, which state a finding. */
import { reasonWords } from '#lib/admin/events/reason-words.ts'
import { others, type Series } from '#lib/admin/overview/counts.ts'
import { addressesText } from '#lib/admin/overview/failure-addresses.ts'
import type { Overview } from '#lib/admin/overview/overview.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import { numberText, percentText } from './number-words.ts'

const methods: Readonly<Record<string, string>> = {
  pwd: 'Password',
  passkey: 'Passkey',
  external: 'Identity provider',
  [others]: 'Other methods',
}

const grants: Readonly<Record<string, string>> = {
  authorization_code: 'Authorization code',
  refresh_token: 'Refresh token',
  client_credentials: 'Client credentials',
  password: 'Password',
  implicit: 'Implicit',
  [others]: 'Other grant types',
}

const visitors: Readonly<Record<string, string>> = { returning: 'Returning', new: 'New' }

const steps: Readonly<Record<string, string>> = {
  authorize: 'Authorization requests',
  login_shown: 'Sign-in page shown',
  sign_in: 'Signed in',
  consent: 'Gave consent',
  turned_back: 'Canceled by the user',
  answered: 'Redirected to the client',
  code_redeemed: 'Code redeemed',
}

const removed: Readonly<Record<string, string>> = {
  attempts: 'rate limit counters',
  requests: 'pending requests',
  sign_ins: 'unfinished sign-ins',
  used_ids: 'used one-time values',
  mail_proofs: 'links and codes in mails',
  forms: 'form states',
  admin_sessions: 'admin sessions',
  user_invitations: 'invitations of users',
}

const secondFactors: Readonly<Record<string, string>> = {
  totp: 'authenticator app',
  recovery_code: 'recovery code',
  passkey: 'passkey',
}

/** The first method, and the second factor if there was one: `Password and authenticator app`. */
export function methodWords(label: string): string {
  const [first = '', second] = label.split('+')
  const method = methods[first] ?? sentenceCase(first)
  return second === undefined
    ? method
    : `${method} and ${secondFactors[second] ?? second.replaceAll('_', ' ')}`
}

export const grantWords = (label: string) => grants[label] ?? sentenceCase(label)
export const visitorWords = (label: string) => visitors[label] ?? label
export const stepWords = (label: string) => steps[label] ?? sentenceCase(label)
export const removedWords = (label: string) => removed[label] ?? label.replaceAll('_', ' ')

/** Reasons that are counted without the error code of the provider, which the stored events append. */
const providerFailures: Readonly<Record<string, string>> = {
  provider_answered: 'An identity provider returned an error',
  token_endpoint_answered: 'An identity provider refused to redeem a code',
}

/** The filter for the events of a counted reason. */
export function eventFilterOf(label: string): Readonly<Record<string, string>> {
  if (label === 'limited') return { name: 'sign_in_limited' }
  return Object.hasOwn(providerFailures, label) ? { name: 'external_sign_in_failed' } : { reason: label }
}

/** A counted reason in words, with a noun in place of “it”. */
export function failureWords(label: string): string {
  if (label === others) return 'Other reasons'
  if (label === 'limited') return 'Too many failed attempts'
  const known = providerFailures[label]
  if (known !== undefined) return known
  const words = reasonWords(label)
    .replace(/^its /, 'the ')
    .replace(/^it (?=requested|sent|repeated|is not registered)/, 'the client ')
    .replace(/^it (?=no longer exists)/, 'the object ')
    .replace(/^it /, 'the request ')
  return capitalized(words)
}

/** A sentence about the most frequent sign-in method. */
export function methodFinding({ methods: series }: Overview): string {
  const [most] = series
  return most === undefined ? '' : `${shareOf(most, series)} ${methodVerb(most.label)}`
}

const verbs: Readonly<Record<string, string>> = {
  pwd: 'sign in with a password',
  passkey: 'sign in with a passkey',
  external: 'sign in with an identity provider',
}

function methodVerb(label: string): string {
  const [first = '', second] = label.split('+')
  const method = verbs[first] ?? `sign in with ${methodWords(first)}`
  return second === undefined ? method : `${method} and ${secondFactors[second] ?? second}`
}

const accountTexts: Readonly<Record<string, readonly [one: string, several: string]>> = {
  registered: ['account was registered', 'accounts were registered'],
  recovered: ['forgotten password was replaced by mail', 'forgotten passwords were replaced by mail'],
}

/** A note with the numbers of registrations and recoveries. */
export function accountNote({ accounts }: Pick<Overview, 'accounts'>): { readonly note?: string } {
  const sentences = Object.entries(accountTexts).flatMap(([label, [one, several]]) => {
    const count = accounts.find(account => account.label === label)?.count ?? 0
    return count === 0 ? [] : [`${numberText(count)} ${count === 1 ? one : several}.`]
  })
  return sentences.length === 0 ? {} : { note: sentences.join(' ') }
}

/** A sentence about the most frequent reason. */
export function failureFinding({ allReasons, failures }: Overview): string {
  const [most] = allReasons
  return most === undefined ? '' : `${percentText(most.count / failures.now)}: ${failureWords(most.label)}`
}

/** A note with the number of addresses from which the latest failures came. */
export function failureNote({ failureAddresses: found }: Pick<Overview, 'failureAddresses'>): {
  readonly note?: string
} {
  const addresses = addressesText({ ...found, isMore: false })
  if (addresses === null || found.failures < 2) return {}
  return { note: `The latest ${numberText(found.failures)} failures came ${addresses}.` }
}

/** A sentence about the most frequent grant type. */
export function grantFinding({ grants: series }: Overview): string {
  const [most] = series
  return most === undefined ? '' : `${shareOf(most, series)} by ${grantWords(most.label).toLowerCase()}`
}

/** A note with the number of token validations by APIs. */
export function tokenNote({ tokenChecks }: Overview): { readonly note?: string } {
  return tokenChecks === 0
    ? {}
    : { note: `APIs validated tokens ${numberText(tokenChecks)} ${tokenChecks === 1 ? 'time' : 'times'}.` }
}

/** A sentence with the number of new users. */
export function visitorFinding({ visitors: series, users }: Overview): string {
  const fresh = series.find(({ label }) => label === 'new')?.total ?? 0
  return `${numberText(fresh)} of ${numberText(users.now)} ${users.now === 1 ? 'user is' : 'users are'} new`
}

/** A sentence with the share of requests that end with a redirect to the client. */
export function funnelFinding({ funnel }: Overview): string {
  const counts = new Map(funnel.map(({ label, count }) => [label, count]))
  const [begun, answered] = [counts.get('authorize') ?? 0, counts.get('answered') ?? 0]
  return begun === 0 ? '' : `${percentText(Math.min(1, answered / begun))} of requests complete`
}

/** A sentence about the client with the most tokens. */
export function clientFinding({ clients, tokens }: Overview): string {
  const [most] = clients
  if (most === undefined || tokens.now === 0) return ''
  return `${percentText(Math.min(1, most.tokens / tokens.now))} go to ${most.name ?? most.clientId}`
}

function shareOf({ total }: Series, all: readonly Series[]): string {
  return percentText(total / all.reduce((sum, one) => sum + one.total, 0))
}

function sentenceCase(label: string): string {
  return capitalized(label.replaceAll('_', ' '))
}
