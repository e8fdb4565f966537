/**
 * The limits on wrong codes, of authenticator app and recovery codes together. Only those who know the password reach them;
 * a browser in which the user has proven a second factor before has separate ones, so that they cannot lock the user out there.
 */
import { rateLimits } from '#lib/config/limits.ts'
import { type AttemptLimits, ownLimits } from '#lib/core/limits/attempt-limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { AuthenticatorApp } from '#lib/ports/second-factors.ts'
import type { ProvenSignIn } from '#lib/ports/sign-in-steps.ts'
import { knownBrowserId, markKnownBrowser } from '../sign-in-limits.ts'
import { knownBrowsersRules, secondFactorRules } from '../user-limits.ts'

type Limited = {
  readonly proven: Pick<ProvenSignIn, 'subject' | 'account'>
  readonly app: AuthenticatorApp | null
  readonly knownBrowser: string | null
}

export async function secondFactorLimits(
  ports: Ports,
  { proven: { subject, account }, app, knownBrowser }: Limited,
): Promise<AttemptLimits> {
  const browser = app && (await knownBrowserId(ports, knownBrowser, markOf(app)))
  if (browser === null) return ownLimits(secondFactorRules(subject, account))
  const about = account === undefined ? {} : { account }
  return ownLimits([
    { ...about, key: `second-factor:device:${browser}:${subject}`, ...rateLimits.knownBrowser },
    ...knownBrowsersRules(subject, account),
  ])
}

/** Returns the mark of the browser for its cookie, after a second factor was proven in it. */
export async function markProvenBrowser(
  ports: Ports,
  { proven: { account }, app, knownBrowser }: Limited,
): Promise<string | null> {
  const marked = app === null ? knownBrowser : await markKnownBrowser(ports, knownBrowser, markOf(app))
  return account === undefined ? marked : markKnownBrowser(ports, marked, { account })
}

/** A new app makes all browsers unknown: those that knew the earlier one may be others' browsers. */
function markOf({ subject, sealedSecret }: AuthenticatorApp) {
  return { account: `second-factor:${subject}`, stamp: sealedSecret }
}
