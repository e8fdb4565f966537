/** The signing keys, and when they change. */
import { z } from 'zod'
import { ok } from '../admin-result.ts'
import { defineUseCase } from '../use-case.ts'
import { keyView, keyViewSchema, rotationSchema, rotations } from './key-view.ts'

export const listKeys = defineUseCase({
  name: 'keys.list',
  permission: 'keys:read',
  summary:
    'Lists the signing keys with their public halves, the newest first, and the next rotation of each algorithm.',
  done: '',
  input: z.object({}),
  output: z.object({ keys: z.array(keyViewSchema), rotations: z.array(rotationSchema) }),
  api: { method: 'GET', path: '/keys' },
  run: async (ports, _input, { now }) => {
    const stored = await ports.signingKeys.all()
    const keys = stored.toSorted((left, right) => right.generation - left.generation)
    return ok({ keys: keys.map(key => keyView(key, now)), rotations: [...rotations(keys, now)] })
  },
})
