/** The factors that a user has proven in a sign-in, and the choice of the next step. */
import type { Ports } from '#lib/ports/ports.ts'
import type { CurrentCredentials } from '#lib/ports/sessions.ts'
import type {
  Credential,
  Factor,
  ProvenSignIn,
  SignInStep,
  SignInToCheck,
  StepPassed,
  StepVerdict,
} from '#lib/ports/sign-in-steps.ts'
import type { Authentication, SignInHints } from '#lib/ports/users.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { Digest } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { assuranceOfFactors } from './assurance.ts'

/** Any result of the user service except a refusal. */
export type UserServiceResult = Exclude<Authentication, { kind: 'refused' }>

/** The facts of a sign-in besides its factors, known when it begins. */
export type SignInFacts = Pick<
  ProvenSignIn,
  'idp' | 'authenticatedAt' | 'provider' | 'fields' | 'confirms' | 'links' | 'account' | 'trustedBrowsers'
>

type FirstFactor = SignInFacts & {
  readonly credential: Credential
  /** The methods of a passkey (RFC 8176); those of other credentials come from the user service. */
  readonly methods?: readonly string[] | undefined
  /** The time of the factor, if that of the sign-in says nothing about it. */
  readonly provenAt?: Date | undefined
  readonly now: Date
}

/** Begins a sign-in with its first factor, as the user service reported it. */
export function beginSignIn(
  result: UserServiceResult,
  { credential, methods = [], provenAt, now, ...facts }: FirstFactor,
): ProvenSignIn {
  const first = { methods, at: provenAt ?? facts.authenticatedAt ?? now, credential }
  const { subject } = result
  const userService = { kind: 'interrupted', path: '' } as const
  const proven = { ...factsOf(facts), subject, returnedFrom: {}, userService, factors: [first] } as const
  return withResult(proven, result)
}

/** Copies only the facts: an interrupted sign-in stores them, and callers pass more. */
function factsOf(sent: SignInFacts): SignInFacts {
  const { idp, authenticatedAt, provider, fields, confirms, links, account, trustedBrowsers } = sent
  return {
    ...{ idp, authenticatedAt, provider },
    ...(fields === undefined ? {} : { fields }),
    ...(confirms === undefined ? {} : { confirms }),
    ...(links === undefined ? {} : { links }),
    ...(account === undefined ? {} : { account }),
    ...(trustedBrowsers === undefined ? {} : { trustedBrowsers }),
  }
}

/** Adds the fields that the user has entered to the hints of the request. */
export function hintsWithFields(hints: SignInHints, fields: SignInHints['fields']): SignInHints {
  return fields === undefined ? hints : { ...hints, fields }
}

/** Sets the latest result of the user service. Factors that steps have added are kept. */
export function withResult(proven: ProvenSignIn, result: UserServiceResult): ProvenSignIn {
  const [first, ...others] = proven.factors
  const { kind, subject } = result
  const credential = confirmedCredential(first.credential, result)
  // The user service does not know the methods of a passkey, which this server has verified
  const methods = credential.kind === 'passkey' ? first.methods : kind === 'full' ? result.amr : []
  const factors = [{ ...first, credential, methods }, ...others] as const
  const userService =
    kind === 'full'
      ? ({ kind: 'accepted', name: result.name, acr: result.acr } as const)
      : ({ kind: 'interrupted', path: result.path } as const)
  return { ...proven, subject, factors, userService }
}

/** Adds what the user service says about the first credential. */
function confirmedCredential(credential: Credential, result: UserServiceResult): Credential {
  const { provenHash } = result
  if (provenHash !== undefined) return { kind: 'password', hash: provenHash }
  const link = result.kind === 'full' ? result.link : undefined
  return credential.kind === 'provider' && link !== undefined ? { ...credential, link } : credential
}

/** Returns the credentials that can be removed while the sign-in goes on. */
export function credentialsOf(factors: readonly Factor[]): CurrentCredentials {
  const credentials = factors.map(({ credential }) => credential)
  const passkeys = credentials.flatMap(credential => (credential.kind === 'passkey' ? [credential.id] : []))
  const [link] = credentials.flatMap(credential =>
    credential.kind === 'provider' ? (credential.link ?? []) : [],
  )
  const [app] = credentials.flatMap(credential => (credential.kind === 'totp' ? (credential.app ?? []) : []))
  const [recoveryCode] = credentials.flatMap(credential =>
    credential.kind === 'recovery_code' ? (credential.code ?? []) : [],
  )
  return { passkeys, link, app, recoveryCode }
}

/**
 * Returns the `amr` and `acr` of a sign-in: the methods of all factors, and the class that the user service confirms.
 * The `amr` of a user who signed in at a provider contains `external`, like that of IdentityServer3.
 */
export function assuranceOf({ factors, idp, userService }: ProvenSignIn) {
  const methods = factors.flatMap(factor => factor.methods)
  const several = assuranceOfFactors(factors) === 'pwd' ? [] : ['mfa']
  const amr = [...methods, ...(idp === localProvider ? [] : ['external']), ...several]
  return { amr: [...new Set(amr)], acr: userService.kind === 'accepted' ? userService.acr : null }
}

/** Returns the display name of the user; `null` until the user service has accepted the user. */
export function acceptedName({ userService }: Pick<ProvenSignIn, 'userService'>): string | null {
  return userService.kind === 'accepted' ? userService.name : null
}

/** Returns the digest of the verified password hash; `null`: no password of this server was verified. */
export function passwordHashOf({ factors }: Pick<ProvenSignIn, 'factors'>): Digest | null {
  const password = factors.map(factor => factor.credential).find(credential => credential.kind === 'password')
  return password?.hash ?? null
}

/** The next step of a sign-in. `step` is the one that decided. */
export type NextStep =
  | (StepPassed & { readonly claims: Claims | undefined })
  | (Exclude<StepVerdict, { kind: 'passed' }> & { readonly step: SignInStep<Ports> })

/** Finds the first step that does not pass, in the order of the list; if all pass, adds up their claims. */
export async function findNextStep(
  ports: Ports,
  signIn: SignInToCheck,
  context: RequestContext,
): Promise<NextStep> {
  let passed: Extract<NextStep, StepPassed> = { kind: 'passed', claims: undefined }
  for (const step of ports.signInSteps) {
    const verdict = await checkStep(ports, step, signIn, context)
    if (verdict.kind !== 'passed') return { ...verdict, step }
    const { claims = {}, trustedBrowser } = verdict
    if (verdict.claims !== undefined) passed = { ...passed, claims: { ...passed.claims, ...claims } }
    if (trustedBrowser !== undefined) passed = { ...passed, trustedBrowser }
  }
  return passed
}

async function checkStep(
  ports: Ports,
  step: SignInStep<Ports>,
  signIn: SignInToCheck,
  context: RequestContext,
): Promise<StepVerdict> {
  if ('decide' in step) return step.decide(ports, signIn, context)
  const applies = await step.applies(ports, signIn)
  if (applies === true) return { kind: 'required', path: step.path }
  return applies === false ? { kind: 'passed' } : applies
}
