/** Finds the rows of an export in a text that arrives in parts. The caller parses the rows. */
import { importLimits } from '#lib/config/limits.ts'

/**
 * One row as JSON text. `text: null`: the row is too long and was discarded. `line`: the line of the file where it
 * begins; `null`: it comes from a database.
 */
export type ExportRow = {
  readonly table: string
  readonly index: number
  readonly line: number | null
  readonly text: string | null
}

type Place =
  | 'start'
  | 'title'
  | 'name'
  | 'inName'
  | 'colon'
  | 'list'
  | 'null'
  | 'row'
  | 'inRow'
  | 'afterTable'
  | 'closing'
  | 'end'
  | 'count'

type Scan = {
  /** Makes the error for a problem, which is the end of a sentence. */
  readonly refusal: (problem: string) => Error
  readonly seen: Set<string>
  readonly lines: Lines
  /** Whether the export is the only object of a list. */
  isListed: boolean
  place: Place
  table: string
  index: number
  /** The line where the current row or name began. */
  line: number
  rows: number
  /** The characters of the current name or row so far. The following members describe the position in it. */
  text: string
  isTooLong: boolean
  /** Whether the table is a single object instead of a list of rows. */
  isAlone: boolean
  isString: boolean
  depth: number
  /** The number of characters to skip in the next part, because the last part ended with a backslash. */
  hidden: number
}

export type RowScanner = {
  readonly read: (part: string) => Generator<ExportRow>
  /** Throws unless the export is complete. */
  readonly end: () => void
}

/** Creates a scanner. `refusal` makes the error for a problem, which is the end of a sentence. */
export function createRowScanner(refusal: Scan['refusal']): RowScanner {
  const inside = { text: '', isTooLong: false, isAlone: false, isString: false, depth: 0, hidden: 0 }
  const lines: Lines = { line: 1, breaks: [], next: 0, at: 0 }
  const start = { isListed: false, place: 'start', table: '', index: 0, line: 1, rows: 0 } as const
  const scan: Scan = { refusal, seen: new Set(), lines, ...start, ...inside }
  return {
    read: part => readPart(scan, withoutLineBreaks(lines, part)),
    end: () => {
      if (scan.place !== 'end' && scan.place !== 'count') missing(scan, 'the end of the export')
    },
  }
}

/**
 * The position of the scan: `line` is the current line, `breaks` the positions of the line breaks in the part, `next`
 * the index of the next of them, and `at` the number of characters that were read.
 */
type Lines = { line: number; breaks: readonly number[]; next: number; at: number }

/**
 * Removes line breaks. SQL Server and its tools break JSON into lines of 2,033 characters, even within a text. JSON
 * writes a line break within a text as `\n`, so a real line break in the file has no meaning.
 */
function withoutLineBreaks(lines: Lines, part: string): string {
  lines.line += lines.breaks.length - lines.next
  const pieces = part.split('\n').map(piece => (piece.includes('\r') ? piece.replaceAll('\r', '') : piece))
  let length = 0
  lines.breaks = pieces.slice(0, -1).map(piece => {
    length += piece.length
    return length
  })
  lines.next = 0
  lines.at = 0
  return pieces.join('')
}

/** Returns the line of the character that was read last. */
function currentLine(lines: Lines): number {
  while ((lines.breaks[lines.next] ?? Number.POSITIVE_INFINITY) < lines.at) {
    lines.line += 1
    lines.next += 1
  }
  return lines.line
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
      scan.lines.at = at
      if (blank.test(character)) continue
      scan.place = steps[scan.place](scan, character)
    }
  }
}

const blank = /[\s\uFEFF]/

type Step = (scan: Scan, character: string) => Place

