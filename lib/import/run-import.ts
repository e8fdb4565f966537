/** Imports the data of another server: reads its export, plans, reports, and writes everything in one transaction. */
import { countHashKinds } from '#lib/admin/users/imported-passwords.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Imported } from './imported.ts'
import type { ImportPlan } from './plan-import.ts'
import { planImport } from './plan-import.ts'
import { type ImportPorts, importedKinds, outcomes } from './planning.ts'
import { type ProductName, productNames, products } from './products.ts'
import { hasRefusals, reportOf } from './report.ts'
import { readExportFile } from './source/export-file.ts'
import { isPostgresAddress, readPostgres } from './source/postgres-source.ts'
import { type CollectedExport, collectExport, plainName } from './source/tables.ts'
import { isUserProduct, readUserExport, type UserProductName } from './user-exports/read-user-export.ts'

export type ImportRequest = {
  readonly product: ProductName | UserProductName
  /** The absolute path of the export, or the address of a PostgreSQL database. */
  readonly source: string
  readonly isDryRun: boolean
  /** Whether to import the rest when something is refused or left out. */
  readonly skipsRefused: boolean
  /** Whether to overwrite later changes by admins, and objects that existed before. */
  readonly replaces: boolean
  /** The digest that a dry run showed, which the plan must match; `null`: any plan is carried out. */
  readonly digest: string | null
}

/**
 * The result. `planned`: a dry run found something to write. `nothing`: there is nothing to write. `empty`: the export
 * has no rows to import. `refused`: the operator must agree to leave something out. `changed`: the plan differs from
 * that of the dry run, or the stored data changed after it was made. Only `imported` has written anything.
 */
export const importOutcomes = ['planned', 'imported', 'nothing', 'empty', 'refused', 'changed'] as const

export type ImportResult = {
  readonly outcome: (typeof importOutcomes)[number]
  readonly report: string
  readonly digest: string
}

/**
 * Plans and runs an import. Throws a ConfigError when the export cannot be read, is of another product, or contradicts
 * the stored data.
 */
export async function runImport(ports: ImportPorts, request: ImportRequest): Promise<ImportResult> {
  const { product, source, replaces } = request
  const { imported, ...read } = isUserProduct(product)
    ? await readUsers(product, source)
    : await readTables(product, source)
  const plan = await planImport(ports, imported, { replaces })
  const found = { ...read, orphans: read.orphans() }
  const isRefused = hasRefusals(plan, found) && !request.skipsRefused
  const outcome = await outcomeOf(ports, { request, plan, isRefused })
  return { outcome, report: reportOf(plan, found), digest: plan.digest }
}

type ReadExport = Omit<CollectedExport, 'objectsOf'> & { readonly imported: Imported }

async function readTables(product: ProductName, source: string): Promise<ReadExport> {
  const { tables, read } = products[product]
  const rows = isPostgresAddress(source) ? readPostgres(source, tables) : readExportFile(source)
  const collected = await collectExport(rows, tables)
  requireProduct(product, collected.unknown)
  return { ...collected, imported: read(collected) }
}

async function readUsers(product: UserProductName, source: string): Promise<ReadExport> {
  if (isPostgresAddress(source)) throw new ConfigError(`Users of ${product} are read from a file.`)
  const { users, problems } = await readUserExport(product, source)
  const imported = { users, scopes: [], clients: [], consents: [], tokens: () => [] }
  return { imported, problems, unknown: new Map(), orphans: () => new Map() }
}

/** Refuses an export of a different product: tables that both products have would be read with the wrong rules. */
function requireProduct(product: ProductName, unknown: CollectedExport['unknown']): void {
  const others = productNames.filter(name => name !== product).map(name => products[name])
  for (const { name, tables } of others) {
    const names = new Set(tables.flatMap(main => [main, ...main.children]).map(one => plainName(one.table)))
    const found = [...unknown.keys()].find(table => names.has(plainName(table)))
    if (found === undefined) continue
    throw new ConfigError(
      `The export has the table ${found} of ${name}: import it with ${name.toLowerCase()}. If it is an export of ${products[product].name}, remove that table.`,
    )
  }
}

type Decision = { readonly request: ImportRequest; readonly plan: ImportPlan; readonly isRefused: boolean }

async function outcomeOf(
  ports: ImportPorts,
  { request, plan, isRefused }: Decision,
): Promise<ImportResult['outcome']> {
  if (isRefused) return 'refused'
  if (plan.change.audit.length === 0) return isEmpty(plan) ? 'empty' : 'nothing'
  if (request.isDryRun) return 'planned'
  if (request.digest !== null && request.digest !== plan.digest) return 'changed'
  const committed = await ports.adminStore.commit(plan.change, ports.clock.now())
  if (committed.kind === 'conflict' && committed.reason !== null) throw new ConfigError(committed.reason)
  if (committed.kind !== 'done') return 'changed'
  if (plan.hasImportedHashes) await countHashKinds(ports)
  return 'imported'
}

function isEmpty({ counts }: ImportPlan): boolean {
  return importedKinds.every(kind => outcomes.every(outcome => counts[kind][outcome] === 0))
}
