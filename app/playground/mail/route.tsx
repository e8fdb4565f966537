/** The mails of a server on this machine, which are written to files and not sent. */

import { Fragment } from 'react'
import { hostedPage, type PageExchange } from '#app/_ui/hosted-route.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { keep, pageFrame, pageReply } from '#lib/http/page-frame.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { TimeText } from '#lib/pages/time-text.tsx'
import { browserAddress, ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import type { Services } from '#lib/server/services.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage('/playground/mail', async page => {
  const { query, services } = page
  requireThisMachine(page)
  const frame = pageFrame(page, { query: keep(query, 'mail') })
  const mails = await services.storedMails()
  return pageReply(frame, <MailPage frame={frame} mails={mails} shown={query.mail} />)
})

/**
 * Refuses everyone but a browser on this machine: mails contain links that sign users in. The `Host` must be that of the
 * issuer, because a page of another name, whose address changes to this machine (DNS rebinding), could read them.
 */
function requireThisMachine({ request, services: { config } }: PageExchange): void {
  const isHere = config.mail.kind === 'folder' && config.isForThisMachine
  if (!isHere || request.headers.get('host') !== new URL(config.issuer).host)
    throw new OauthError('playground_not_loopback')
}

type Mails = Awaited<ReturnType<Services['storedMails']>>
type MailPageProps = { readonly frame: Frame; readonly mails: Mails; readonly shown: string | undefined }

function MailPage({ frame, mails, shown }: MailPageProps) {
  const { t, locale } = frame
  const open = mails.find(({ id }) => id === shown)
  return (
    <Screen frame={frame} title={t('playground.mail.title')} layout="wide">
      <PageHead app={null} heading={t('playground.mail.title')}>
        <p className="small muted">{t('playground.mail.lead')}</p>
      </PageHead>
      {open !== undefined && <OpenMail frame={frame} mail={open} />}
      {mails.length === 0 ? (
        <p>{t('playground.mail.none')}</p>
      ) : (
        <ul className="list stack">
          {mails
            .filter(({ id }) => id !== open?.id)
            .map(({ id, to, subject, sentAt }) => (
              <li key={id}>
                <a href={browserAddress(`/playground/mail?mail=${id}`)}>{subject}</a>
                <p className="small muted">
                  <bdi>{to}</bdi> · <TimeText at={new Date(sentAt)} locale={locale} />
                </p>
              </li>
            ))}
        </ul>
      )}
    </Screen>
  )
}

type OpenMailProps = { readonly frame: Frame; readonly mail: Mails[number] }

/** One mail as plain text. Only addresses of this server are links. */
function OpenMail({ frame: { issuer }, mail: { id, subject, to, text } }: OpenMailProps) {
  const lines = text.trim().split('\n')
  return (
    <section className="stack" aria-labelledby="open-mail">
      <h2 id="open-mail">{subject}</h2>
      <p className="small muted">
        <bdi>{to}</bdi>
      </p>
      <p>
        {lines.map((line, index) => (
          <Fragment key={`${id} ${index.toString()}`}>
            {index > 0 && <br />}
            {line.startsWith(ownUrl(issuer, '/')) ? <a href={browserAddress(line)}>{line}</a> : line}
          </Fragment>
        ))}
      </p>
    </section>
  )
}
