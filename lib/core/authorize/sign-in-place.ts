import { localProvider } from '#lib/protocol/vocabulary.ts'
import { requestedProvider } from './open-providers.ts'
import type { Situation } from './situation.ts'
import type { Step } from './step.ts'

/**
 * Where this client's people sign in: straight at the provider the app asked for or the only one there is,
 * at our own form, or where they pick a provider.
 */
export function signInPlace({ request, client, providers }: Situation, reason: string): Step {
  const asked = requestedProvider(request, client, providers)
  if (asked !== null && asked !== localProvider) return { kind: 'forward', scheme: asked, reason }
  if (client.enableLocalLogin) return { kind: 'ask', at: 'login', reason }
  const [first, second] = providers
  if (first === undefined) return { kind: 'refuse', code: 'access_denied', reason: 'no_way_to_sign_in' }
  if (second === undefined) return { kind: 'forward', scheme: first.scheme, reason }
  return { kind: 'ask', at: 'providers', reason }
}
