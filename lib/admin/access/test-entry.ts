/** The way into the dashboard, without a browser: away with a departure, back with a code. */

import assert from 'node:assert/strict'
import { authorize } from '#lib/core/authorize/authorize.ts'
import { context } from '#lib/core/test-ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { AdminSessionHandle } from '#lib/protocol/ids.ts'
import { parametersFrom } from '#lib/protocol/wire/parameters.ts'
import type { AdminTestPorts } from '../test-admin-ports.ts'
import { depart } from './departure.ts'
import { type AdminEntry, type AdminReturn, enter } from './sign-in.ts'

/** What the browser brings back from the authorization endpoint. */
export async function comeBack(
  { ports }: AdminTestPorts,
  session: Session,
  back = '/admin',
): Promise<AdminReturn> {
  const { sealed, location } = depart(ports, { back, isStepUp: false, loginHint: null })
  const parameters = Object.fromEntries(new URL(location, ports.settings.issuer).searchParams)
  const browser = ports.random.handle('browser')
  const outcome = await authorize(
    ports,
    { parameters: parametersFrom(parameters), session, browser },
    context,
  )
  assert.ok(outcome.kind === 'respond', outcome.kind)
  return { parameters: Object.fromEntries(outcome.fields), departure: sealed, replaced: null }
}

/** The whole way, with changes on the last step. */
export async function enterAs(
  opened: AdminTestPorts,
  session: Session,
  changes: Partial<AdminReturn> = {},
): Promise<AdminEntry> {
  return enter(opened.ports, { ...(await comeBack(opened, session)), ...changes }, context)
}

/** The same for somebody who is expected to get in. */
export async function letIn(opened: AdminTestPorts, session: Session): Promise<AdminSessionHandle> {
  const entry = await enterAs(opened, session)
  assert.ok(entry.kind === 'entered', entry.kind)
  return entry.session
}
