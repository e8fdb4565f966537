/** For a key that leaked: it is gone at once, on every node (KEY-03). */
import { z } from 'zod'
import { notFound } from '../admin-result.ts'
import { defineUseCase } from '../use-case.ts'
import { writeKeys } from './write-keys.ts'

export const revokeKey = defineUseCase({
  name: 'keys.revoke',
  permission: 'keys:rotate',
  summary:
    'Removes a signing key that leaked: nothing it signed is valid any more, and another one takes its place.',
  done: 'Key removed. Nothing it signed is valid any more.',
  isSensitive: true,
  input: z.object({ kid: z.string().min(1).max(200) }),
  output: z.object({ kid: z.string() }),
  api: { method: 'DELETE', path: '/keys/{kid}' },
  run: async (ports, { kid }, deed) => {
    const stored = await ports.signingKeys.all()
    if (!stored.some(key => key.kid === kid)) return notFound
    const writes = await ports.keyRotation.planRevocation(kid)
    return writeKeys(ports, { writes, stored, change: 'revoked' }, deed, { kid })
  },
})