/** The transitions for one character outside of rows and names. */
const steps: Readonly<Record<Exclude<Place, 'inName' | 'inRow'>, Step>> = {
  start: (scan, character) => {
    if (character === '{') return 'name'
    if (character === '[' && !scan.isListed) {
      scan.isListed = true
      return 'start'
    }
    // Tools print the name of the column before its value
    return /[\w-]/.test(character) && !scan.isListed
      ? 'title'
      : missing(scan, 'the "{" of an object with a member for each table')
  },
  title: (scan, character) => (/[\w-]/.test(character) ? 'title' : steps.start(scan, character)),
  name: (scan, character) => {
    if (character === '}' && scan.seen.size === 0) return steps.afterTable(scan, character)
    return character === '"'
      ? enter(scan, character, 'inName')
      : missing(scan, 'the name of a table in double quotes')
  },
  colon: (scan, character) => (character === ':' ? 'list' : missing(scan, 'a colon')),
  list: (scan, character) => {
    if (character === '[') return 'row'
    if (character === '{') return enter(scan, character, 'inRow', { isAlone: true })
    if (character === 'n') return 'null'
    // The first member is not a list: it is a column, and the export is a list of rows
    if (scan.isListed && scan.seen.size === 1)
      throw scan.refusal('it is a list of rows; an export is an object such as {"Clients": [ … ]}')
    // FOR JSON writes the JSON of a column as a text unless JSON_QUERY marks it
    if (character === '"')
      throw scan.refusal(`the table ${shownTable(scan.table)} is a text, not a list of rows`)
    return missing(scan, 'the "[" of a list of rows')
  },
  // PostgreSQL writes null for a table without rows
  null: (scan, character) => ('ul'.includes(character) ? 'null' : steps.afterTable(scan, character)),
  row: (scan, character) => {
    if (character !== ']') return enter(scan, character, 'inRow')
    return scan.index === 0 ? 'afterTable' : missing(scan, 'a row after the last comma')
  },
  afterTable: (scan, character) => {
    if (character === ',') return 'name'
    if (character !== '}') return missing(scan, 'a comma or the last "}"')
    return scan.isListed ? 'closing' : 'end'
  },
  closing: (scan, character) => (character === ']' ? 'end' : missing(scan, 'the "]" after the export')),
  // Tools print the number of rows after the value
  end: (scan, character) =>
    character === '(' ? 'count' : missing(scan, 'the end of the file after the last "}"'),
  count: () => 'count',
}

function missing({ refusal, table, lines }: Scan, expected: string): never {
  const near = `in line ${currentLine(lines)}, near the table ${shownTable(table)}`
  throw refusal(`${expected} is missing ${table === '' ? 'at the beginning' : near}`)
}

/** Begins a row or a name. */
function enter(scan: Scan, character: string, next: Place, { isAlone = false } = {}): Place {
  scan.line = currentLine(scan.lines)
  scan.isAlone = isAlone
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

/** Ends a row. `last`: the comma or bracket after the row, or the closing brace of an object that is not in a list. */
function rowEnded(scan: Scan, last: string): ExportRow {
  const { table, index, line, isTooLong, isAlone } = scan
  const text = isAlone ? `${scan.text}${last}` : scan.text
  scan.rows += 1
  if (scan.rows > importLimits.rows) throw scan.refusal(`it has more than ${importLimits.rows} rows`)
  scan.index += 1
  scan.text = ''
  scan.place = last === ',' ? 'row' : 'afterTable'
  return { table, index, line, text: isTooLong ? null : text }
}

/** Characters with a meaning within a string: a quote ends it, and a backslash escapes the next character. */
const quotes = /["\\]/g

/**
 * Returns the end of a string that continues at `from`: the position after its closing quote, or the end of the part.
 */
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

/** Characters that end a row, or that begin or end a string, object or list within it. */
const structure = /["{}[\],]/g

/** Returns the position of the character that ends the row, or the end of the part. */
function endOfRow(scan: Scan, part: string, from: number): number {
  let at = from
  while (at < part.length) {
    if (scan.isString) {
      at = endOfString(scan, part, at)
      continue
    }
    structure.lastIndex = at
    const found = structure.exec(part)
    if (found === null) return part.length
    const [character] = found
    if (scan.depth === 0 && (character === ',' || character === ']')) return found.index
    if (character === '"') scan.isString = true
    else if (character !== ',') scan.depth += character === '{' || character === '[' ? 1 : -1
    if (scan.depth === 0 && scan.isAlone) return found.index
    at = found.index + 1
  }
  return at
}

/** Parses the name of a table; `null` if it is not valid JSON. */
function tableName(text: string): string | null {
  try {
    return String(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Formats the name of a table for a message: it comes from the file, so it is cut and control characters are replaced.
 */
function shownTable(table: string): string {
  return JSON.stringify(table.slice(0, 60).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?'))
}
