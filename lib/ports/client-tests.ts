/** Tests of clients that admins run from the dashboard. For them, and nobody else, a redirect URI of ours stands in. */
import type { AuthorizeParameters } from '#lib/protocol/authorize-params.ts'
import type { Session } from './sessions.ts'

/**
 * In whose browser session the request stands. `accepted`: it was accepted in the right one before, waits in the browser
 * that began it, and is only looked at again.
 */
export type Asker = Session | null | 'accepted'

export type ClientTests = {
  /**
   * The name, for the events, of the test that asks exactly this: every parameter is the one the test began with, the
   * session is that of the admin who began it, and it was neither answered yet nor is it too old. Else `null`.
   */
  readonly nameOf: (request: AuthorizeParameters, asker: Asker) => Promise<string | null>
}
