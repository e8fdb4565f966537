/** Reasons to bother a signed-in person for a sign-in, each with the error that `prompt=none` gets instead. */
import type { ErrorCode } from '#lib/errors/catalog.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { requestedProvider } from './open-providers.ts'
import type { Situation } from './situation.ts'

export type SignedIn = Situation & { readonly session: Session }

export type SignInReason = {
  readonly name: string
  readonly error: ErrorCode
  readonly at: 'sign_in' | 'select_account'
  readonly applies: (situation: SignedIn) => boolean
}

/** In order; the first that applies is the one given. */
export const signInReasons: readonly SignInReason[] = [
  {
    name: 'prompt_login',
    error: 'login_required',
    at: 'sign_in',
    applies: situation => situation.request.prompts.includes('login') && !isProvenSince(situation),
  },
  {
    name: 'requested_provider_differs',
    error: 'login_required',
    at: 'sign_in',
    applies: ({ request, client, providers, session }) => {
      const asked = requestedProvider(request, client, providers)
      return asked !== null && asked !== session.idp
    },
  },
  {
    name: 'provider_not_open_to_client',
    error: 'interaction_required',
    at: 'sign_in',
    applies: ({ session, providers }) =>
      session.idp !== localProvider && providers.every(({ scheme }) => scheme !== session.idp),
  },
  {
    name: 'local_login_not_open_to_client',
    error: 'interaction_required',
    at: 'sign_in',
    applies: ({ session, client }) => session.idp === localProvider && !client.enableLocalLogin,
  },
  {
    name: 'max_age_exceeded',
    error: 'login_required',
    at: 'sign_in',
    applies: situation => isTooOld(situation) && !isProvenSince(situation),
  },
  {
    name: 'hint_names_another',
    error: 'login_required',
    at: 'sign_in',
    applies: situation => hintDiffers(situation) && !isFresh(situation),
  },
  {
    name: 'prompt_select_account',
    error: 'account_selection_required',
    at: 'select_account',
    applies: situation => situation.request.prompts.includes('select_account') && !isChosen(situation),
  },
  {
    name: 'login_hint_names_another',
    error: 'account_selection_required',
    at: 'select_account',
    // An `id_token_hint` says more surely who is meant
    applies: situation =>
      situation.loginHintDiffers && situation.hint.kind !== 'subject' && !isChosen(situation),
  },
]

/** Whether the hint names somebody else. One we cannot read counts against a silent request alone. */
export function hintDiffers({ hint, request, session }: SignedIn): boolean {
  if (hint.kind === 'unreadable') return request.prompts.includes('none')
  return hint.kind === 'subject' && hint.subject !== session.subject
}

/** Proved who they are since the request arrived: without this the same request would ask for ever. */
function isProvenSince({ pending, session }: SignedIn): boolean {
  return pending !== null && session.authenticatedAt >= pending.createdAt
}

/** Came here to sign in since then. At a provider they may have proved who they are long before. */
function isFresh({ pending, session }: SignedIn): boolean {
  return pending !== null && session.createdAt >= pending.createdAt
}

function isTooOld({ request, session, now }: SignedIn): boolean {
  if (request.maxAgeSeconds === null) return false
  const ageSeconds = (now.getTime() - session.authenticatedAt.getTime()) / 1000
  return request.maxAgeSeconds === 0 || ageSeconds > request.maxAgeSeconds
}

function isChosen(situation: SignedIn): boolean {
  return isFresh(situation) || situation.pending?.chosenSubject === situation.session.subject
}
