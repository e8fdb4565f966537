/**
 * Finds the owners of search terms, which are users or clients, by prefixes of the terms, along their index. Statements
 * are fixed texts; user input is only ever a parameter (AD-07).
 */
import { z } from 'zod'
import { search } from '#lib/config/limits.ts'
import type { Counted, Page, PageRequest } from '#lib/ports/admin-lists.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Tables } from '../../database.ts'
import { counted, pageOf, positionIn } from './page.ts'

export type WordSearch = {
  readonly kind: string
  /** The words of the search; each must be a prefix of a term of the owner. */
  readonly words: readonly string[]
  /** An additional condition on the owner, whose id is `t."id"`. */
  readonly condition: Prisma.Sql | null
  /**
   * `examined`: the number of rows that one statement examines, called a stretch. `stretches`: the maximum number of
   * stretches per page.
   */
  readonly effort?: { readonly examined: number; readonly stretches: number }
}

const foundSchema = z.array(z.object({ term: z.string(), id: z.string() }))
const countSchema = z.tuple([z.object({ n: z.coerce.number() })])
/** The position of a search: the index of its leading word, then the term and the ID of the last row. */
const positionSchema = z.tuple([z.int().min(0), z.string(), z.string()])

/**
 * Returns the IDs of owners, each once, in the order of their terms for the rarest word. Examines a limited number of
 * rows, one stretch at a time: frequent words that rarely occur together must not block the database.
 */
export async function findByWords(
  tables: Tables,
  asked: WordSearch,
  { after, limit }: PageRequest,
): Promise<Page<string>> {
  const position = positionIn(after, positionSchema)
  const leading = position?.[0] ?? (await rarestWord(tables, asked)).index
  const word = asked.words[leading]
  if (word === undefined) return { items: [], next: null }
  const rows: Found[] = []
  let begin = position === null ? null : { term: position[1], id: position[2] }
  for (let stretch = 0; stretch < effortOf(asked).stretches; stretch += 1) {
    const walk: Walk = { asked, word, begin, end: await endOfStretch(tables, { asked, word, begin }) }
    rows.push(...(await readStretch(tables, walk, limit + 1 - rows.length)))
    if (rows.length > limit || walk.end === null) {
      const page = pageOf(rows, limit, row => [leading, row.term, row.id])
      return { ...page, items: page.items.map(row => row.id) }
    }
    begin = walk.end
  }
  const next = begin && JSON.stringify([leading, begin.term, begin.id])
  return { items: rows.map(row => row.id), next }
}

type Found = z.infer<typeof foundSchema>[number]
/** A scan of the rows after `begin`, up to and including `end`. */
type Walk = {
  readonly asked: WordSearch
  readonly word: string
  readonly begin: Found | null
  readonly end: Found | null
}

function effortOf({ effort = search }: WordSearch) {
  return effort
}

async function readStretch(tables: Tables, walk: Walk, limit: number): Promise<readonly Found[]> {
  const { asked, word, end } = walk
  const until = end === null ? Prisma.sql`t."term" < ${endOf(word)}` : upTo(end)
  return foundSchema.parse(
    await tables.$queryRaw(Prisma.sql`
      SELECT t."term", t."id" FROM "SearchTerm" t
      WHERE t."kind" = ${asked.kind} AND ${beyond(walk)} AND ${until} AND ${matches(asked, word)}
      ORDER BY t."term", t."id" LIMIT ${limit}`),
  )
}

/**
 * Returns the last row of the next stretch; `null` if fewer rows are left than one statement examines, or for a single
 * word without a condition, where only repeated rows of an owner are skipped.
 */
async function endOfStretch(tables: Tables, walk: Omit<Walk, 'end'>): Promise<Found | null> {
  const { asked, word } = walk
  if (asked.words.length === 1 && asked.condition === null) return null
  const [last] = foundSchema.parse(
    await tables.$queryRaw(Prisma.sql`
      SELECT t."term", t."id" FROM "SearchTerm" t
      WHERE t."kind" = ${asked.kind} AND ${beyond(walk)} AND t."term" < ${endOf(word)}
      ORDER BY t."term", t."id" LIMIT 1 OFFSET ${effortOf(asked).examined - 1}`),
  )
  return last ?? null
}

