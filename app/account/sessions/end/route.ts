import { hostedFormOf } from '#app/_ui/hosted-route.ts'
import { readFormPairs, readParameters } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { endOtherSessions } from '#lib/identity/account.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { ownSession } from '../../own-session.ts'

/** Ends other sessions of the user, or without a `session_id` all sessions except this browser's. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedFormOf(
  '/account/sessions/end',
  async posted => {
    const { form, context, services } = posted
    const found = await ownSession(posted, { user: form.one('user') })
    if ('elsewhere' in found) return found.elsewhere
    const named = form.all('session_id')
    const sessionIds = named.length === 0 ? null : named
    await endOtherSessions(services.ports, { session: found.session, sessionIds }, context)
    return seeOther(`/account?done=${doneOf(named.length)}`)
  },
  readSelection,
)

function doneOf(named: number): string {
  if (named === 0) return 'ended_others'
  return named === 1 ? 'ended' : 'ended_several'
}

async function readSelection(request: Request): Promise<Parameters> {
  return readParameters(await readFormPairs(request), { repeatable: ['session_id'] })
}
