/** What each error code means: `docs/errors.md`, for the links of the error pages. In English, as the codes are. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { translate } from '#lib/i18n/translate.ts'
import { Screen } from '#lib/pages/screen.tsx'
import { services } from '#lib/server/services.ts'
import { Markdown } from './markdown.ts'

const document = join(process.cwd(), 'docs/errors.md')
let text: string | undefined

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/help/errors',
  refuse: refuseWithPage,
  GET: exchange => {
    text ??= readFileSync(document, 'utf8')
    const frame = { ...pageFrame(exchange), locale: 'en', t: translate('en'), isMonolingual: true } as const
    return pageReply(
      frame,
      <Screen frame={frame} title={`Errors · ${frame.siteName}`} layout="column">
        <div className="panel prose">
          <Markdown text={text} />
        </div>
      </Screen>,
    )
  },
})
