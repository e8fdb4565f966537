/** For a key that leaked: it is removed immediately, on every node (KEY-03). */
import { z } from 'zod'
import { notFound } from '../admin-result.ts'
import { defineUseCase } from '../use-case.ts'
import { writeKeys } from './write-keys.ts'

export const revokeKey = defineUseCase({
  name: 'keys.revoke',
  permission: 'keys:rotate',
  summary:
    'Removes a signing key that leaked: all tokens that it signed become invalid, and a new key replaces it.',
  done: 'Key removed. All tokens that it signed are invalid.',
  isSensitive: true,
  input: z.object({ kid: z.string().min(1).max(200) }),
  output: z.object({ kid: z.string() }),
  api: { method: 'DELETE', path: '/keys/{kid}' },
  run: async (ports, { kid }, call) => {
    const stored = await ports.signingKeys.all()
    if (!stored.some(key => key.kid === kid)) return notFound
    const writes = await ports.keyRotation.planRevocation(kid)
    return writeKeys(ports, { writes, stored, change: 'revoked' }, call, { kid })
  },
})
