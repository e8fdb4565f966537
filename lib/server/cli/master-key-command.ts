/** `npm run master-key`: replaces the master key while the servers run. */
import '../start/restrict-new-files.mjs'
import { readConfig } from '#lib/config/env.ts'
import { requireNextKey } from '#lib/crypto/keys/data-keys.ts'
import { loadMasterKeys } from '#lib/crypto/keys/master-key.ts'
import { readArguments, refuseArguments, runCommandLine } from './command-line.ts'
import { refuse, say } from './command-output.ts'
import { keyIdsOf } from './rotate-master-key.ts'
import { carryOut } from './send-command.ts'

const usage = `Usage: npm run master-key -- rotate

Replaces the master key. The servers keep running:

  1. Set MASTER_KEY_NEXT to a new key on every node, and restart the nodes one by one.
  2. Run this command once, with the same settings.
  3. On every node, set MASTER_KEY to the new key, remove MASTER_KEY_NEXT, and
     restart.

Backups that were made before need the earlier key. docs/production.md.

Exits with 0 when done, 1 when it failed, 2 when the command or a setting is wrong.
`

process.exitCode = await runCommandLine({ usage, run, needsArguments: true })

async function run(given: readonly string[]): Promise<number> {
  const { positionals } = readArguments(given, {}, { allowPositionals: true })
  if (positionals.join(' ') !== 'rotate')
    return refuseArguments(`There is no command "${positionals.join(' ')}".`)
  const config = readConfig(process.env)
  // The data was made with a key, so that a missing key file is not replaced by a new key
  const masterKeys = await loadMasterKeys(config, async () => 'data')
  requireNextKey(masterKeys)
  const keyIds = keyIdsOf(masterKeys)
  const { problem, report = '' } = await carryOut(config, { kind: 'rotate_master_key', keyIds })
  return problem === null ? say(`${report}\n`) : refuse(`${problem}\n`, 1)
}
