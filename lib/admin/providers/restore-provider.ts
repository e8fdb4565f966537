/** Bringing back what a provider was after an earlier change, also when it was deleted since. */
import { z } from 'zod'
import { invalid } from '../admin-result.ts'
import { findVersion, type Version } from '../configuration/history.ts'
import { defineUseCase } from '../use-case.ts'
import { providerFields } from './provider-input.ts'
import { providerViewSchema } from './provider-view.ts'
import { addProvider, changeProvider } from './write-provider.ts'

const versionSchema = z.object({ ...providerFields, has_secret: z.boolean() })

export const restoreProvider = defineUseCase({
  name: 'providers.restore',
  permission: 'providers:update',
  summary:
    'Gives a provider the settings back that it had after an earlier change. Its secret stays; one that was deleted needs it again.',
  done: 'The earlier version stands again.',
  isSensitive: true,
  input: z.object({
    scheme: providerFields.scheme,
    version: z.coerce.number().int().describe('0: it was deleted.'),
    seq: z.coerce.number().int().positive(),
    client_secret: z.string().default(''),
  }),
  output: providerViewSchema,
  api: { method: 'POST', path: '/providers/{scheme}/restore' },
  run: async (ports, { scheme, version, seq, client_secret: secret }, deed) => {
    const document = await findVersion(ports, { kind: 'provider', id: scheme, seq })
    const earlier = readVersion(document, scheme)
    if (earlier === null) return invalid('seq', 'This change left no version that can be brought back.')
    const { has_secret: hadSecret, ...settings } = earlier
    const given = secret === '' ? {} : { client_secret: secret }
    const input = { ...settings, ...given, is_public: !hadSecret }
    return version === 0
      ? addProvider(ports, input, deed)
      : changeProvider(ports, { ...input, version }, deed)
  },
})

function readVersion(document: Version | null, scheme: string): z.output<typeof versionSchema> | null {
  return document === null ? null : (versionSchema.safeParse({ ...document, scheme }).data ?? null)
}
