/** Finds the rows of an export in a text that arrives in parts. The rows themselves are parsed by the caller. */
import { importLimits } from '#lib/config/limits.ts'

/** One row as JSON text. `null`: it was longer than a row may be, and was not kept. */
export type ExportRow = { readonly table: string; readonly index: number; readonly text: string | null }

type Place = 'start' | 'name' | 'inName' | 'colon' | 'list' | 'null' | 'row' | 'inRow' | 'afterTable' | 'end'

type Scan = {
  /** Makes the error for what is wrong, given as the end of a sentence. */
  readonly refusal: (problem: string) => Error
  readonly seen: Set<string>
  place: Place
  table: string
  index: number
  rows: number
  /** Of the name or row: what there is so far, and what must not be read as a sign of the list around it. */
  text: string
  isTooLong: boolean
  isString: boolean
  depth: number
  /** How many characters of the next part a backslash at the end of the last one hides. */
  hidden: number
}

export type RowScanner = {
  readonly read: (part: string) => Generator<ExportRow>
  /** Throws unless the export is complete. */
  readonly end: () => void
}

/** `refusal` makes the error for what is wrong, given as the end of a sentence. */
export function createRowScanner(refusal: Scan['refusal']): RowScanner {
  const inside = { text: '', isTooLong: false, isString: false, depth: 0, hidden: 0 }
  const scan: Scan = { refusal, seen: new Set(), place: 'start', table: '', index: 0, rows: 0, ...inside }
  return {
    read: part => readPart(scan, part),
    end: () => {
      if (scan.place !== 'end') missing(scan, 'the end of the export')
    },
  }
}

function* readPart(scan: Scan, part: string): Generator<ExportRow> {
  let at = 0
  while (at < part.length) {
    if (scan.place === 'inRow') {
      const end = endOfRow(scan, part, at)
      keep(scan, part.slice(at, end))
      at = end + 1
      if (end < part.length) yield rowEnded(scan, part[end] ?? '')
    } else if (scan.place === 'inName') {
      const end = endOfString(scan, part, at)
      keep(scan, part.slice(at, end))
      at = end
      if (!scan.isString) beginTable(scan)
    } else {
      const character = part[at] ?? ''
      at += 1
      if (blank.test(character)) continue
      scan.place = steps[scan.place](scan, character)
    }
  }
}

const blank = /[\s\uFEFF]/

type Step = (scan: Scan, character: string) => Place

/** One sign outside of rows and names. */
const steps: Readonly<Record<Exclude<Place, 'inName' | 'inRow'>, Step>> = {
  start: (scan, character) =>
    character === '{' ? 'name' : missing(scan, 'the "{" of an object with a member for each table'),
  name: (scan, character) => {
    if (character === '}' && scan.seen.size === 0) return 'end'
    return character === '"'
      ? enter(scan, character, 'inName')
      : missing(scan, 'the name of a table in double quotes')
  },
  colon: (scan, character) => (character === ':' ? 'list' : missing(scan, 'a colon')),
  list: (scan, character) => {
    if (character === '[') return 'row'
    return character === 'n' ? 'null' : missing(scan, 'the "[" of a list of rows')
  },
  // SQL Server writes null for a table without rows
  null: (scan, character) => ('ul'.includes(character) ? 'null' : steps.afterTable(scan, character)),
  row: (scan, character) => {
    if (character !== ']') return enter(scan, character, 'inRow')
    return scan.index === 0 ? 'afterTable' : missing(scan, 'a row after the last comma')
  },
  afterTable: (scan, character) => {
    if (character === ',') return 'name'
    return character === '}' ? 'end' : missing(scan, 'a comma or the last "}"')
  },
  end: scan => missing(scan, 'the end of the file after the last "}"'),
}

function missing({ refusal, table }: Scan, expected: string): never {
  throw refusal(
    `${expected} is missing ${table === '' ? 'at the beginning' : `near the table ${shownTable(table)}`}`,
  )
}

/** Where a row or name begins. */
function enter(scan: Scan, character: string, next: Place): Place {
  scan.text = character
  scan.isTooLong = false
  scan.isString = character === '"'
  scan.depth = character === '{' || character === '[' ? 1 : 0
  return next
}

function keep(scan: Scan, part: string): void {
  if (scan.isTooLong) return
  scan.text += part
  if (scan.text.length <= importLimits.rowCharacters) return
  scan.isTooLong = true
  scan.text = ''
}

function beginTable(scan: Scan): void {
  const { refusal, seen } = scan
  const table = tableName(scan.text) ?? missing(scan, 'the name of a table')
  if (seen.has(table)) throw refusal(`the table ${shownTable(table)} appears twice`)
  if (seen.size >= importLimits.tables) throw refusal(`it has more than ${importLimits.tables} members`)
  seen.add(table)
  scan.table = table
  scan.index = 0
  scan.place = 'colon'
}

/** `sign`: the comma or bracket after the row. */
function rowEnded(scan: Scan, sign: string): ExportRow {
  const { table, index, isTooLong, text } = scan
  scan.rows += 1
  if (scan.rows > importLimits.rows) throw scan.refusal(`it has more than ${importLimits.rows} rows`)
  scan.index += 1
  scan.text = ''
  scan.place = sign === ',' ? 'row' : 'afterTable'
  return { table, index, text: isTooLong ? null : text }
}

/** In a string only a quote ends it, and a backslash hides what follows. */
const quotes = /["\\]/g

/** The end of a string that goes on at `from`: after its closing quote, or the end of the part. */
function endOfString(scan: Scan, part: string, from: number): number {
  let at = from + scan.hidden
  scan.hidden = 0
  for (;;) {
    quotes.lastIndex = at
    const found = quotes.exec(part)
    if (found === null) return part.length
    if (found[0] === '"') {
      scan.isString = false
      return found.index + 1
    }
    at = found.index + 2
    if (at > part.length) scan.hidden = 1
  }
}

/** Signs that end or nest something in a row. */
const signs = /["{}[\],]/g

/** The sign that ends the row, or the end of the part. */
function endOfRow(scan: Scan, part: string, from: number): number {
  let at = from
  while (at < part.length) {
    if (scan.isString) {
      at = endOfString(scan, part, at)
      continue
    }
    signs.lastIndex = at
    const found = signs.exec(part)
    if (found === null) return part.length
    const [sign] = found
    if (scan.depth === 0 && (sign === ',' || sign === ']')) return found.index
    if (sign === '"') scan.isString = true
    else if (sign !== ',') scan.depth += sign === '{' || sign === '[' ? 1 : -1
    at = found.index + 1
  }
  return at
}

/** From its JSON text; `null` for other texts. */
function tableName(text: string): string | null {
  try {
    return String(JSON.parse(text))
  } catch {
    return null
  }
}

/** Names of tables come from the file. */
function shownTable(table: string): string {
  return JSON.stringify(table.slice(0, 60).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?'))
}
