/** Exports lists as CSV files for spreadsheets (RFC 4180). */
import { z } from 'zod'
import type { AdminPorts } from './admin-ports.ts'
import { ok } from './admin-result.ts'
import { type AdminCall, commit, defineUseCase, type UseCaseDefinition } from './use-case.ts'

/** Functions that return the cells of a row, by the heading of their column; `null` for an empty cell. */
export type Columns<R> = Readonly<Record<string, (row: R) => string | null>>

/** The row of headings, then the rows of the list. */
export type CsvLines = ReadonlyArray<readonly string[]>

export function linesOf<R>(columns: Columns<R>, rows: readonly R[]): CsvLines {
  const cells = Object.values(columns)
  return [Object.keys(columns), ...rows.map(row => cells.map(cellOf => cellOf(row) ?? ''))]
}

type ListExport<I extends z.ZodType> = Pick<
  UseCaseDefinition<I, { csv: string }>,
  'name' | 'permission' | 'summary' | 'input'
> & {
  /** The name of the list in the audit log; `null`: exports are not recorded there and require no fresh sign-in. */
  readonly audited: string | null
  readonly read: (
    ports: AdminPorts,
    input: z.output<I>,
    call: AdminCall,
  ) => Promise<{
    /** Facts that the audit row contains besides the number of rows. */
    readonly noted: object
    readonly lines: CsvLines
  }>
}

/** Defines a use case that exports the first rows of a filtered list. */
export function defineExport<I extends z.ZodType>({ audited, read, ...definition }: ListExport<I>) {
  return defineUseCase({
    ...definition,
    isSensitive: audited !== null,
    output: z.object({ csv: z.string() }),
    run: async (ports, input, call) => {
      const { noted, lines } = await read(ports, input, call)
      const csv = csvOf(lines)
      if (audited === null) return ok({ csv })
      const after = { ...JSON.parse(JSON.stringify(noted)), rows: lines.length - 1 }
      const audit = [call.entry({ kind: 'configuration', id: audited, before: null, after })]
      return commit(ports, { writes: [], audit }, { now: call.now, value: { csv } })
    },
  })
}

/**
 * AD-08: matches the beginning of a text that a spreadsheet would run as a formula, full-width characters included. Spreadsheets
 * of many languages split cells at semicolons, even within quotes, so a formula can also begin after a semicolon.
 */
const formulaStart = /(?<=^|[;\t\r\n]"?)(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/g

export function csvOf(lines: CsvLines): string {
  return lines.map(row => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(text: string): string {
  const harmless = text.replaceAll(formulaStart, "'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
