/** The reasons to ask a signed-in user to sign in again, whose error `prompt=none` gets instead. */
import type { ErrorReason } from '#lib/errors/reasons.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { isConsentNeeded } from '../consent/consent-rule.ts'
import type { DecisionContext } from './decision-context.ts'
import { requestedProvider } from './open-providers.ts'

export type SignedIn = DecisionContext & { readonly session: Session }

export type SignInReason = {
  readonly name: ErrorReason
  readonly at: 'sign_in' | 'select_account'
  readonly applies: (context: SignedIn) => boolean
}

/** In order; the first that applies is the one given. */
export const signInReasons: readonly SignInReason[] = [
  {
    name: 'prompt_login',
    at: 'sign_in',
    applies: context => context.request.prompts.includes('login') && !isProvenSince(context),
  },
  {
    name: 'requested_provider_differs',
    at: 'sign_in',
    applies: ({ request, client, providers, session }) => {
      const asked = requestedProvider(request, client, providers)
      return asked !== null && asked !== session.idp
    },
  },
  {
    name: 'provider_not_open_to_client',
    at: 'sign_in',
    applies: ({ session, providers }) =>
      session.idp !== localProvider && providers.every(({ scheme }) => scheme !== session.idp),
  },
  {
    name: 'local_login_not_open_to_client',
    at: 'sign_in',
    applies: ({ session, client }) => session.idp === localProvider && !client.enableLocalLogin,
  },
  {
    name: 'max_age_exceeded',
    at: 'sign_in',
    applies: context => isTooOld(context) && !isProvenSince(context),
  },
  {
    name: 'hint_names_another',
    at: 'sign_in',
    applies: context => hintDiffers(context) && !isFresh(context),
  },
  {
    name: 'prompt_select_account',
    at: 'select_account',
    applies: context => context.request.prompts.includes('select_account') && !isChosen(context),
  },
  {
    name: 'login_hint_names_another',
    at: 'select_account',
    // An `id_token_hint` says more surely who is meant
    applies: context =>
      context.loginHintDiffers &&
      context.hint.kind !== 'subject' &&
      !isChosen(context) &&
      !isSilentWithoutConsent(context),
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

/**
 * The error would tell a client without consent whether a guessed name is the user's: without it the request gets
 * `consent_required`, as it would with the right name.
 */
function isSilentWithoutConsent(context: SignedIn): boolean {
  return context.request.prompts.includes('none') && isConsentNeeded(context, context.request.scopes)
}

function isChosen(context: SignedIn): boolean {
  return isFresh(context) || context.pending?.chosenSubject === context.session.subject
}
