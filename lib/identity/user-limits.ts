/** The rate limits that count by subject or address and that administrators see and lift. The limits of sign-ins count by account. */
import { rateLimits } from '#lib/config/limits.ts'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { limitKey } from '#lib/protocol/network-limits.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'

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

/** Limits the mails for a forgotten password to the address of several accounts, which name them. */
export function sharedRecoveryMailRule(address: string): RateLimitRule {
  return { key: limitKey('recovery:shared', canonicalUsername(address)), ...rateLimits.recoveryAccount }
}

/** Limits the mails to new addresses of one account. */
export function emailChangeRule(subject: SubjectId): RateLimitRule {
  return { key: limitKey('email-change:account', subject), ...rateLimits.emailChangeAccount }
}

/** Limits the mails to one address with which accounts confirm it. */
export function emailConfirmationRule(address: string): RateLimitRule {
  const key = limitKey('email-change:mailbox', canonicalUsername(address))
  return { key, ...rateLimits.emailChangeMailbox }
}

/** Limits the mails about registrations to one address, from all networks. */
export function registrationMailRule(address: string): RateLimitRule {
  return { key: limitKey('registration:mail', canonicalUsername(address)), ...rateLimits.registrationMail }
}

/** Returns the rules of a user by the name of their limit. `address`: that of the account, if it is known. */
export function limitsOfUser(subject: SubjectId, address: string | null) {
  return {
    second_factor: [...secondFactorRules(subject), ...knownBrowsersRules(subject)],
    recovery_mail: [
      recoveryMailRule(subject),
      ...(address === null ? [] : [sharedRecoveryMailRule(address)]),
    ],
    address_mail: [emailChangeRule(subject), ...(address === null ? [] : [emailConfirmationRule(address)])],
    registration_mail: address === null ? [] : [registrationMailRule(address)],
  }
}
