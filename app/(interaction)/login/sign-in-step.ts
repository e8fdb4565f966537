/** A step of a sign-in: what its pages read from the request, and what their links and forms carry on. */
import type { PageExchange } from '#app/_ui/hosted-route.ts'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import { findInteraction, type PendingInteraction } from '#lib/core/authorize/pending.ts'
import { isSignedInFor } from '#lib/core/authorize/resume.ts'
import { pageFrame } from '#lib/http/page-frame.ts'
import { encodeForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import { enabledProviders } from '#lib/identity/external-provider.ts'
import { currentSession } from '#lib/identity/session.ts'
import type { Frame } from '#lib/pages/frame.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { pendingHandle, resumeReply } from '../pending-page.ts'

export type ShownProvider = {
  readonly scheme: string
  readonly displayName: string
  readonly domains: readonly string[]
}

/** The parameters of all pages of one sign-in: the pending request, or the page to return to. */
export type Carried = {
  readonly pending: string | null
  readonly back: string | null
  /** The user wants to use a different account from the signed-in one. */
  readonly account?: 'other' | null
}

type Session = NonNullable<Awaited<ReturnType<typeof currentSession>>>

export type SignInStep = {
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

type OpenedStep =
  | {
      readonly elsewhere: null
      readonly step: SignInStep
      readonly session: Session | null
      readonly frame: Frame
    }
  /** The request of the page is not pending, or needs no sign-in. */
  | { readonly elsewhere: Reply }

export async function openSignInStep(page: PageExchange): Promise<OpenedStep> {
  const { query, cookies, services } = page
  const step = await readStep(page)
  if (step === null) return { elsewhere: resumeReply(query) }
  const session = await currentSession(services.ports, cookies.session)
  if (await isSignedInSince(page, session)) {
    return { elsewhere: seeOther(`/select-account?pending=${encodeURIComponent(query.pending ?? '')}`) }
  }
  const frame = pageFrame(page, {
    query: Object.fromEntries(carriedFields(step.carried)),
    uiLocales: step.uiLocales,
    offersSignOut: session !== null,
  })
  return { elsewhere: null, step, session, frame }
}

async function readStep({ query, cookies, services }: PageExchange): Promise<SignInStep | null> {
  const account = query.account === 'other' ? 'other' : null
  if (query.pending === undefined) {
    return {
      client: null,
      allowsPassword: true,
      providers: await enabledProviders(services.ports),
      carried: { pending: null, back: backPath(query.back), account },
      loginHint: null,
      uiLocales: [],
      isAgain: false,
    }
  }
  const pending = await findInteraction(services.pendingPorts(), pendingHandle(query), cookies.browser)
  if (pending === null) return null
  const { client, providers, requestedProvider: only, loginHint, uiLocales, request } = pending
  return {
    client,
    allowsPassword: pending.localLoginAllowed && (only === null || only === localProvider),
    providers: providers.filter(({ scheme }) => only === null || only === scheme),
    carried: { pending: query.pending, back: null, account },
    loginHint,
    uiLocales,
    // The dashboard sends a login hint when it has an admin session, and asks others to sign in for the first time
    isAgain:
      account === null && asksAgain(request) && (client.clientId !== adminClientId || loginHint !== null),
  }
}

/** On account selection the user may choose a different account. */
function asksAgain({ prompts, maxAgeSeconds }: PendingInteraction['request']): boolean {
  return prompts.includes('login') || (maxAgeSeconds !== null && !prompts.includes('select_account'))
}

/**
 * Whether the user has since signed in for this request, in another tab, and may continue with that account. Not when the
 * user asked for another account, nor when signing in just failed.
 */
async function isSignedInSince(
  { query, cookies, services }: PageExchange,
  session: Session | null,
): Promise<boolean> {
  if (query.pending === undefined || query.account === 'other' || query.error !== undefined) return false
  return isSignedInFor(services.pendingPorts(), {
    pending: pendingHandle(query),
    browser: cookies.browser,
    session,
  })
}

export function withCarried(path: string, carried: Carried): string {
  const query = encodeForm(carriedFields(carried))
  return query === '' ? path : `${path}?${query}`
}

export function externalStart(scheme: string, carried: Carried): string {
  return withCarried(`/login/external/${encodeURIComponent(scheme)}/start`, carried)
}

export function carriedFields({
  pending,
  back,
  account = null,
}: Carried): ReadonlyArray<readonly [string, string]> {
  const fields = [
    ['pending', pending],
    ['back', back],
    ['account', account],
  ] as const
  return fields.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}
