/** Reads CSV files of spreadsheets (RFC 4180), which separate cells by commas, semicolons or tabs. */

export type CsvRow = {
  /** The line of the file on which the row begins, counted from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export type CsvText =
  | { readonly kind: 'rows'; readonly rows: readonly CsvRow[] }
  /** A quote has no end, or text follows a quoted cell. */
  | { readonly kind: 'fault'; readonly line: number; readonly problem: string }

/** Reads all rows, without empty ones. The first line decides about the separator. Spaces around cells are removed. */
export function readCsv(text: string): CsvText {
  const content = text.replace(/^\ufeff/, '')
  const rest = new RegExp(cellPattern[separatorOf(content)], 'y')
  const rows: CsvRow[] = []
  let [cells, line, begin]: [string[], number, number] = [[], 1, 1]
  while (rest.lastIndex <= content.length) {
    const found = rest.exec(content)
    if (found === null) return { kind: 'fault', line, problem: 'The quotes of this line do not match.' }
    const { quoted, plain = '', end = '' } = found.groups ?? {}
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    line += found[0].split(/\r\n|\r|\n/).length - 1
    if (end !== '' && !/[\r\n]/.test(end)) continue
    if (cells.some(cell => cell !== '')) rows.push({ line: begin, cells })
    if (end === '') break
    cells = []
    begin = line
  }
  return { kind: 'rows', rows }
}

type Separator = ',' | ';' | '\t'

/** Patterns of one cell with its end: a separator, the end of the line, or that of the text. */
const cellPattern: Readonly<Record<Separator, string>> = {
  ',': patternOf(','),
  ';': patternOf(';'),
  '\t': patternOf('\\t'),
}

function patternOf(separator: string): string {
  return `(?: *"(?<quoted>(?:[^"]|"")*)" *|(?<plain>[^"${separator}\\r\\n]*))(?<end>${separator}|\\r\\n|\\n|\\r|$)`
}

function separatorOf(content: string): Separator {
  const [first = ''] = content.split(/\r|\n/, 1)
  const count = (separator: string) => first.split(separator).length
  const candidates = [',', ';', '\t'] as const
  return candidates.reduce((best, next) => (count(next) > count(best) ? next : best))
}
