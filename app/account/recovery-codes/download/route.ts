/** The new recovery codes as a text file. */
import { pageRoute } from '#app/routes.ts'
import { localeOf } from '#lib/http/page-frame.ts'
import { seeOther } from '#lib/http/reply.ts'
import { translate } from '#lib/i18n/translate.ts'
import { recoveryCodesPath } from '#lib/protocol/wire/local-paths.ts'
import { codesOfUser, headingOfCodes } from '../new-codes.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute(`${recoveryCodesPath}/download`, {
  GET: async exchange => {
    const found = await codesOfUser(exchange)
    if (found === null) return seeOther(recoveryCodesPath)
    const t = translate(localeOf(exchange))
    const { siteName } = exchange.services.config
    const made = t('twoStep.codesMade', { date: found.codes.madeAt.toISOString().slice(0, 10) })
    const lines = [headingOfCodes({ t, siteName }, found), made, '', ...found.codes.codes, '']
    return {
      status: 200,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': 'attachment; filename="recovery-codes.txt"',
        'cache-control': 'no-store',
      },
      cookies: [],
      body: lines.join('\r\n'),
    }
  },
})
