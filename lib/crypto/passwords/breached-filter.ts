/**
 * Makes a filter of a list of breached passwords: the sorted starts of its hashes. A password that is not in the list is refused
 * with a probability of the number of entries divided by 2⁴⁸: about one in 280,000 with a billion entries.
 */
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { breachedPasswords as limits } from '#lib/config/limits.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { filterHeader } from './filter-header.ts'

type FilterRequest = {
  readonly list: string
  readonly filter: string
  /** Hashes with a smaller number of breaches are left out. */
  readonly atLeast: number
}

/** Writes the filter, which must not exist. Returns its number of entries. Throws a ConfigError if the list cannot be used. */
export async function makeFilter({ list, filter, atLeast }: FilterRequest): Promise<number> {
  const output = await open(filter, 'wx')
  try {
    let count = 0
    await output.write(filterHeader({ entryBytes: limits.entryBytes, count }))
    for await (const entries of entryBlocks(list, atLeast)) {
      await output.write(entries)
      count += entries.length / limits.entryBytes
    }
    if (count === 0) throw new ConfigError(`${list} has no hash for the filter.`)
    const header = filterHeader({ entryBytes: limits.entryBytes, count })
    await output.write(header, 0, header.length, 0)
    return count
  } catch (error) {
    await rm(filter)
    throw error
  } finally {
    await output.close()
  }
}

/** Yields the entries of a part of the list together. Equal entries become one. */
async function* entryBlocks(list: string, atLeast: number): AsyncGenerator<Buffer> {
  let last = ''
  let number = 0
  for await (const lines of lineBlocks(list)) {
    const entries: string[] = []
    for (const text of lines) {
      number += 1
      if (text === '') continue
      const [, hash = '', times = '1'] = /^([0-9A-Fa-f]{40})(?::(\d{1,12}))?$/.exec(text) ?? []
      if (hash === '')
        throw new ConfigError(`Line ${number} of ${list} is not a SHA-1 hash with a number of breaches.`)
      const entry = hash.slice(0, 2 * limits.entryBytes).toUpperCase()
      if (entry < last) throw new ConfigError(`${list} is not sorted by hash at its line ${number}.`)
      if (entry !== last && Number(times) >= atLeast) entries.push(entry)
      last = entry
    }
    yield Buffer.from(entries.join(''), 'hex')
  }
}

async function* lineBlocks(list: string): AsyncGenerator<readonly string[]> {
  let rest = ''
  for await (const part of createReadStream(list, { encoding: 'latin1', highWaterMark: 1_048_576 })) {
    const lines = `${rest}${part}`.split(/\r?\n/)
    rest = lines.pop() ?? ''
    yield lines
  }
  yield [rest.trimEnd()]
}
