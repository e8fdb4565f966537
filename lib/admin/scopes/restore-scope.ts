/** Bringing back what a scope was after an earlier change, also when it was deleted since. */
import { z } from 'zod'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { invalid, ok } from '../admin-result.ts'
import { findVersion } from '../configuration/history.ts'
import { defineUseCase } from '../use-case.ts'
import { changeScope } from './change-scope.ts'
import { scopeViewSchema } from './scope-document.ts'
import { addScope } from './write-scope.ts'

export const restoreScope = defineUseCase({
  name: 'scopes.restore',
  permission: 'configuration:restore',
  summary:
    'Gives a scope the document back that it had after an earlier change. Its secrets stay as they are; one that was deleted has none, and no client may ask for it.',
  done: 'The earlier version stands again.',
  input: z.object({
    name: scopeNameSchema,
    version: z.coerce.number().int().describe('0: it was deleted.'),
    seq: z.coerce.number().int().positive(),
  }),
  output: scopeViewSchema,
  api: { method: 'POST', path: '/scopes/{name}/restore' },
  run: async (ports, { name, version, seq }, deed) => {
    const document = await findVersion(ports, { kind: 'scope', id: name, seq })
    if (document === null) return invalid('seq', 'This change left no version to bring back.')
    if (version === 0) return addScope(ports, { ...document, name }, deed)
    return changeScope(ports, { name, version, plan: ({ secrets }) => ok({ document, secrets }) }, deed)
  },
})
