/**
 * Step-up (RFC 9470): a signed-in user proves the factors that a request requires in addition, without the whole sign-in. It
 * continues as an interrupted sign-in that begins with the factors of the session.
 */
import { assuranceOfSession, reaches } from '#lib/core/sign-in/assurance.ts'
import { requiredAssurance } from '#lib/core/sign-in/required-assurance.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session, SessionDetails } from '#lib/ports/sessions.ts'
import type { Credential, Factor, ProvenSignIn } from '#lib/ports/sign-in-steps.ts'
import type { BrowserHandle, PendingHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { SentSessions } from './browser-accounts.ts'
import { continueSignIn } from './finish-sign-in.ts'
import { hintsOf } from './interaction.ts'
import { readInteraction } from './pending-user.ts'
import type { SignInOutcome } from './sign-in-outcome.ts'

type StepUpInput = SentSessions & {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
}

/** `resume`: the authorization endpoint decides again, because no user is signed in or the level is reached. */
type StepUpOutcome = SignInOutcome | { readonly kind: 'resume' }

/** Begins with the first step that applies. */
export async function beginStepUp(
  ports: Ports,
  input: StepUpInput,
  context: RequestContext,
): Promise<StepUpOutcome> {
  const { interaction, session } = await readInteraction(ports, input)
  if (interaction === null || session === null) return { kind: 'resume' }
  const hints = hintsOf(interaction)
  if (reaches(assuranceOfSession(session), requiredAssurance(hints))) return { kind: 'resume' }
  const { idp, isPersistent: remember } = session
  const { pending, browser, sessions: previous } = input
  const signIn = { idp, remember, hints, pending, browser, previous }
  return continueSignIn(ports, provenInSession(session), signIn, context)
}

/** Returns the facts that the user has proven in the session. */
export function provenInSession(session: Session): ProvenSignIn {
  const { digest, subject, idp, name, acr, authenticatedAt, details } = session
  const [first = wholeSignIn(session), ...others] = (details.factors ?? []).map(factor =>
    factorOf(factor, idp),
  )
  return {
    ...{ subject, idp, authenticatedAt },
    raises: { session: digest, factorCount: 1 + others.length },
    factors: [first, ...others],
    userService: { kind: 'accepted', name, acr },
    provider: null,
    returnedFrom: {},
  }
}

/** Returns the only factor of a session that an earlier version opened. */
function wholeSignIn({ amr, authenticatedAt, idp }: Session): Factor {
  return { methods: amr, at: authenticatedAt, credential: credentialOf(undefined, { methods: amr, idp }) }
}

type StoredFactor = NonNullable<SessionDetails['factors']>[number]

function factorOf({ methods, at, kind, hasTwoFactors, passkey }: StoredFactor, idp: string): Factor {
  const credential = credentialOf(kind, { methods, idp, passkey })
  const trusted = credential.kind === 'provider' && hasTwoFactors === true ? { hasTwoFactors } : {}
  return { methods, at: new Date(at), credential: { ...credential, ...trusted } }
}

type CredentialFacts = {
  readonly methods: readonly string[]
  readonly idp: string
  readonly passkey?: string | undefined
}

/** Returns a credential of this kind. The session does not keep the password hash. */
function credentialOf(
  kind: Credential['kind'] | undefined,
  { methods, idp, passkey = '' }: CredentialFacts,
): Credential {
  const known = kind ?? (idp === localProvider ? 'password' : 'provider')
  switch (known) {
    case 'password':
      return { kind: known, hash: null }
    case 'passkey':
      return { kind: known, id: passkey, isUserVerified: methods.includes('mfa') }
    case 'provider':
    case 'extension':
    case 'totp':
    case 'recovery_code':
      return { kind: known }
  }
}
