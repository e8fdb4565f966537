/** Sign-ins of tests at an identity provider. */
import assert from 'node:assert/strict'
import { context } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { TestProvider } from '#lib/upstream/testing/provider.ts'
import { completeExternalSignIn, startExternalSignIn } from '../external-sign-in.ts'
import { currentSession } from '../session.ts'
import type { ReturningSignInOutcome } from '../sign-in-outcome.ts'
import type { TestSignIn } from './sign-in.ts'

type ProviderUser = {
  readonly setup: TestSignIn
  readonly mock: TestProvider
  readonly scheme: string
  /** The claims that the provider sends about its user. */
  readonly claims: Claims
  readonly ports?: Ports
}

/** Signs in at the provider, which authenticates the user immediately. */
export async function signInAtProvider({
  setup,
  mock,
  scheme,
  claims,
  ports = setup.ports,
}: ProviderUser): Promise<ReturningSignInOutcome> {
  mock.now = setup.ports.clock.now()
  mock.faults = { claims: honest => ({ ...honest, ...claims }) }
  const { browser } = setup
  const away = await startExternalSignIn(ports, { scheme, pending: null, browser }, context)
  assert.ok(away.kind === 'redirect', JSON.stringify(away))
  const callback = { scheme, parameters: mock.approve(away.url), browser, previous: [] }
  return completeExternalSignIn(ports, callback, context)
}

/** Returns the session that the sign-in has opened. */
export async function sessionOf({ ports }: TestSignIn, outcome: ReturningSignInOutcome) {
  assert.ok(outcome.kind === 'signed_in', JSON.stringify(outcome))
  return (await currentSession(ports, outcome.session)) ?? assert.fail()
}
