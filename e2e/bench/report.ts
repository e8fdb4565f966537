/** Prints results, and writes them to `docs/performance.md`. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import type { Comparison, Figures } from './compare.ts'
import { divisionOf } from './processor.ts'

export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }

const root = resolve(import.meta.dirname, '../..')
const page = join(root, 'docs/performance.md')

/** Describes the machine and the versions, one on each line. */
export function circumstances(
  versions: readonly string[],
  sharing: Parameters<typeof divisionOf>[0],
): readonly string[] {
  const [processor] = cpus()
  const gigabytes = Math.round(totalmem() / 1e9)
  const git = (...given: string[]) => execFileSync('git', given, { cwd: root, encoding: 'utf8' }).trim()
  return [
    `${processor?.model ?? 'unknown processor'}, ${cpus().length} processors, ${gigabytes} GB, Linux ${release()}; ${divisionOf(sharing)}`,
    [`Latchkey ${git('rev-parse', '--short=8', 'HEAD')}`, `Node ${process.versions.node}`, ...versions].join(
      ', ',
    ),
  ]
}

/** A table with one row for each load. A slash separates the figures of two servers in one cell. */
export function comparisonTable(names: readonly string[], comparisons: readonly Comparison[]): Table {
  const head = ['', ...names, 'ratio', 'per second', 'p50 ms', 'p99 ms', 'reads + writes', 'of the limit']
  return { head, rows: comparisons.map(each => comparisonRow(names, each)) }
}

/** A table of comparisons on a database server, without and with the processor time of the database. */
export function databaseTable(names: readonly string[], comparisons: readonly Comparison[]): Table {
  const head = ['', ...names, 'ratio', ...names.map(name => `${name}, with database`), 'ratio', 'per second']
  return {
    head,
    rows: comparisons.map(each => [
      each.load,
      ...names.map((_, index) => whole(each.figures[index]?.perProcessorSecond)),
      share(each.ratio),
      ...names.map((_, index) => whole(each.figures[index]?.perWholeProcessorSecond)),
      share(each.wholeRatio),
      each.figures.map(figures => whole(figures.perSecond)).join(' / '),
    ]),
  }
}

function comparisonRow(names: readonly string[], { load, figures, ratio, shareOfLimit }: Comparison) {
  return [
    load,
    ...names.map((_, index) => whole(figures[index]?.perProcessorSecond)),
    share(ratio),
    figures.map(each => whole(each.perSecond)).join(' / '),
    figures.map(each => each.p50Ms.toFixed(1)).join(' / '),
    figures.map(each => each.p99Ms.toFixed(1)).join(' / '),
    figures.flatMap(sentToDatabase).join(' / ') || '–',
    shareOfLimit.map(each => `${Math.round(each * 100)} %`).join(' / ') || '–',
  ]
}

function sentToDatabase({ reads, writes }: Figures): readonly string[] {
  return Number.isNaN(reads) ? [] : [`${reads.toFixed(1)} + ${writes.toFixed(1)}`]
}

export function printRows(rows: Table['rows']): void {
  for (const row of rows) console.log(row.map(pad).join(''))
}

/** Replaces the lines in `docs/performance.md` between the two comments with this name. */
export function writeSection(name: string, lines: readonly string[], tables: readonly Table[]): void {
  const [begin, end] = [`<!-- measured: ${name} -->`, `<!-- end of ${name} -->`]
  const text = readFileSync(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`${page} has no section ${name}.`)
  const section = [begin, '', lines.map(line => `- ${line}`).join('\n'), ...tables.map(markdown), '', end]
  writeFileSync(page, text.slice(0, from) + section.join('\n') + text.slice(to + end.length))
  console.log(`written into ${page}`)
}

function markdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'))
  return `\n${[head, rule, ...rows].map(line).join('\n')}`
}

function pad(cell: string, column: number): string {
  return column === 0 ? cell.padEnd(36) : ` ${cell}`.padStart(15)
}

function whole(figure: number | undefined): string {
  return figure === undefined ? '–' : Math.round(figure).toLocaleString('en')
}

function share(ratio: number | null): string {
  return ratio === null ? '–' : ratio.toFixed(2)
}
