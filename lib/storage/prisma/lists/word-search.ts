/**
 * Finding owners by the beginnings of their words, along the index of words. Statements are ours from end to end;
 * what the caller wrote is only ever a parameter (AD-07).
 */
import { z } from 'zod'
import { countedAtMost, search } from '#lib/config/limits.ts'
import type { Counted, Page, PageRequest } from '#lib/ports/admin-lists.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Tables } from '../../client.ts'
import { counted, pageOf, positionIn } from './page.ts'

export type WordSearch = {
  readonly shelf: string
  /** All of them must begin a word of the owner. */
  readonly words: readonly string[]
  /** What else must hold of the owner, whose id is `t."id"`. */
  readonly condition: Prisma.Sql | null
}

const foundSchema = z.array(z.object({ term: z.string(), id: z.string() }))
const countSchema = z.tuple([z.object({ n: z.coerce.number() })])
/** Which word the search walks along, and where it is. */
const positionSchema = z.tuple([z.int().min(0), z.string(), z.string()])

/** Ids in the order of the word that fewest rows have, each once. */
export async function findByWords(
  tables: Tables,
  search: WordSearch,
  { after, limit }: PageRequest,
): Promise<Page<string>> {
  const position = positionIn(after, positionSchema)
  const leading = position?.[0] ?? (await rarestWord(tables, search)).index
  const word = search.words[leading]
  if (word === undefined) return { items: [], next: null }
  const begin = position === null ? from(word) : beyond(position)
  const rows = foundSchema.parse(
    await tables.$queryRaw(Prisma.sql`
      SELECT t."term", t."id" FROM "SearchTerm" t
      WHERE t."kind" = ${search.shelf} AND ${begin} AND t."term" < ${endOf(word)} AND ${holds(search, word)}
      ORDER BY t."term", t."id" LIMIT ${limit + 1}`),
  )
  const page = pageOf(rows, limit, row => [leading, row.term, row.id])
  return { ...page, items: page.items.map(row => row.id) }
}

/** Looks at a bounded number of rows, so that a search for rare pairs of frequent words may count too few. */
export async function countByWords(tables: Tables, asked: WordSearch): Promise<Counted> {
  const { word, rows } = await rarestWord(tables, asked)
  if (word === undefined) return counted(0)
  const found = countSchema.parse(
    await tables.$queryRaw(Prisma.sql`
      SELECT COUNT(*) AS "n" FROM (
        SELECT t."id" FROM (
          SELECT "kind", "term", "id" FROM "SearchTerm"
          WHERE "kind" = ${asked.shelf} AND "term" >= ${word} AND "term" < ${endOf(word)}
          ORDER BY "term", "id" LIMIT ${search.examined}
        ) t
        WHERE ${holds(asked, word)} LIMIT ${countedAtMost + 1}
      ) f`),
  )
  const { count, isMore } = counted(found[0].n)
  return { count, isMore: isMore || rows > search.examined }
}

type Leading = { readonly index: number; readonly word: string | undefined; readonly rows: number }

async function rarestWord(tables: Tables, { shelf, words }: WordSearch): Promise<Leading> {
  const counts = await Promise.all(words.map(word => countRows(tables, shelf, word)))
  const rows = Math.min(...counts)
  const index = Math.max(0, counts.indexOf(rows))
  return { index, word: words[index], rows }
}

async function countRows(tables: Tables, shelf: string, word: string): Promise<number> {
  const found = await tables.$queryRaw(Prisma.sql`
    SELECT COUNT(*) AS "n" FROM (
      SELECT 1 FROM "SearchTerm" WHERE "kind" = ${shelf} AND "term" >= ${word} AND "term" < ${endOf(word)}
      LIMIT ${search.examined + 1}
    ) f`)
  return countSchema.parse(found)[0].n
}

function from(word: string): Prisma.Sql {
  return Prisma.sql`t."term" >= ${word}`
}

function beyond([, term, id]: z.infer<typeof positionSchema>): Prisma.Sql {
  return Prisma.sql`(t."term", t."id") > (${term}, ${id})`
}

/** The last character there is: no word holds it, and every word that goes on comes before it. */
function endOf(word: string): string {
  return `${word}\u{10ffff}`
}

/** The row is its owner's first for this word; the other words and the condition hold, too. */
function holds({ words, condition }: WordSearch, leading: string): Prisma.Sql {
  const isFirst = Prisma.sql`NOT ${hasTerm(leading, Prisma.sql`t."term"`)}`
  const others = words.filter(word => word !== leading).map(word => hasTerm(word, Prisma.sql`${endOf(word)}`))
  return Prisma.join([isFirst, ...others, ...(condition === null ? [] : [condition])], ' AND ')
}

function hasTerm(word: string, before: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT 1 FROM "SearchTerm" o
    WHERE o."kind" = t."kind" AND o."id" = t."id" AND o."term" >= ${word} AND o."term" < ${before})`
}
