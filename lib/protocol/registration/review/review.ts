/** Reviews a configuration: finds settings that work, but that RFC 9700 and other guidance advise against. */
import { type Client, clientFromMetadata } from '../client.ts'
import {
  type AcceptedFinding,
  type ClientRegistration,
  type ConfigurationFile,
  separateSecrets,
} from '../configuration-file.ts'
import { defaultPolicies, type Policies, policiesId, secondFactorPolicyOf } from '../policies.ts'
import type { ProviderRecord } from '../records.ts'
import { reviewClient } from './client-review.ts'
import { type Finding, findingsAbout, type Rule, severities } from './finding.ts'

export type ReviewedProvider = Pick<ProviderRecord, 'scheme' | 'enabled' | 'pkce' | 'trusts_email'>

const providerRules: Readonly<Record<string, Rule<ReviewedProvider>>> = {
  provider_without_pkce: {
    severity: 'warning',
    problem: 'Sign-ins at the provider are not protected by PKCE.',
    fix: 'Set pkce to true if the provider supports it.',
    source: 'RFC 9700 2.1.1',
    isBroken: ({ pkce }) => pkce === false,
  },
  trusted_addresses: {
    severity: 'note',
    problem: 'A user of the provider gets the account here that has the same verified email address.',
    fix: 'Set trusts_email to false unless everyone who controls the provider may enter these accounts.',
    source: 'OpenID Connect Core 5.7',
    isBroken: ({ trusts_email: trusts }) => trusts,
  },
}

/** The rule about the length of passwords, also for the overview of the dashboard. */
export const shortPasswordRule: Rule<Policies> = {
  severity: 'warning',
  problem: 'New passwords may be short although they can be the only factor.',
  fix: `Set minimum_password_length to ${defaultPolicies.minimum_password_length}, or require a second factor of everyone.`,
  source: 'NIST SP 800-63B-4 3.1.1.2',
  isBroken: policies =>
    secondFactorPolicyOf(policies).kind !== 'required' &&
    policies.minimum_password_length < defaultPolicies.minimum_password_length,
}

const policyRules = { short_passwords: shortPasswordRule }

export type Review = {
  /** The most urgent first. */
  readonly findings: readonly Finding[]
  readonly accepted: readonly (Finding & Pick<AcceptedFinding, 'reason'>)[]
}

type Reviewed = {
  readonly clients: readonly Client[]
  readonly providers: readonly ReviewedProvider[]
  readonly policies: Policies | undefined
}

/** Returns the findings about these clients, providers and policies, the most urgent first. */
export function review({ clients, providers, policies }: Reviewed): readonly Finding[] {
  return byUrgency([
    ...clients.flatMap(reviewClient),
    ...providers
      .filter(({ enabled }) => enabled)
      .flatMap(one => findingsAbout(providerRules, one, { kind: 'provider', id: one.scheme })),
    ...(policies === undefined
      ? []
      : findingsAbout(policyRules, policies, { kind: 'policies', id: policiesId })),
  ])
}

/** Returns the findings about a document, separated into open and accepted ones (`accepted_findings`). */
export function reviewDocument(document: ConfigurationFile): Review {
  const { clients, identity_providers: providers, policies, accepted_findings: acceptances = [] } = document
  const found = [
    ...review({
      clients: clients.map(one => clientFromMetadata(separateSecrets(one).metadata)),
      providers,
      policies,
    }),
    ...sharedSecrets(clients),
  ]
  const reasons = new Map(acceptances.map(one => [keyOf(one), one.reason]))
  return {
    findings: byUrgency([
      ...found.filter(one => !reasons.has(keyOf(one))),
      ...idleAcceptances(acceptances, found),
    ]),
    accepted: found.flatMap(one => {
      const reason = reasons.get(keyOf(one))
      return reason === undefined ? [] : [{ ...one, reason }]
    }),
  }
}

function byUrgency(found: readonly Finding[]): readonly Finding[] {
  return severities.flatMap(severity => found.filter(one => one.severity === severity))
}

function keyOf({ rule, id }: Pick<Finding, 'rule' | 'id'>): string {
  return JSON.stringify([rule, id])
}

/** Compares the secrets of the document. Stored secrets cannot be compared, because only their hashes are stored. */
function sharedSecrets(clients: readonly ClientRegistration[]): readonly Finding[] {
  const owners = new Map<string, string>()
  return clients.flatMap(client => {
    const { client_id: id } = client
    const others = secretsOf(client).flatMap(secret => owners.get(secret) ?? [])
    for (const secret of secretsOf(client)) owners.set(secret, owners.get(secret) ?? id)
    const [other] = others.filter(owner => owner !== id)
    return other === undefined ? [] : [sharedSecret(id, other)]
  })
}

function secretsOf(client: ClientRegistration): readonly string[] {
  const { secrets } = separateSecrets(client)
  return secrets.map(entry => JSON.stringify('value' in entry ? entry.value : entry.digest))
}

function sharedSecret(id: string, other: string): Finding {
  return {
    rule: 'shared_secret',
    severity: 'error',
    kind: 'client',
    id,
    problem: `The client has the secret of the client ${other}: each can act as the other.`,
    fix: 'Give each client a random secret that only it has.',
    source: 'RFC 6819 5.2.3.1',
  }
}

/** Reports acceptances without a finding: they would hide a later one. */
function idleAcceptances(
  acceptances: readonly AcceptedFinding[],
  found: readonly Finding[],
): readonly Finding[] {
  const keys = new Set(found.map(keyOf))
  return acceptances
    .filter(one => !keys.has(keyOf(one)))
    .map(({ rule, id }) => ({
      ...{ rule: 'idle_acceptance', severity: 'note', kind: 'configuration', id },
      problem: `The accepted finding ${rule} does not exist.`,
      fix: 'Remove it from accepted_findings, or correct its rule and id.',
      source: 'docs/security-review.md',
    }))
}
