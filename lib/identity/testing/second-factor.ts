/** A test user with an authenticator app, and the sign-ins of this user. */
import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { context } from '#lib/core/testing/ports.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type Handle, type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { secondFactorPath } from '#lib/protocol/wire/local-paths.ts'
import {
  proveByCode,
  type SecondFactorInput,
  type SecondFactorOutcome,
} from '../second-factor/prove-second-factor.ts'
import { newRecoveryCodes, recoveryCodeDigest } from '../second-factor/recovery-codes.ts'
import { newTotpSecret } from '../second-factor/totp.ts'
import { signIn } from '../sign-in.ts'
import type { SignInOutcome } from '../sign-in-outcome.ts'
import { alicePassword, form, type TestSignIn } from './sign-in.ts'

export type TestAuthenticator = {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  /** The code of the time step that is this number of steps from the current one. */
  readonly code: (steps?: number) => string
}

/** Stores an app and recovery codes for the subject, in place of earlier ones. No code has been used yet. */
export async function addAuthenticator(ports: Ports, subject: SubjectId): Promise<TestAuthenticator> {
  const secret = newTotpSecret()
  const recoveryCodes = newRecoveryCodes(ports.random)
  const now = ports.clock.now()
  const sealedSecret = ports.sealing.seal(secret, `authenticator_apps:secret:${subject}`)
  const app = { subject, sealedSecret, lastStep: 0, createdAt: now, lastUsedAt: null }
  const digests = recoveryCodes.map(code => recoveryCodeDigest(ports.hashing, subject, code))
  const replaces = await ports.secondFactors.findApp(subject)
  await ports.secondFactors.setApp(app, { replaces, codes: digests, notices: [] })
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = (steps = 0) => totp.generate({ timestamp: ports.clock.now().getTime() + steps * 30_000 })
  return { secret, recoveryCodes, code }
}

type Changes = Parameters<typeof form>[0]

export type TwoStepUser = {
  readonly username: string
  readonly subject: SubjectId
  readonly authenticator: TestAuthenticator
  /** Signs in with the password. */
  readonly enter: (changes?: Changes, ports?: Ports) => Promise<SignInOutcome>
  /** Signs in with the password, which must lead to the second factor. */
  readonly interrupt: (changes?: Changes, ports?: Ports) => Promise<Handle<'partial'>>
  /** Enters a code, by default that of the current time step. */
  readonly prove: (
    partial: Handle<'partial'>,
    changes?: Partial<SecondFactorInput>,
    ports?: Ports,
  ) => Promise<SecondFactorOutcome>
}

type Account = Parameters<TestSignIn['addUser']>[1]

export async function addTwoStepUser(
  setup: TestSignIn,
  username: string,
  account: Account = { password: alicePassword },
): Promise<TwoStepUser> {
  const subject = subjectIdSchema.parse(username)
  await setup.addUser(username, account)
  const authenticator = await addAuthenticator(setup.ports, subject)
  const { browser } = setup
  const enter: TwoStepUser['enter'] = (changes = {}, ports = setup.ports) =>
    signIn(ports, form({ username, browser, ...changes }), context)
  return {
    ...{ username, subject, authenticator, enter },
    interrupt: async (changes, ports) => {
      const outcome = await enter(changes, ports)
      assert.ok(outcome.kind === 'partial' && outcome.path === secondFactorPath, JSON.stringify(outcome))
      return outcome.partial
    },
    prove: (partial, changes = {}, ports = setup.ports) => {
      const cookies = { previous: [], knownBrowser: null, trustedBrowsers: [], isToTrust: false }
      const input = { partial, browser, kind: 'totp', code: authenticator.code(), ...cookies } as const
      return proveByCode(ports, { ...input, ...changes }, context)
    },
  }
}

/** Names an outcome, with the reason of a wrong code. */
export function outcomeOf(outcome: SecondFactorOutcome): string {
  return outcome.kind === 'wrong_code' ? `wrong_code: ${outcome.why}` : outcome.kind
}
