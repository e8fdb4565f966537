/** `npm run passwords:filter -- list.txt filter`: makes a small filter of a list of breached passwords. */
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { makeFilter } from '#lib/crypto/passwords/breached-filter.ts'
import { refuse, reportFailure, say } from './command-output.ts'

const usage = `Usage: npm run passwords:filter -- <list> <filter> [--at-least <number>]

Makes a filter of a list of breached passwords, such as Pwned Passwords, for
LATCHKEY_BREACHED_PASSWORDS. It needs 6 bytes for each password; the list about 45.

  <list>        Lines of a SHA-1 hash in hexadecimal, a colon and the number of
                breaches, sorted by hash.
  <filter>      The file to write. It must not exist.

  --at-least N  Leaves out passwords of fewer than N breaches.
`

process.exitCode = await main(process.argv.slice(2)).catch(reportFailure)

async function main(given: readonly string[]): Promise<number> {
  if (given.length === 0 || given.includes('--help') || given[0] === 'help') return say(usage)
  const { values, positionals } = parseArgs({
    args: [...given],
    options: { 'at-least': { type: 'string', default: '1' } },
    allowPositionals: true,
  })
  const [list, filter, ...others] = positionals
  const atLeast = Number(values['at-least'])
  if (list === undefined || filter === undefined || others.length > 0 || !Number.isSafeInteger(atLeast))
    return refuse(usage, 2)
  const count = await makeFilter({ list, filter, atLeast })
  const { size } = await stat(filter)
  return say(
    `${filter} has ${count} passwords in ${size} bytes. Set LATCHKEY_BREACHED_PASSWORDS to its path.\n`,
  )
}
