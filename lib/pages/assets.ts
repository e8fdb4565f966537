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

/** The folder that `lib/server/build-views.mjs` writes. NOTE: not relative to this file, which Next bundles elsewhere. */
const built = join(process.cwd(), '.latchkey/views')
const source = join(process.cwd(), 'app/styles/hosted.css')
const isDevelopment = process.env.NODE_ENV === 'development'

const current = new Map<string, Asset>()

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
  return readFileSync(join(built, file), 'utf8')
}

/** Reads the stylesheet. Before it is built, and under `--dev`: its source, with the imported files inserted. */
function readStyles(): string {
  if (!isDevelopment && existsSync(join(built, 'hosted.css'))) return readBuilt('hosted.css')
  return readFileSync(source, 'utf8').replace(/@import "(.+)";/g, (_, file: string) =>
    readFileSync(join(source, '..', file), 'utf8'),
  )
}
