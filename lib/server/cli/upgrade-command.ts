/** `npm run upgrade:check`: reports whether an upgrade to this release can be rolling. Changes nothing. */
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { readConfig } from '#lib/config/env.ts'
import { planUpgrade, type UpgradePlan } from '#prisma/plan-upgrade.ts'
import { flag, readArguments, runCommandLine } from './command-line.ts'
import { say } from './command-output.ts'

const usage = `Usage: npm run upgrade:check -- [--json]

Reports which migrations a start of this release would apply to the database, and
whether nodes of the earlier release can serve at the same time. Run it in the
folder of the new release, with the settings of the server. It changes nothing.

  --json    Prints one JSON object.

Exits with 0 if the upgrade can be rolling, 3 if all nodes must stop, 1 when the
check failed, 2 when the command or a setting is wrong or the database is too new.
`

process.exitCode = await runCommandLine({ usage, run })

async function run(given: readonly string[]): Promise<number> {
  const { values } = readArguments(given, { json: flag })
  const { database } = readConfig(process.env)
  const plan = (await planUpgrade(database)) ?? { isRolling: true, migrations: [] }
  say(`${values.json ? JSON.stringify(plan) : sentenceOf(plan, database.kind)}\n`)
  return plan.isRolling ? 0 : 3
}

function sentenceOf({ isRolling, migrations }: UpgradePlan, product: DatabaseLocation['kind']): string {
  const count = migrations.length === 1 ? '1 migration' : `${migrations.length} migrations`
  const list = migrations.map(name => `\n  ${name}`).join('')
  if (!isRolling)
    return `Stop all nodes for this upgrade, and back up the database: ${count}, with which the earlier release does not work.${list}`
  const consequence =
    product === 'sqlite'
      ? 'The earlier release can be started again after this upgrade'
      : 'The nodes can be replaced one after another'
  return migrations.length === 0
    ? `${consequence}: there is nothing to migrate.`
    : `${consequence}: ${count} only add to the database.${list}`
}
