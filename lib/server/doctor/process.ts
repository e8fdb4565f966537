/** Checks the versions and, in the server, the limits of its process. */
import { readFile } from 'node:fs/promises'
import { maxConnections } from '#lib/config/limits.ts'
import { readVersion } from '../start/version.ts'
import { type Finding, good, warning } from './finding.ts'

/** `isServer`: whether this process serves requests. The limits of a command can be different. */
export async function checkProcess(isServer: boolean): Promise<readonly Finding[]> {
  const versions = good('versions', `Latchkey ${await readVersion()} runs on Node ${process.version}.`)
  const files = isServer ? openFilesFinding(await readLimits()) : null
  return files === null ? [versions] : [versions, files]
}

/** Returns the limits of this process; `''` where the operating system does not report them. */
function readLimits(): Promise<string> {
  return readFile('/proc/self/limits', 'utf8').catch(() => '')
}

/** `limits`: the content of `/proc/self/limits`. Returns `null` if it does not name a number of open files. */
export function openFilesFinding(limits: string): Finding | null {
  const found = /^Max open files +(\d+)/m.exec(limits)?.[1]
  if (found === undefined) return null
  const text = `The process may open ${found} files and connections.`
  return Number(found) < maxConnections * 1.2
    ? warning(
        'open files',
        `${text} It accepts ${maxConnections} connections, so some would fail.`,
        'Raise LimitNOFILE of the service, or ulimit -n.',
      )
    : good('open files', text)
}
