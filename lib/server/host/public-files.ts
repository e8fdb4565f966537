/**
 * Serves the files of pages without Next: those in `public`, and those that the build made for the dashboard. Under
 * `--dev` Next serves them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { fileReply, type StaticFile, staticFile } from '#lib/http/static-file.ts'
import { openServices } from '../services.ts'

const root = join(import.meta.dirname, '../../..')

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

type FileRoutes = ReadonlyMap<string, ReturnType<typeof endpoint>>

/** Returns a route for each file of `public` and of the build, by its path. */
export function fileRoutes(): FileRoutes {
  return new Map([
    // These names have no hash, so browsers must ask whether the file changed
    ...routesBelow('public', '/', 'public, max-age=0'),
    ...routesBelow('.next/static', '/_next/static/', 'public, max-age=31536000, immutable'),
  ])
}

function routesBelow(folder: string, prefix: string, cacheControl: string): FileRoutes {
  const path = join(root, folder)
  if (!existsSync(path)) return new Map()
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    name => extname(name) in types,
  )
  return new Map(
    names.map(name => {
      const pattern = prefix + name.replaceAll(sep, '/')
      return [pattern, fileRoute(pattern, join(path, name), cacheControl)]
    }),
  )
}

/** Makes the route of a file, which reads the content once, at its first request. */
function fileRoute(pattern: string, path: string, cacheControl: string) {
  let file: StaticFile | undefined
  return endpoint(openServices, {
    pattern,
    isFile: true,
    writeRefusal: refuseWithPage,
    GET: ({ request }) => {
      file ??= staticFile(types[extname(path)] ?? '', readFileSync(path))
      return fileReply(file, request, cacheControl)
    },
  })
}
