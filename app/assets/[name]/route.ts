/** Sends the stylesheet of the hosted pages. Browsers cache it for a year, because its name contains a hash. */
import { pageRoute } from '#app/routes.ts'
import { errorReply } from '#lib/http/error-page.ts'
import { refusalFromCode } from '#lib/http/http-refusal.ts'
import type { Reply } from '#lib/http/reply.ts'
import { fileReply, type StaticFile, staticFile } from '#lib/http/static-file.ts'
import { type Stylesheet, stylesheet } from '#lib/pages/stylesheet.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/assets/[name]', {
  isFile: true,
  GET: exchange => {
    const { request, segments } = exchange
    return stylesheetReply(segments.name ?? '', request) ?? errorReply(refusalFromCode('not_found'), exchange)
  },
})

let latest: (StaticFile & { readonly name: string }) | undefined

/**
 * The reply with a stylesheet; `null` if `name` is not one. A page of another release may request its own stylesheet: it gets the
 * current one, which must not be cached under that name.
 */
function stylesheetReply(name: string, request: Request): Promise<Reply> | null {
  if (!/^hosted-[0-9a-f]{12}\.css$/.test(name)) return null
  const file = fileOf(stylesheet())
  return fileReply(file, request, name === file.name ? 'public, max-age=31536000, immutable' : 'no-store')
}

/** The stylesheet as a static file. It changes only under `--dev`. */
function fileOf({ name, text }: Stylesheet) {
  if (latest?.name !== name) latest = { name, ...staticFile('text/css; charset=utf-8', Buffer.from(text)) }
  return latest
}
