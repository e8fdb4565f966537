/** Which ways of signing in a person has here. */
import { redirect } from 'next/navigation'
import type { Query, Visit } from '#app/_ui/visit.ts'
import { pendingHandle } from '#app/_ui/visit.ts'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import { backPath } from '#lib/http/sign-in-back.ts'
import type { Interaction } from '#lib/identity/interaction.ts'
import type { Client } from '#lib/protocol/client.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { Carried } from './addresses.ts'

export type ShownProvider = {
  readonly scheme: string
  readonly displayName: string
  readonly domains: readonly string[]
}

export type SignInView = {
  /** `null`: nobody waits, the person came by themselves. */
  readonly client: Client | null
  readonly allowsPassword: boolean
  readonly providers: readonly ShownProvider[]
  readonly carried: Carried
  readonly loginHint: string | null
  readonly uiLocales: readonly string[]
  /** The app asks whoever is signed in to prove it anew. */
  readonly isAgain: boolean
}

/** `null` when the address names a request that does not wait in this browser. */
export async function readSignIn(visit: Visit, query: Query): Promise<SignInView | null> {
  const { services, cookies } = visit
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
 * Whoever signed in meanwhile, in another tab, is offered to go on as who they are. Not when they asked for another
 * account, nor when that just failed.
 */
export async function leaveIfSignedIn(visit: Visit, query: Query): Promise<void> {
  if (query.pending === undefined || query.account === 'other' || query.error !== undefined) return
  const { services, cookies } = visit
  const asked = {
    pending: pendingHandle(query),
    browser: cookies.browser,
    session: await services.currentSession(cookies.session),
  }
  if (await services.isSignedInFor(asked)) redirect(`/select-account?pending=${query.pending}`)
}

/** Who chooses among accounts may be somebody else. */
function asksAgain({ prompts, maxAgeSeconds }: Interaction['request']): boolean {
  return prompts.includes('login') || (maxAgeSeconds !== null && !prompts.includes('select_account'))
}
