/** The ways in which a subject signs in besides a password or a provider, as admins see them, and how they reset them (MF-07). */
import { z } from 'zod'
import type { RemovedFactors } from '#lib/ports/mail.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { denied, notFound, ok } from '../admin-result.ts'
import { commit, defineUseCase, type UseCase } from '../use-case.ts'
import { viewOf } from '../view.ts'
import { refusalToTouch } from './user-resource.ts'

const passkeySchema = z.object({
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  is_synchronized: z.boolean().describe('Whether it is copied to other devices of the user.'),
  idp: z
    .string()
    .nullable()
    .describe(
      'The identity provider whose users have it only as a second factor; null: no other factor is needed.',
    ),
})

const appSchema = z.object({ created_at: z.string(), last_used_at: z.string().nullable() })

const browserSchema = z.object({
  user_agent: z.string().nullable(),
  address: z.string().nullable(),
  created_at: z.string(),
  last_used_at: z.string(),
  expires_at: z.string(),
})

const factorsSchema = z.object({
  sub: z.string(),
  passkeys: z.array(passkeySchema),
  authenticator_app: appSchema.nullable(),
  recovery_codes_left: z.number(),
  trusted_browsers: z.array(browserSchema),
})

export type FactorsView = z.output<typeof factorsSchema>

export const readFactors = defineUseCase({
  name: 'users.read_factors',
  permission: 'users:read',
  summary:
    'Reads the passkeys, the authenticator app, the number of recovery codes and the trusted browsers of a user, also of one whom a custom user service has.',
  input: z.object({ sub: subjectIdSchema }),
  output: factorsSchema,
  api: { method: 'GET', path: '/users/{sub}/factors' },
  run: async (ports, { sub }, { now }) => {
    const factors = await factorsOf(ports, sub, now)
    return (await isKnown(ports, factors, sub)) ? ok(factors) : notFound
  },
})

const choice = (isChosen: boolean) => z.stringbool().or(z.boolean()).default(isChosen)

export const resetFactors = defineUseCase({
  name: 'users.reset_factors',
  permission: 'users:reset',
  isSensitive: true,
  summary:
    'Removes the authenticator app, the recovery codes and the trusted browsers of a user, who is informed by mail. The answer has what was removed.',
  done: 'Factors reset.',
  input: z.object({
    sub: subjectIdSchema,
    passkeys: choice(false).describe('Whether to remove the passkeys as well.'),
    sign_out: choice(true).describe('Whether to sign the user out everywhere and revoke their tokens.'),
  }),
  output: factorsSchema,
  api: { method: 'POST', path: '/users/{sub}/factors/reset' },
  run: async (ports, { sub, ...choices }, call) => {
    // MF-04: in the account, the user must first prove a factor
    if (sub === call.actor.subject) return denied('Remove your own factors under Your account.')
    const refusal = await refusalToTouch(ports, sub, call)
    if (refusal !== null) return refusal
    const factors = await factorsOf(ports, sub, call.now)
    if (!(await isKnown(ports, factors, sub))) return notFound
    const { writes, before, after, removed } = await planReset(ports, factors, choices)
    const audit = [call.entry({ kind: 'user', id: sub, before, after })]
    return commit(ports, { writes, audit }, { now: call.now, value: removed })
  },
})

export const factorUseCases: readonly UseCase[] = [readFactors, resetFactors]

export type FactorPorts = Pick<AdminPorts, 'passkeys' | 'secondFactors' | 'trustedBrowsers'>

export type ResetChoices = { readonly passkeys: boolean; readonly sign_out: boolean }

/** Plans a reset: what to write, the values of the audit row, and what will be removed. */
export async function planReset(
  { securityNotice }: Pick<AdminPorts, 'securityNotice'>,
  factors: FactorsView,
  { passkeys, sign_out: signsOut }: ResetChoices,
) {
  const selection = { subject: subjectIdSchema.parse(factors.sub) }
  const removed = passkeys ? factors : { ...factors, passkeys: [] }
  const details = { removed: namesOf(removed) }
  const notices = await securityNotice(selection.subject, 'factors_reset', details)
  const ends = signsOut ? (['end_sessions', 'revoke_grants'] as const) : []
  const writes = [
    { kind: 'reset_factors', ...selection, passkeys, notices } as const,
    ...ends.map(kind => ({ kind, selection }) as const),
  ]
  const kept = passkeys ? 0 : factors.passkeys.length
  const after = { ...audited(none), passkeys: kept, signed_out: signsOut }
  const isMailed =
    notices.length > 0 && removed.passkeys.length + (removed.authenticator_app === null ? 0 : 1) > 0
  return { writes, before: audited(factors), after, removed, isMailed }
}

/** Selects the words of the mail. */
function namesOf({ passkeys, authenticator_app: app }: FactorsView): RemovedFactors {
  if (passkeys.length === 0) return 'app'
  return app === null ? 'passkeys' : 'both'
}

const none = { passkeys: [], authenticator_app: null, recovery_codes_left: 0, trusted_browsers: [] } as const

type Counted = Omit<FactorsView, 'sub' | 'passkeys' | 'trusted_browsers'> & {
  readonly passkeys: readonly unknown[]
  readonly trusted_browsers: readonly unknown[]
}

/** The values for the audit log. LG-07: only numbers, because it is permanent. */
function audited(factors: Counted) {
  return {
    authenticator_app: factors.authenticator_app !== null,
    recovery_codes: factors.recovery_codes_left,
    trusted_browsers: factors.trusted_browsers.length,
    passkeys: factors.passkeys.length,
  }
}

export async function factorsOf(
  { passkeys, secondFactors, trustedBrowsers }: FactorPorts,
  subject: SubjectId,
  now: Date,
): Promise<FactorsView> {
  const [keys, app, codes, browsers] = await Promise.all([
    passkeys.allOf(subject),
    secondFactors.findApp(subject),
    secondFactors.countRecoveryCodes(subject),
    trustedBrowsers.allOf(subject, now),
  ])
  return {
    sub: subject,
    passkeys: keys.map(key =>
      viewOf(passkeySchema, key, {
        is_synchronized: key.isBackedUp,
        idp: key.idp === localProvider ? null : key.idp,
      }),
    ),
    authenticator_app: app && viewOf(appSchema, app, {}),
    recovery_codes_left: codes,
    trusted_browsers: browsers.map(browser => viewOf(browserSchema, browser, {})),
  }
}

/** Whether the subject has factors or trusted browsers. */
export function hasFactors(factors: FactorsView): boolean {
  const { passkeys, authenticator_app: app, recovery_codes_left: codes, trusted_browsers: browsers } = factors
  return app !== null || passkeys.length + codes + browsers.length > 0
}

/** Whether this server knows the subject. A custom user service cannot be asked: it answers the same for an unknown user. */
async function isKnown(ports: AdminPorts, factors: FactorsView, subject: SubjectId): Promise<boolean> {
  return hasFactors(factors) || (await ports.adminLists.user(subject)) !== null
}
