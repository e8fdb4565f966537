/** Findings of a review: settings that work, but that current security guidance advises against. */

/** The urgency. `error`: tokens or accounts are at risk. `warning`: an attack gets easier. `note`: worth a look. */
export const severities = ['error', 'warning', 'note'] as const
export type Severity = (typeof severities)[number]

export const findingKinds = ['client', 'provider', 'policies', 'configuration'] as const

export type Finding = {
  readonly rule: string
  readonly severity: Severity
  readonly kind: (typeof findingKinds)[number]
  /** The client ID, or the scheme of the provider; `site` for policies. */
  readonly id: string
  readonly problem: string
  readonly fix: string
  /** The section of the standard, such as `RFC 9700 2.4`. */
  readonly source: string
}

/** A rule about one part of a configuration, and the texts of its finding. */
export type Rule<T> = Pick<Finding, 'severity' | 'problem' | 'fix' | 'source'> & {
  readonly isBroken: (subject: T) => boolean
}

/** Returns the findings about one part of a configuration, in the order of the rules. */
export function findingsAbout<T>(
  rules: Readonly<Record<string, Rule<T>>>,
  subject: T,
  named: Pick<Finding, 'kind' | 'id'>,
): readonly Finding[] {
  return Object.entries(rules)
    .filter(([, { isBroken }]) => isBroken(subject))
    .map(([rule, { severity, problem, fix, source }]) => ({ rule, severity, ...named, problem, fix, source }))
}
