/** Sets up tests of registration: open policies, a filled-in form, and the mails that it causes. */
import assert from 'node:assert/strict'
import { context, withPolicies } from '#lib/core/testing/ports.ts'
import type { MailBody } from '#lib/ports/mail.ts'
import { deliveryContext } from '#lib/ports/outbox.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type MailLinkHandle, parseHandle } from '#lib/protocol/ids.ts'
import type { Policies } from '#lib/protocol/registration/policies.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { openTestSignIn, type TestSignIn } from '../../testing/sign-in.ts'
import { confirmRegistration } from '../confirm-registration.ts'
import { type RegistrationInput, requestRegistration } from '../request-registration.ts'

export const chosenPassword = 'nine quiet harbors at night'

export function openTestRegistration(
  policies: Partial<Policies>,
  replaced: Partial<Ports> = {},
): Promise<TestSignIn> {
  return openTestSignIn({ policies: withPolicies({ registration: 'open', ...policies }), ...replaced })
}

let users = 0

/** Returns a filled-in form of a new user. */
export function registrationForm(
  { browser }: Pick<TestSignIn, 'browser'>,
  changes: Partial<RegistrationInput> = {},
): RegistrationInput {
  users += 1
  const username = `newcomer-${users}`
  return {
    ...{ username, email: `${username}@example.org`, fields: {}, acceptedTerms: '' },
    ...{ password: chosenPassword, again: chosenPassword, invitation: null, pending: null },
    ...{ back: '/account', locale: 'de', browser, previous: [], knownBrowser: null },
    canCreatePasskeys: false,
    ...changes,
  }
}

let addresses = 0

/** Returns the context of a request from another address, so that the limits of one address do not concern it. */
export function elsewhere() {
  addresses += 1
  return { ...context, address: `198.51.${addresses >> 8}.${addresses & 255}` }
}

/** Sends the form, and returns the mail with its link and its code. */
export async function askToRegister(setup: TestSignIn, changes: Partial<RegistrationInput> = {}) {
  const sent = registrationForm(setup, changes)
  const outcome = await requestRegistration(setup.ports, sent, elsewhere())
  assert.ok(outcome.kind === 'requested', outcome.kind)
  await setup.settle()
  const mails = await newMails(setup)
  const values = mails[0]?.values ?? {}
  const link = parseHandle('mailLink', values.link)
  return { ...sent, ...outcome, mails, values, link, code: values.code ?? '' }
}

/** Takes the mails out of the outbox. */
export async function newMails({ ports, storage }: TestSignIn): Promise<readonly MailBody[]> {
  const now = ports.clock.now()
  const until = secondsAfter(now, 31_536_000)
  const mails: MailBody[] = []
  for (;;) {
    const leased = await storage.outbox.lease({ lease: 'test', kinds: ['mail'], now, until })
    if (leased === null) return mails
    mails.push(JSON.parse(ports.sealing.open(leased.sealedBody, deliveryContext(leased.id))))
  }
}

/** Sends the form of the link. `typed`: the password, which another browser needs. */
export function confirmLink(
  { ports, browser }: Pick<TestSignIn, 'ports' | 'browser'>,
  { link }: { readonly link: MailLinkHandle | null },
  typed = '',
) {
  const sent = { browser, previous: [], knownBrowser: null, canCreatePasskeys: false }
  return confirmRegistration(ports, { ...sent, link, password: typed }, context)
}
