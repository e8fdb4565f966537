/** Sends the stylesheet and the scripts of the hosted pages. Browsers cache them for a year, because their names contain a hash. */
import { pageRoute } from '#app/routes.ts'
import { errorReply } from '#lib/http/error-page.ts'
import { refusalFromCode } from '#lib/http/http-refusal.ts'
import type { Reply } from '#lib/http/reply.ts'
import { fileReply, type StaticFile, staticFile } from '#lib/http/static-file.ts'
import { type Asset, newPasswordScript, passkeyScript, stylesheet } from '#lib/pages/assets.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/assets/[name]', {
  isFile: true,
  GET: exchange => {
    const { request, segments } = exchange
    return assetReply(segments.name ?? '', request) ?? errorReply(refusalFromCode('not_found'), exchange)
  },
})

/** The assets by their names, in which a hash stands for `*`. */
const assets: Readonly<Record<string, () => Asset>> = {
  'hosted-*.css': stylesheet,
  'passkeys-*.js': passkeyScript,
  'new-password-*.js': newPasswordScript,
}

/**
 * The reply with an asset; `null` if `name` is not one. A page of another release may request its own version: it gets the
 * current one, which must not be cached under that name.
 */
function assetReply(name: string, request: Request): Promise<Reply> | null {
  const kind = kindOf(name)
  const asset = assets[kind]?.()
  if (asset === undefined) return null
  const isCurrent = name === asset.name
  return fileReply(
    fileOf(kind, asset),
    request,
    isCurrent ? 'public, max-age=31536000, immutable' : 'no-store',
  )
}

function kindOf(name: string): string {
  return name.replace(/-[0-9a-f]{12}\./, '-*.')
}

const files = new Map<string, StaticFile & Pick<Asset, 'name'>>()

/** The asset as a static file. It changes only under `--dev`. */
function fileOf(kind: string, { name, type, text }: Asset): StaticFile {
  const known = files.get(kind)
  if (known?.name === name) return known
  const file = { name, ...staticFile(type, Buffer.from(text)) }
  files.set(kind, file)
  return file
}
