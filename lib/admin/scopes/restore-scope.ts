/** Bringing back what a scope was after an earlier change. */
import { z } from 'zod'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { jsonValueSchema } from '#lib/protocol/json-value.ts'
import { isRecord } from '#lib/protocol/metadata-fields.ts'
import { invalid, ok } from '../admin-result.ts'
import { defineUseCase } from '../use-case.ts'
import { auditedSecrets, changeScope } from './change-scope.ts'
import { scopeViewSchema } from './scope-document.ts'

export const restoreScope = defineUseCase({
  name: 'scopes.restore',
  permission: 'configuration:restore',
  summary:
    'Gives a scope the document back that it had after an earlier change. Its secrets stay as they are.',
  done: 'The earlier version stands again.',
  input: z.object({
    name: scopeNameSchema,
    version: z.coerce.number().int(),
    seq: z.coerce.number().int().positive(),
  }),
  output: scopeViewSchema,
  api: { method: 'POST', path: '/scopes/{name}/restore' },
  run: async (ports, { name, version, seq }, deed) => {
    const row = await ports.adminStore.audit.find(seq)
    const isTheirs = row?.targetKind === 'scope' && row.targetId === name
    if (!isTheirs || !isRecord(row.after)) return invalid('seq', 'This change left no version to bring back.')
    const { [auditedSecrets]: _, ...document } = z.record(z.string(), jsonValueSchema).parse(row.after)
    return changeScope(ports, { name, version, plan: ({ secrets }) => ok({ document, secrets }) }, deed)
  },
})
