/** Reads what the pages of a sign-in show, and the parameters that their links and forms pass on. */
import type { PageContent, PageExchange } from '#app/_ui/hosted-route.ts'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import type { SignedInUser } from '#lib/core/authorize/authorize.ts'
import type { PendingInteraction } from '#lib/core/authorize/pending.ts'
import { isSignedInFor } from '#lib/core/authorize/resume.ts'
import { listedProviders } from '#lib/core/authorize/sign-in-providers.ts'
import { isRegistrationOpen } from '#lib/core/sign-in/registration-policy.ts'
import type { Query } from '#lib/http/page-frame.ts'
import { withQuery } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import { enabledProviders } from '#lib/identity/external-provider.ts'
import { hasRecoveryPage } from '#lib/identity/password-recovery/request-recovery.ts'
import { readInteraction } from '#lib/identity/pending-user.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { PresetName } from '#lib/protocol/registration/provider-presets.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { pendingHandle, resumeReply } from '../pending-page.ts'

export type ShownProvider = {
  readonly scheme: string
  readonly displayName: string
  readonly preset: PresetName
  readonly domains: readonly string[]
}

/** The parameters that the links and forms of a sign-in pass on. */
export type Carried = {
  readonly pending: string | null
  readonly back: string | null
  /** Set to `other` if the user chose to sign in with a different account. */
  readonly account?: 'other' | null
}

export type SignInStep = {
  /** The client that requested the sign-in; `null` if the user opened the page. */
  readonly client: Client | null
  readonly allowsPassword: boolean
  readonly allowsPasskey: boolean
  /** Whether there is a page for users who forgot their password. */
  readonly offersRecovery: boolean
  /** Whether users can create an account. Administrators do not create their own. */
  readonly offersRegistration: boolean
  readonly providers: readonly ShownProvider[]
  readonly carried: Carried
  readonly loginHint: string | null
  readonly uiLocales: readonly string[]
  /** Whether the page asks for a new sign-in of the same user. This does not mean that a user is signed in. */
  readonly isAgain: boolean
}

/** The step as the request allows it. */
type RequestedStep = Omit<SignInStep, 'allowsPasskey'>

type OpenedStep = { readonly step: SignInStep; readonly user: SignedInUser }

/** Reads the step of a sign-in. Returns `elsewhere` if the user continues on another page. */
export async function openSignInStep(page: PageExchange): Promise<PageContent<OpenedStep>> {
  const { query, cookies, services } = page
  const carried = { ...cookies, pending: pendingHandle(query) }
  const { interaction, ...user } = await readInteraction(services.pendingPorts(), carried)
  const isVisit = query.pending === undefined
  if (interaction === null && !isVisit) return { elsewhere: resumeReply(query) }
  const shown = interaction === null ? await visitStep(page, user) : await stepOf(page, interaction, user)
  const hasPasskeys = services.ports.settings.relyingParty.kind === 'on'
  const step = { ...shown, allowsPasskey: shown.allowsPassword && hasPasskeys }
  const mayChoose = user.session === null && cookies.sessions.some(handle => handle !== cookies.session)
  if (mayChoose && mayContinue(query))
    return { elsewhere: seeOther(withCarried('/select-account', step.carried)) }
  if (
    interaction !== null &&
    mayContinue(query) &&
    (await isSignedInFor(services.pendingPorts(), interaction, user))
  ) {
    return { elsewhere: seeOther(`/select-account?pending=${encodeURIComponent(query.pending ?? '')}`) }
  }
  const frame = {
    query: Object.fromEntries(carriedFields(step.carried)),
    uiLocales: step.uiLocales,
    offersSignOut: user.session !== null,
    signOutUser: user.session?.subject,
  }
  return { shown: { step, user }, frame }
}

/** The step of a user who opened the page without a client. */
async function visitStep(
  { query, services }: PageExchange,
  { session }: SignedInUser,
): Promise<RequestedStep> {
  return {
    client: null,
    allowsPassword: services.ports.settings.localLogin,
    offersRecovery: hasRecoveryPage(services.ports, null),
    offersRegistration: await isRegistrationOpen(services.ports),
    providers: listedProviders(await enabledProviders(services.ports), session?.idp ?? null),
    carried: { pending: null, back: backPath(query.back), account: accountChoice(query) },
    loginHint: null,
    uiLocales: [],
    isAgain: false,
  }
}

function accountChoice(query: Query): Carried['account'] {
  return query.account === 'other' ? 'other' : null
}

async function stepOf(
  { query, services }: PageExchange,
  interaction: PendingInteraction,
  { session }: SignedInUser,
): Promise<RequestedStep> {
  const { client, providers, requestedProvider: only, loginHint, uiLocales, request } = interaction
  const account = accountChoice(query)
  const allowsPassword = interaction.localLoginAllowed && (only === null || only === localProvider)
  return {
    client,
    allowsPassword,
    offersRecovery: hasRecoveryPage(services.ports, interaction),
    offersRegistration:
      allowsPassword && client.clientId !== adminClientId && (await isRegistrationOpen(services.ports)),
    providers: listedProviders(providers, only ?? session?.idp ?? null).filter(
      ({ scheme }) => only === null || only === scheme,
    ),
    carried: { pending: query.pending ?? null, back: null, account },
    loginHint,
    uiLocales,
    // The dashboard sends a login hint only for an admin session; without a hint, the page is that of a first sign-in
    isAgain:
      account === null && asksAgain(request) && (client.clientId !== adminClientId || loginHint !== null),
  }
}

/**
 * Whether the client asks for a new sign-in of the same user: by `prompt=login`, or by `max_age` without `select_account`, with
 * which the user may choose another account.
 */
function asksAgain({ prompts, maxAgeSeconds }: PendingInteraction['request']): boolean {
  return prompts.includes('login') || (maxAgeSeconds !== null && !prompts.includes('select_account'))
}

/**
 * Whether the user may be offered to continue with the signed-in account: not if the user asked for a different account, nor
 * after a failed attempt.
 */
function mayContinue({ account, error = 'signed_out' }: Query): boolean {
  return account !== 'other' && error === 'signed_out'
}

export function withCarried(path: string, carried: Carried): string {
  return withQuery(path, carriedFields(carried))
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
