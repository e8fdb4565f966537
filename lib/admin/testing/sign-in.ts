/** Signs in to the dashboard without a browser. */

import assert from 'node:assert/strict'
import { authorize } from '#lib/core/authorize/authorize.ts'
import { context } from '#lib/core/testing/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { AdminSessionHandle } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import type { AdminCookies } from '../access/admin-session.ts'
import { type AdminCallback, finishSignIn, type SignInOutcome, startSignIn } from '../access/sign-in.ts'
import type { AdminTestPorts } from './admin-ports.ts'

/** Starts a sign-in and returns the callback that the authorization endpoint sends. */
export async function callbackOf(
  { ports }: AdminTestPorts,
  session: Session,
  back = '/admin',
): Promise<AdminCallback> {
  const { sealed, location } = startSignIn(ports, { back, isFreshSignIn: false, loginHint: null })
  const parameters = Object.fromEntries(new URL(location, ports.settings.issuer).searchParams)
  const browser = ports.random.handle('browser')
  const outcome = await authorize(
    ports,
    { parameters: parametersFrom(parameters), session, browser },
    context,
  )
  assert.ok(outcome.kind === 'respond', outcome.kind)
  return { parameters: Object.fromEntries(outcome.fields), request: sealed, replaced: null }
}

/** Finishes a sign-in with changes to its callback. */
export async function finishSignInWith(
  opened: AdminTestPorts,
  session: Session,
  changes: Partial<AdminCallback> = {},
): Promise<SignInOutcome> {
  return finishSignIn(opened.ports, { ...(await callbackOf(opened, session)), ...changes }, context)
}

/** Opens a browser session, signs in to the dashboard, and returns the session and the cookies. */
export async function signInAsAdmin(
  opened: AdminTestPorts,
  subject: string,
): Promise<{
  readonly session: Session
  readonly cookies: AdminCookies & { readonly admin: AdminSessionHandle }
}> {
  const { random, hashing } = opened.ports
  const handle = random.handle('session')
  const session = await opened.openSession(subject, { digest: hashing.digest(handle) })
  const entry = await finishSignInWith(opened, session)
  assert.ok(entry.kind === 'signed_in', entry.kind)
  return { session, cookies: { admin: entry.session, session: handle } }
}
