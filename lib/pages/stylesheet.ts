/**
 * The stylesheet of the hosted pages. Its name contains a hash of its content, so that browsers can cache it
 * permanently.
 */
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Stylesheet = {
  readonly name: string
  /** The path under which it is served: see `app/assets`. */
  readonly path: string
  readonly text: string
}

/** The file that `lib/server/build-views.mjs` writes. NOTE: not relative to this file, which Next bundles elsewhere. */
const built = join(process.cwd(), '.latchkey/views/hosted.css')
const source = join(process.cwd(), 'app/styles/hosted.css')
const isDevelopment = process.env.NODE_ENV === 'development'

let current: Stylesheet | undefined

/** Reads the stylesheet once; under `--dev` at each request, so that a change is visible. */
export function stylesheet(): Stylesheet {
  if (current === undefined || isDevelopment) {
    const text = !isDevelopment && existsSync(built) ? readFileSync(built, 'utf8') : joined()
    const name = `hosted-${hash('sha256', text, 'hex').slice(0, 12)}.css`
    current = { name, path: `/assets/${name}`, text }
  }
  return current
}

/** Returns the source with the imported files inserted. */
function joined(): string {
  return readFileSync(source, 'utf8').replace(/@import "(.+)";/g, (_, file: string) =>
    readFileSync(join(source, '..', file), 'utf8'),
  )
}
