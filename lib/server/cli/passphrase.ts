/** Reads the passphrase of a backup, from a file or from the terminal. Arguments would be visible to other accounts. */
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { backups } from '#lib/config/limits.ts'
import { ConfigError } from '#lib/errors/config-error.ts'

/** Reads the first line of a file. */
export async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ConfigError(`The passphrase file ${file} cannot be read.`)
  })
  return text.split(/\r?\n/, 1)[0] ?? ''
}

/** Throws a ConfigError if a new passphrase is short. */
export function requireLongEnough(passphrase: string): string {
  const count = [...passphrase].length
  if (count >= backups.passphraseCharacters) return passphrase
  throw new ConfigError(
    `The passphrase has ${count} characters and needs at least ${backups.passphraseCharacters}.`,
  )
}

/** Asks without showing what is typed. */
export async function askPassphrase(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new ConfigError('A passphrase is needed; name the file that contains it with --passphrase-file.')
  process.stderr.write(question)
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