/** Counts the matches. Examines a limited number of rows; if there are more, the count is rounded down. */
export async function countByWords(tables: Tables, asked: WordSearch): Promise<Counted> {
  const { word, rows } = await rarestWord(tables, asked)
  if (word === undefined) return counted(0)
  const found = countSchema.parse(
    await tables.$queryRaw(Prisma.sql`
      SELECT COUNT(DISTINCT t."id") AS "n" FROM (
        SELECT "kind", "term", "id" FROM "SearchTerm"
        WHERE "kind" = ${asked.kind} AND "term" >= ${word} AND "term" < ${endOf(word)}
        ORDER BY "term", "id" LIMIT ${effortOf(asked).examined}
      ) t
      WHERE ${passes(asked, word)}`),
  )
  const { count, isMore } = counted(found[0].n)
  return rows > effortOf(asked).examined ? { count: rounded(count), isMore: true } : { count, isMore }
}

function rounded(count: number): number {
  const step = count < 1000 ? 100 : 1000
  return count < step ? count : Math.floor(count / step) * step
}

type Leading = { readonly index: number; readonly word: string | undefined; readonly rows: number }

async function rarestWord(tables: Tables, asked: WordSearch): Promise<Leading> {
  const { words } = asked
  const counts = await Promise.all(words.map(word => countRows(tables, asked, word)))
  const rows = Math.min(...counts)
  const index = Math.max(0, counts.indexOf(rows))
  return { index, word: words[index], rows }
}

async function countRows(tables: Tables, asked: WordSearch, word: string): Promise<number> {
  const found = await tables.$queryRaw(Prisma.sql`
    SELECT COUNT(*) AS "n" FROM (
      SELECT 1 FROM "SearchTerm" WHERE "kind" = ${asked.kind} AND "term" >= ${word} AND "term" < ${endOf(word)}
      ORDER BY "term", "id" LIMIT ${effortOf(asked).examined + 1}
    ) f`)
  return countSchema.parse(found)[0].n
}

function beyond({ word, begin }: Omit<Walk, 'end'>): Prisma.Sql {
  if (begin === null) return Prisma.sql`t."term" >= ${word}`
  return Prisma.sql`(t."term", t."id") > (${begin.term}, ${begin.id})`
}

function upTo({ term, id }: Found): Prisma.Sql {
  return Prisma.sql`(t."term", t."id") <= (${term}, ${id})`
}

/** Returns the end of the range of terms with this prefix: no word contains the last possible character. */
function endOf(word: string): string {
  return `${word}\u{10ffff}`
}

/** The condition that the other words match, and that the row is the first one of its owner for the leading word. */
function matches(asked: WordSearch, leading: string): Prisma.Sql {
  return Prisma.sql`${passes(asked, leading)} AND NOT ${hasTerm(leading, Prisma.sql`t."term"`)}`
}

function passes({ words, condition }: WordSearch, leading: string): Prisma.Sql {
  const others = words.filter(word => word !== leading).map(word => hasTerm(word, Prisma.sql`${endOf(word)}`))
  return Prisma.join([condition ?? Prisma.sql`TRUE`, ...others], ' AND ')
}

function hasTerm(word: string, before: Prisma.Sql): Prisma.Sql {
  return isThere(Prisma.sql`
    "SearchTerm" o
    WHERE o."kind" = t."kind" AND o."id" = t."id" AND o."term" >= ${word} AND o."term" < ${before}`)
}

/**
 * The condition that there is such a row. NOTE: not `EXISTS`, which PostgreSQL would turn into a join that reads
 * everything before it returns the first row.
 */
export function isThere(rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`COALESCE((SELECT TRUE FROM ${rows} LIMIT 1), FALSE)`
}
