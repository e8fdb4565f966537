/** The labels of counts in words, and titles that say what a chart shows. */
import { reasonWords } from '#lib/admin/events/reason-words.ts'
import type { Overview } from '#lib/admin/overview/overview.ts'
import { others, type Series } from '#lib/admin/overview/tally.ts'
import { capitalised } from '#lib/protocol/text/display-text.ts'
import { numberText, percentText } from '../_ui/charts/number-words.ts'

const methods: Readonly<Record<string, string>> = {
  pwd: 'Password',
  external: 'Identity provider',
  [others]: 'Other ways',
}

const grants: Readonly<Record<string, string>> = {
  authorization_code: 'After a sign-in',
  refresh_token: 'Refreshed',
  client_credentials: 'For the client itself',
  password: 'By password',
  implicit: 'In the address bar',
  [others]: 'Other grants',
}

const visitors: Readonly<Record<string, string>> = { returning: 'Came back', new: 'New' }

const steps: Readonly<Record<string, string>> = {
  authorize: 'Apps asked for a sign-in',
  login_shown: 'Sign-in page shown',
  sign_in: 'Signed in',
  consent: 'Gave consent',
  turned_back: 'Turned back by themselves',
  answered: 'Sent back to the app',
  code_redeemed: 'App redeemed the code',
}

const removed: Readonly<Record<string, string>> = {
  tries: 'counters of tries',
  requests: 'unanswered requests',
  sign_ins: 'unfinished sign-ins',
  forms: 'answers to forms',
  admin_visits: 'visits to the dashboard',
}

export const methodWords = (label: string) => methods[label] ?? sentenceCase(label)
export const grantWords = (label: string) => grants[label] ?? sentenceCase(label)
export const visitorWords = (label: string) => visitors[label] ?? label
export const stepWords = (label: string) => steps[label] ?? sentenceCase(label)
export const removedWords = (label: string) => removed[label] ?? label.replaceAll('_', ' ')

/** What is counted without the word of somebody else that the reasons of its events end with. */
const answers: Readonly<Record<string, string>> = {
  provider_answered: 'An identity provider sent people back with an error',
  token_endpoint_answered: 'An identity provider refused to redeem a code',
}

/** The filter that finds the events behind a counted reason. */
export function eventsOf(label: string): Readonly<Record<string, string>> {
  if (label === 'limited') return { name: 'sign_in_limited' }
  return Object.hasOwn(answers, label) ? { name: 'external_sign_in_failed' } : { reason: label }
}

/** What goes wrong, as a sentence of its own. */
export function failureWords(label: string): string {
  if (label === others) return 'Other reasons'
  if (label === 'limited') return 'There were too many tries'
  if (Object.hasOwn(answers, label)) return answers[label] ?? label
  return capitalised(reasonWords(label))
}

/** How most people sign in. */
export function methodFinding({ methods: series }: Overview): string {
  const [most] = series
  return most === undefined ? '' : `${shareOf(most, series)} ${methodVerb(most.label)}`
}

function methodVerb(label: string): string {
  if (label === 'pwd') return 'sign in with a password'
  return label === 'external' ? 'sign in at an identity provider' : `sign in by ${methodWords(label)}`
}

/** What most refusals have in common. */
export function failureFinding({ allReasons, failures }: Overview): string {
  const [most] = allReasons
  if (most === undefined) return ''
  const share = percentText(most.count / failures.now)
  return `${most.count === failures.now ? 'Always' : share} the same: ${reasonText(most.label)}`
}

function reasonText(label: string): string {
  const words = failureWords(label)
  return words.charAt(0).toLowerCase() + words.slice(1)
}

/** What most tokens follow from. */
export function grantFinding({ grants: series }: Overview): string {
  const [most] = series
  if (most === undefined) return ''
  const words: Readonly<Record<string, string>> = {
    authorization_code: 'follow a sign-in',
    refresh_token: 'are refreshed ones',
    client_credentials: 'are for the clients themselves',
  }
  return `${shareOf(most, series)} ${words[most.label] ?? `come by ${grantWords(most.label)}`}`
}

/** What APIs do with the tokens. */
export function tokenNote({ tokenChecks }: Overview): { readonly note?: string } {
  return tokenChecks === 0
    ? {}
    : { note: `APIs asked ${numberText(tokenChecks)} times whether a token is good.` }
}

/** How many are new. */
export function visitorFinding({ visitors: series, people }: Overview): string {
  const fresh = series.find(({ label }) => label === 'new')?.total ?? 0
  if (fresh === 0 && people.now === 1) return 'The only one came before'
  if (fresh === 0) return `All ${numberText(people.now)} came before`
  if (people.now === 1) return 'The only one is new'
  return fresh === people.now
    ? `All ${numberText(fresh)} are new`
    : `${numberText(fresh)} of ${numberText(people.now)} are new`
}

/** Where most are lost among those who were to sign in, or how many arrive. */
export function funnelFinding({ funnel }: Overview): string {
  const counts = new Map(funnel.map(({ label, count }) => [label, count]))
  const [asked, answered] = [counts.get('authorize') ?? 0, counts.get('answered') ?? 0]
  if (asked === 0) return ''
  return `${percentText(Math.min(1, answered / asked))} of the requests are answered`
}

/** Who gets the most tokens. */
export function clientFinding({ clients, tokens }: Overview): string {
  const [most] = clients
  if (most === undefined || tokens.now === 0) return ''
  return `${percentText(Math.min(1, most.tokens / tokens.now))} go to ${most.name ?? most.clientId}`
}

function shareOf({ total }: Series, all: readonly Series[]): string {
  return percentText(total / all.reduce((sum, one) => sum + one.total, 0))
}

function sentenceCase(label: string): string {
  return capitalised(label.replaceAll('_', ' '))
}
