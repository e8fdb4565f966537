/** Copies the app out of `node_modules`, where Node loads no TypeScript, into a folder of the user. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/**
 * Returns the folder for what can be made again, by the rules of the system.
 * @param {Readonly<Record<string, string | undefined>>} environment
 */
export function cacheFolder(environment) {
  const { XDG_CACHE_HOME: given = '', LOCALAPPDATA: local } = environment
  if (process.platform === 'win32' && local !== undefined) return join(local, 'latchkey')
  return join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'latchkey')
}

/**
 * Returns the folder of the copy, which the first call makes. Calls at the same time, also of other processes, do not disturb each other.
 *
 * @param source the folder that contains `app`, and `links.json` with the links in it, which npm leaves out.
 * @param folder where the copies of all versions are.
 * @param name the name of this version.
 * @param account the account that runs this, if the system has accounts with numbers.
 * @throws if the folder belongs to another account, which could change the copy.
 */
export function copyApp({ source, folder, name, account = process.getuid?.() }) {
  const target = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (account !== undefined && statSync(folder).uid !== account)
    throw new Error(`${folder} belongs to another account; set XDG_CACHE_HOME to your folder for such files.`)
  if (existsSync(target)) return target
  const draft = mkdtempSync(join(folder, 'draft-'))
  try {
    cpSync(join(source, 'app'), draft, { recursive: true })
    const links = JSON.parse(readFileSync(join(source, 'links.json'), 'utf8'))
    for (const [path, to] of Object.entries(links)) link(join(draft, path), to)
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process was faster
    if (!existsSync(target)) throw error
  }
  return target
}

function link(path, to) {
  mkdirSync(dirname(path), { recursive: true })
  // Windows allows everyone links of this kind, and only to absolute paths
  const isWindows = process.platform === 'win32'
  symlinkSync(isWindows ? resolve(dirname(path), to) : to, path, 'junction')
}
