/** Brings users of an old system into this store, one by one at their first sign-in, with the hook `legacyVerify`. */
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { type CheckCaller, unknownCaller } from '#lib/ports/check-caller.ts'
import { isConfigurationConflict } from '#lib/ports/configuration-store.ts'
import type { LegacyUser, LegacyVerify } from '#lib/ports/legacy-users.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'

export type LegacyParts = Pick<Ports, 'users' | 'passwords' | 'random' | 'clock'> & {
  readonly verify: LegacyVerify
  readonly isAdministrator: (subject: SubjectId) => Promise<boolean>
}

type Credentials = { readonly username: string; readonly password: string }

/** A sign-in. `caller`: for the queue of password hashes; `undefined`: unknown. */
type LegacyAttempt = Credentials & { readonly caller?: CheckCaller | undefined }

export type LegacyUsers = {
  /**
   * Asks the old system about a name that is unknown here, or has no password. Returns the user name under which the user
   * is now stored with this password; `null` if the old system refuses. Changes no user who has a password.
   */
  readonly bring: (attempt: LegacyAttempt, user: StoredUser | null) => Promise<string | null>
  /**
   * AU-05: takes as long as one of the last refusals of the old system, so that the time of a wrong password does not show
   * which names are known here.
   */
  readonly imitateRefusal: () => Promise<void>
}

/** The number of calls whose duration is remembered. */
const mostSamples = 50

export function createLegacyUsers(parts: LegacyParts): LegacyUsers {
  const samples: Sample[] = []
  const keep = (sample: Sample) => {
    samples.push(sample)
    if (samples.length > mostSamples) samples.shift()
  }
  const imitateRefusal = async () => {
    const sample = samples.shift()
    if (sample === undefined) return
    samples.push(sample)
    await new Promise(resolve => setTimeout(resolve, sample.durationMs))
  }
  return {
    imitateRefusal,
    async bring({ caller = unknownCaller, ...credentials }, user) {
      const isPossible = parts.passwords.isHashable(credentials.password)
      if (!isPossible || (user !== null && !(await mayGetPassword(parts, user)))) {
        await imitateRefusal()
        return null
      }
      const answer = await ask(parts.verify, credentials, keep)
      if (answer === null) return null
      const passwordHash = await parts.passwords.hash(credentials.password, caller)
      return user === null
        ? createUser(parts, { typed: credentials.username, passwordHash, answer })
        : addPassword(parts, { user, passwordHash, answer })
    },
  }
}

type Sample = { readonly durationMs: number }

/**
 * A call that fails is a refusal, so that it counts as a failed attempt and looks the same for every name. The guard of the hook
 * has reported it.
 */
async function ask(
  { verify }: LegacyVerify,
  credentials: Credentials,
  keep: (sample: Sample) => void,
): Promise<LegacyUser | null> {
  const start = performance.now()
  try {
    const answer = await verify(credentials)
    if (answer === null) keep({ durationMs: performance.now() - start })
    return answer
  } catch (error) {
    if (!isOauthError(error)) throw error
    keep({ durationMs: performance.now() - start })
    return null
  }
}

/** Whether the old system may give this user, who has none, a password. */
async function mayGetPassword(
  { isAdministrator }: LegacyParts,
  { subject, passwordHash, enabled }: StoredUser,
): Promise<boolean> {
  return passwordHash === null && enabled && !(await isAdministrator(subject))
}

/** An answer of the old system, and the hash of the password that it has accepted. */
type Accepted = { readonly answer: LegacyUser; readonly passwordHash: string }

/** Creates the user, once: of concurrent sign-ins, the others find the user whom the first one has created. */
async function createUser(
  { users, random, clock, verify }: LegacyParts,
  { typed, passwordHash, answer }: Accepted & { readonly typed: string },
): Promise<string> {
  const { subject, username = typed, claims = {}, mustChangePassword = false } = answer
  const created = {
    ...{ subject: subject ?? subjectIdSchema.parse(random.id()), username, claims, mustChangePassword },
    passwordHash,
    enabled: true,
  }
  const result = await users.register(created, clock.now()).catch(error => {
    if (isConfigurationConflict(error)) throw verify.refuse(error.message)
    throw error
  })
  if (result === 'registered') return username
  const stored = await users.findByUsername(username)
  if (stored === null || (subject !== undefined && stored.subject !== subject))
    throw verify.refuse('it names a subject or a user name that a different user has here')
  return username
}

/** Gives a stored user the password, only if the old system means the same user. */
async function addPassword(
  { users, clock, verify }: LegacyParts,
  {
    user,
    passwordHash,
    answer: { subject, username = user.username },
  }: Accepted & { readonly user: StoredUser },
): Promise<string> {
  if (subject !== user.subject || canonicalUsername(username) !== canonicalUsername(user.username))
    throw verify.refuse('it means a different user than the one with this user name here')
  await users.addPassword(user.subject, passwordHash, clock.now())
  return user.username
}
