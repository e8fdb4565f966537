/** The version of this server. */
import { readFile } from 'node:fs/promises'

export async function readVersion(): Promise<string> {
  const file = new URL('../../../package.json', import.meta.url)
  const { version }: { version?: unknown } = JSON.parse(await readFile(file, 'utf8'))
  return typeof version === 'string' ? version : ''
}
