/** The files in `public`, without Next: hosted pages use them. Under `--dev` Next serves them. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { fileReply, staticFile } from '#lib/http/static-file.ts'
import { openServices } from '../services.ts'

const folder = join(import.meta.dirname, '../../../public')

const types: Readonly<Record<string, string>> = {
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
}

/** One route for each file, by its path. The content is read once. */
export function publicRoutes(): ReadonlyMap<string, ReturnType<typeof endpoint>> {
  return new Map(readdirSync(folder).map(name => [`/${name}`, fileRoute(name)]))
}

function fileRoute(name: string) {
  const type = types[extname(name)] ?? 'application/octet-stream'
  const file = staticFile(type, readFileSync(join(folder, name)))
  return endpoint(openServices, {
    pattern: `/${name}`,
    isFile: true,
    writeRefusal: refuseWithPage,
    // Names without a hash: browsers ask whether the file changed
    GET: ({ request }) => fileReply(file, request, 'public, max-age=0'),
  })
}
