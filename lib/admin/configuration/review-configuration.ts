/** Reviews the stored configuration by current security guidance. */
import { z } from 'zod'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { clientFromMetadata } from '#lib/protocol/registration/client.ts'
import { findingKinds, severities } from '#lib/protocol/registration/review/finding.ts'
import { type ReviewedProvider, review } from '#lib/protocol/registration/review/review.ts'
import { ok } from '../admin-result.ts'
import { defineUseCase } from '../use-case.ts'

export const findingSchema = z.object({
  rule: z.string(),
  severity: z.enum(severities),
  kind: z.enum(findingKinds),
  id: z.string(),
  problem: z.string(),
  fix: z.string(),
  source: z.string().describe('The section of a standard, such as RFC 9700 2.4.'),
})

export const reviewStoredConfiguration = defineUseCase({
  name: 'configuration.review',
  permission: 'configuration:read',
  summary: 'Lists the settings of clients, providers and policies that security guidance advises against.',
  input: z.object({}),
  output: z.object({ findings: z.array(findingSchema) }),
  api: { method: 'GET', path: '/configuration/review' },
  run: async ports => {
    const { clients, providers, policies } = await ports.configuration.read()
    const findings = review({
      clients: clients.map(({ metadata }) => clientFromMetadata(metadata)),
      providers: providers.map(reviewedProvider),
      policies: policies[0],
    })
    return ok({ findings: [...findings] })
  },
})

function reviewedProvider({ scheme, enabled, pkce, trustsEmail }: IdentityProvider): ReviewedProvider {
  return { scheme, enabled, pkce, trusts_email: trustsEmail }
}
