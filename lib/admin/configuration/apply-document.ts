/** Compares a configuration document with the stored data, and applies exactly the changes that the comparison showed. */
import { z } from 'zod'
import { isConfigError } from '#lib/errors/config-error.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { readPartialConfiguration } from '#lib/protocol/registration/configuration-file.ts'
import { findJsonFault, parseStrictJson, placeInText } from '#lib/protocol/text/json-text.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, invalid, ok } from '../admin-result.ts'
import { type AdminCall, commit, defineUseCase, type UseCase } from '../use-case.ts'
import { documentProblems, wrongPolicies } from './document-problems.ts'
import { exportConfiguration } from './export-configuration.ts'
import { type Planned, planConfiguration, planSchema } from './plan.ts'
import { reviewStoredConfiguration } from './review-configuration.ts'

/** The document, as a text or as an object. */
const documentSchema = z.union([z.string().max(4_000_000), z.record(z.string(), jsonValueSchema)])

export const compareConfiguration = defineUseCase({
  name: 'configuration.compare',
  permission: 'configuration:read',
  summary: 'Lists what a configuration document would change, and changes nothing.',
  isShownOnce: true,
  input: z.object({ document: documentSchema }),
  output: z.object({ plan: planSchema, document: documentSchema }),
  api: { method: 'POST', path: '/configuration/compare' },
  run: async (ports, { document }, call) => {
    const planned = await planDocument(ports, { document, isDryRun: true }, call)
    return planned.kind === 'ok' ? ok({ plan: planned.value.plan, document }) : planned
  },
})

export const applyDocument = defineUseCase({
  name: 'configuration.apply_document',
  permission: 'configuration:apply',
  isSensitive: true,
  summary: 'Applies a configuration document. `digest`: from the comparison.',
  done: 'Configuration applied.',
  input: z.object({ document: documentSchema, digest: z.string().max(100) }),
  output: planSchema,
  api: { method: 'POST', path: '/configuration' },
  run: async (ports, { document, digest }, call) => {
    const planned = await planDocument(ports, { document, isDryRun: false }, call)
    if (planned.kind !== 'ok') return planned
    const { plan, put, expected, audit } = planned.value
    if (plan.digest !== digest)
      return {
        kind: 'conflict',
        reason: 'The stored configuration changed since you compared. Compare again.',
        current: null,
      }
    if (plan.changes.length === 0) return ok(plan)
    const change = { writes: [{ kind: 'import', put, expected }], audit } as const
    return commit(ports, change, { now: call.now, value: plan })
  },
})

async function planDocument(
  ports: AdminPorts,
  { document, isDryRun }: { readonly document: z.output<typeof documentSchema>; readonly isDryRun: boolean },
  call: AdminCall,
): Promise<AdminResult<Planned>> {
  const parsed = typeof document === 'string' ? parsedText(document) : ok<JsonValue>(document)
  if (parsed.kind !== 'ok') return parsed
  const problems = documentProblems(parsed.value, ports)
  const read = readPartialConfiguration(parsed.value)
  const all = [...(read.kind === 'invalid' ? read.problems : []), ...problems]
  if (read.kind === 'invalid' || all.length > 0) return refusal(all)
  const wrong = await wrongPolicies(ports, read.configuration)
  if (wrong.length > 0) return refusal(wrong)
  return planned(ports, { document: read.configuration, isDryRun }, call)
}

async function planned(
  ports: AdminPorts,
  proposed: Parameters<typeof planConfiguration>[1],
  call: AdminCall,
): Promise<AdminResult<Planned>> {
  try {
    return ok(await planConfiguration(ports, proposed, call))
  } catch (error) {
    // AU-02: the document sets a password that is not allowed, or has two entries for one user
    if (isConfigError(error)) return refusal(error.message.split('\n'))
    throw error
  }
}

function parsedText(text: string): AdminResult<JsonValue> {
  try {
    const parsed = parseStrictJson(text)
    if ('value' in parsed) return ok(parsed.value)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const fault = findJsonFault(text)
  if (fault === null) return invalid('document', 'This is not JSON.')
  return invalid('document', `Error at ${placeInText(text, fault.position)}: ${fault.problem}.`)
}

function refusal(problems: readonly string[]): AdminResult<never> {
  return { kind: 'invalid', errors: problems.map(message => ({ path: 'document', message })) }
}

export const configurationUseCases: readonly UseCase[] = [
  exportConfiguration,
  reviewStoredConfiguration,
  compareConfiguration,
  applyDocument,
]
