/** Everything an admin does to signing keys. */
import type { UseCase } from '../use-case.ts'
import { listKeys } from './read-keys.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'

export const keyUseCases: readonly UseCase[] = [listKeys, rotateKey, revokeKey]
