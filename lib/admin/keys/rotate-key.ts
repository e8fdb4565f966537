/** A rotation by hand: the next key is published immediately, and signs when every verifier can have fetched it (JW-10). */
import { z } from 'zod'
import { signingKeys as limits } from '#lib/config/limits.ts'
import type { StoredSigningKey } from '#lib/ports/signing-keys.ts'
import { keyState } from '#lib/protocol/key-state.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import { type AdminResult, invalid } from '../admin-result.ts'
import { defineUseCase } from '../use-case.ts'
import { type KeyView, keyView, keyViewSchema } from './key-view.ts'
import { writeKeys } from './write-keys.ts'

export const rotateKey = defineUseCase({
  name: 'keys.rotate',
  permission: 'keys:rotate',
  summary: 'Makes the next signing key of an algorithm, which signs as soon as every verifier can know it.',
  done: 'The next key is published. It signs in a few minutes, when every app can know it.',
  isSensitive: true,
  input: z.object({ algorithm: z.enum(signingAlgorithms) }),
  output: keyViewSchema,
  api: { method: 'POST', path: '/keys/rotations', status: 201 },
  run: async (ports, { algorithm }, call): Promise<AdminResult<KeyView>> => {
    const stored = await ports.signingKeys.all()
    const pending = stored.find(key => key.algorithm === algorithm && isAboutToSign(key, call.now))
    if (pending !== undefined)
      return invalid('', `A new key is on its way: it signs from ${pending.activatesAt.toUTCString()}.`)
    const writes = await ports.keyRotation.planRotation(algorithm)
    const made = writes.flatMap(write => (write.kind === 'create_key' ? [write.key] : []))
    const [key] = made
    if (key === undefined) throw new Error('A rotation by hand makes a key.')
    return writeKeys(ports, { writes, stored, change: 'rotated' }, call, keyView(key, call.now))
  },
})

/** Another key could not sign any sooner. */
function isAboutToSign(key: StoredSigningKey, now: Date): boolean {
  return (
    keyState(key, now) === 'next' && key.activatesAt <= secondsAfter(now, limits.promptPropagationSeconds)
  )
}
