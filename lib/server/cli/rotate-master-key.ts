/** Replaces the master key: wraps the data keys with MASTER_KEY_NEXT, while the servers run. */
import { entryOf, type OperatorPorts } from '#lib/admin/access/operator.ts'
import { dataKeysName, planRotation } from '#lib/crypto/keys/data-keys.ts'
import { type MasterKeys, masterKeysOf } from '#lib/crypto/keys/master-key.ts'
import { keyIdOf } from '#lib/crypto/keys/sealing.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import type { CommandResult } from './command.ts'

export type RotationPorts = Pick<OperatorPorts, 'adminStore' | 'clock' | 'meta'> & {
  /** The master keys of this process. */
  readonly masterKeys: MasterKeys
}

/** Returns the IDs of the master keys, by which a command and the server that carries it out compare theirs. */
export function keyIdsOf(masterKeys: MasterKeys): string[] {
  return masterKeysOf(masterKeys).map(({ bytes }) => keyIdOf(bytes))
}

/**
 * MK-02: wraps the data keys with the next master key, with an audit row. Servers that run are not affected, because they have
 * opened the data keys. `keyIds`: the keys of the caller. This process must have the same keys.
 */
export async function rotateMasterKey(
  { masterKeys, meta, adminStore, clock }: RotationPorts,
  keyIds: readonly string[],
): Promise<CommandResult> {
  if (keyIdsOf(masterKeys).join() !== keyIds.join())
    return {
      problem:
        'The server was started with other master keys than those of this command: restart it with the same MASTER_KEY and MASTER_KEY_NEXT.',
    }
  try {
    const now = clock.now()
    const { from, to } = await planRotation(masterKeys, meta, now)
    if (to === null) return { problem: null, report: `The master key was replaced before. ${nextStep}` }
    const [earlier = null, id = ''] = keyIds
    const audit = entryOf('command_line', {
      action: 'configuration.rotate_master_key',
      targetKind: 'configuration',
      targetId: 'master_key',
      before: { key_id: earlier },
      after: { key_id: id },
    })
    const write = { kind: 'replace_value', name: dataKeysName, from, to } as const
    const { kind } = await adminStore.commit({ writes: [write], audit: [audit] }, now)
    if (kind !== 'done') return { problem: 'Another process replaced the master key at the same time.' }
    return { problem: null, report: `The master key is replaced. ${nextStep}` }
  } catch (error) {
    if (!isConfigError(error)) throw error
    return { problem: error.message }
  }
}

const nextStep =
  'On every node, set MASTER_KEY to the value of MASTER_KEY_NEXT, remove MASTER_KEY_NEXT, and restart. Keep the earlier key as long as you keep backups that were made before.'
