/**
 * The stylesheet of the hosted pages, and the scripts that only some of them load. Their names contain a hash of their content, so that
 * browsers can cache them permanently.
 */
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Asset = {
  readonly name: string
  /** The path under which it is served: see `app/assets`. */
  readonly path: string
  readonly type: string
  readonly text: string
}

/** The name under which `globalThis` has the folder of the app, because Next loads its own copy of this file. */
const appFolder = Symbol.for('latchkey.app-folder')
const isDevelopment = process.env.NODE_ENV === 'development'

const current = new Map<string, Asset>()

/** Sets the folder of the app, which is the current folder unless the server is started elsewhere. */
export function declareAppFolder(folder: string): void {
  Reflect.set(globalThis, appFolder, folder)
}

export function stylesheet(): Asset {
  return assetOf('hosted.css', 'text/css; charset=utf-8', readStyles)
}

export function passkeyScript(): Asset {
  return assetOf('passkeys.js', 'text/javascript; charset=utf-8', () => readBuilt('passkeys.js'))
}

export function newPasswordScript(): Asset {
  return assetOf('new-password.js', 'text/javascript; charset=utf-8', () => readBuilt('new-password.js'))
}

/** Reads an asset once; under `--dev` at each request, so that a change is visible. */
function assetOf(file: string, type: string, read: () => string): Asset {
  const known = current.get(file)
  if (known !== undefined && !isDevelopment) return known
  const text = read()
  const name = file.replace('.', `-${hash('sha256', text, 'hex').slice(0, 12)}.`)
  const asset = { name, path: `/assets/${name}`, type, text }
  current.set(file, asset)
  return asset
}

function readBuilt(file: string): string {
  return readFileSync(pathOfBuilt(file), 'utf8')
}

/** Returns the path of a file that `lib/server/build-views.mjs` writes. */
function pathOfBuilt(file: string): string {
  return inApp(`.latchkey/views/${file}`)
}

/** Reads the stylesheet. Before it is built, and under `--dev`: its source, with the imported files inserted. */
function readStyles(): string {
  if (!isDevelopment && existsSync(pathOfBuilt('hosted.css'))) return readBuilt('hosted.css')
  const source = inApp('app/styles/hosted.css')
  return readFileSync(source, 'utf8').replace(/@import "(.+)";/g, (_, file: string) =>
    readFileSync(join(source, '..', file), 'utf8'),
  )
}

/** NOTE: paths are not relative to this file, which Next bundles elsewhere. */
function inApp(path: string): string {
  const folder: string | undefined = Reflect.get(globalThis, appFolder)
  return join(folder ?? process.cwd(), path)
}
