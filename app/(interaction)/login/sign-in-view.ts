/** Which ways of signing in a person has here. */
import { adminClientId } from '#lib/admin/access/built-in.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import type { Query } from '#lib/http/page-frame.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import type { Interaction } from '#lib/identity/interaction.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { Services } from '#lib/server/services.ts'
import { pendingHandle } from '../pending-page.ts'
import type { Carried } from './addresses.ts'

export type ShownProvider = {
  readonly scheme: string
  readonly displayName: string
  readonly domains: readonly string[]
}

export type SignInView = {
  /** `null`: no client waits, the user opened the page. */
  readonly client: Client | null
  readonly allowsPassword: boolean
  readonly providers: readonly ShownProvider[]
  readonly carried: Carried
  readonly loginHint: string | null
  readonly uiLocales: readonly string[]
  /** The client requires the signed-in user to sign in again. */
  readonly isAgain: boolean
}

/** `null` when the address names a request that does not wait in this browser. */
export async function readSignIn(
  { services, cookies }: Exchange<Services>,
  query: Query,
): Promise<SignInView | null> {
  const account = query.account === 'other' ? 'other' : null
  if (query.pending === undefined) {
    const providers = await services.enabledProviders()
    const carried = { pending: null, back: backPath(query.back), account } as const
    return {
      client: null,
      allowsPassword: true,
      providers,
      carried,
      loginHint: null,
      uiLocales: [],
      isAgain: false,
    }
  }
  const pending = await services.findPending(pendingHandle(query), cookies.browser)
  if (pending === null) return null
  const { client, providers, requestedProvider: only, loginHint, uiLocales, request } = pending
  return {
    client,
    allowsPassword: pending.localLoginAllowed && (only === null || only === localProvider),
    providers: providers.filter(({ scheme }) => only === null || only === scheme),
    carried: { pending: query.pending, back: null, account },
    loginHint,
    uiLocales,
    // The dashboard names those whose visit it knows; others come to its door for the first time
    isAgain:
      account === null && asksAgain(request) && (client.clientId !== adminClientId || loginHint !== null),
  }
}

/**
 * Whether the user signed in for this request since, in another tab: they may continue as who they are. Not when they
 * asked for another account, nor when signing in just failed.
 */
export async function isSignedInFor(
  { services, cookies }: Exchange<Services>,
  query: Query,
  session: Awaited<ReturnType<Services['currentSession']>>,
): Promise<boolean> {
  if (query.pending === undefined || query.account === 'other' || query.error !== undefined) return false
  return services.isSignedInFor({ pending: pendingHandle(query), browser: cookies.browser, session })
}

export function selectAccountReply(query: Query): Reply {
  return seeOther(`/select-account?pending=${encodeURIComponent(query.pending ?? '')}`)
}

/** On account selection the user may choose a different account. */
function asksAgain({ prompts, maxAgeSeconds }: Interaction['request']): boolean {
  return prompts.includes('login') || (maxAgeSeconds !== null && !prompts.includes('select_account'))
}
