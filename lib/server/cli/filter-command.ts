/** `npm run passwords:filter -- list.txt filter`: makes a small filter of a list of breached passwords. */
import { stat } from 'node:fs/promises'
import { makeFilter } from '#lib/crypto/passwords/breached-filter.ts'
import { readArguments, refuseArguments, runCommandLine, text } from './command-line.ts'
import { say } from './command-output.ts'

const usage = `Usage: npm run passwords:filter -- <list> <filter> [--at-least <number>]

Makes a filter of a list of breached passwords, such as Pwned Passwords, for
LATCHKEY_BREACHED_PASSWORDS. It needs 6 bytes for each password; the list about 45.

  <list>        Lines of a SHA-1 hash in hexadecimal, a colon and the number of
                breaches, sorted by hash.
  <filter>      The file to write. It must not exist.

  --at-least N  Leaves out passwords of fewer than N breaches.
`

process.exitCode = await runCommandLine({ usage, run, needsArguments: true })

async function run(given: readonly string[]): Promise<number> {
  const options = { 'at-least': { ...text, default: '1' } } as const
  const { values, positionals } = readArguments(given, options, { allowPositionals: true })
  const [list, filter, ...others] = positionals
  const atLeast = Number(values['at-least'])
  if (list === undefined || filter === undefined || others.length > 0)
    return refuseArguments('Name the list, and the filter to write.')
  if (!Number.isSafeInteger(atLeast)) return refuseArguments('--at-least needs a whole number.')
  const count = await makeFilter({ list, filter, atLeast })
  const { size } = await stat(filter)
  return say(
    `${filter} has ${count} passwords in ${size} bytes. Set LATCHKEY_BREACHED_PASSWORDS to its path.\n`,
  )
}
