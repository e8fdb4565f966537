/** The rate limits that count by subject and that administrators see and lift. The limits of sign-ins count by account. */
import { rateLimits } from '#lib/config/limits.ts'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { limitKey } from '#lib/protocol/network-limits.ts'

/** Limits wrong codes of a second factor, in browsers in which none was proven before. `account`: also limits its sign-ins. */
export function secondFactorRules(subject: SubjectId, account?: string): readonly RateLimitRule[] {
  const about = account === undefined ? {} : { account }
  return [
    { ...about, key: `second-factor:${subject}`, ...rateLimits.secondFactor },
    { ...about, key: `second-factor-day:${subject}`, ...rateLimits.secondFactorOfDay },
  ]
}

/** Limits wrong codes of a second factor in all browsers in which one was proven before. */
export function knownBrowsersRules(subject: SubjectId, account?: string): readonly RateLimitRule[] {
  const about = account === undefined ? {} : { account }
  return [
    { ...about, key: `second-factor:devices:${subject}`, ...rateLimits.knownBrowsers },
    { ...about, key: `second-factor:devices-day:${subject}`, ...rateLimits.secondFactorOfDay },
  ]
}

/** Limits the mails for a forgotten password of one account. */
export function recoveryMailRule(subject: SubjectId): RateLimitRule {
  return { key: limitKey('recovery:account', subject), ...rateLimits.recoveryAccount }
}

/** Returns the rules of a user by the name of their limit. */
export function limitsOfUser(subject: SubjectId) {
  return {
    second_factor: [...secondFactorRules(subject), ...knownBrowsersRules(subject)],
    recovery_mail: [recoveryMailRule(subject)],
  }
}
