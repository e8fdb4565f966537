/** The page of the link “This wasn’t me”. It says what its button will do; opening it changes nothing. */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { LimitedNotice } from '#app/_ui/notice.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { undoLink } from '#lib/config/limits.ts'
import { keep } from '#lib/http/page-frame.ts'
import { encodeForm, type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { takeBackChange, type UndoView, undoView } from '#lib/identity/take-back/take-back.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { TimeText } from '#lib/pages/time-text.tsx'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { undoPath as path } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readLink, UndoPage),
  formHandler(takeBack, readForm),
)

type ShownLink = {
  /** `null`: the link does not work. */
  readonly view: UndoView | null
  readonly link: string
  /** The parameter of the address, after too many attempts. */
  readonly wait: string | undefined
}

async function readLink({ query, services }: PageExchange): Promise<PageContent<ShownLink>> {
  const link = query.link ?? ''
  const view = await undoView(services.ports, link)
  return {
    shown: { view, link, wait: query.wait },
    frame: { query: keep(query, 'link') },
    ...(view === null ? { status: { status: 410 } } : {}),
  }
}

function UndoPage({ frame, view, link, wait }: ShownLink & { readonly frame: Frame }) {
  if (view === null) return <ExpiredLink frame={frame} />
  const { t, siteName: site, locale } = frame
  const { change, at, address } = view
  const subject = t(`mail.security.changes.${change}.subject`, { site, time: '' })
  return (
    <Screen frame={frame} title={t('notMe.title', { name: site })} isProblem={wait !== undefined}>
      <PageHead app={null} heading={t('notMe.heading')}>
        <p className="small muted">
          <Sentence t={t} text="notMe.lead" placeholder="time">
            <TimeText at={at} locale={locale} />
          </Sentence>
        </p>
        <p>
          <strong>{subject}</strong>
        </p>
      </PageHead>
      {wait !== undefined && <LimitedNotice t={t} wait={wait} />}
      <p>{t('notMe.will')}</p>
      <ul className="stack">
        {[
          t('notMe.signedOut'),
          t('notMe.removed', { minutes: undoLink.marginSeconds / 60 }),
          t('notMe.address', { address: displayText(address, 80) }),
          t('notMe.password'),
          t('notMe.kept'),
        ].map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="link" value={link} />
        <SubmitButton label={t('notMe.submit')} busy={t('notMe.busy')} />
      </form>
      <p className="small muted">{t('notMe.wasMe')}</p>
    </Screen>
  )
}

function ExpiredLink({ frame }: { readonly frame: Frame }) {
  const { t, siteName: site } = frame
  const days = undoLink.lifetimeSeconds / 86_400
  return (
    <Screen frame={frame} title={t('notMe.expiredTitle', { name: site })}>
      <PageHead app={null} heading={t('notMe.expiredHeading')}>
        <p className="small muted">{t('notMe.expired', { days, site })}</p>
      </PageHead>
      <a className="btn primary wide" href={browserAddress('/login?back=%2Faccount')}>
        {t('notMe.signIn')}
      </a>
    </Screen>
  )
}

async function takeBack({ form, context, services }: FormExchange<FormFields>): Promise<Reply> {
  const { link = '' } = form
  const outcome = await takeBackChange(services.ports, link, context)
  switch (outcome.kind) {
    case 'taken_back':
      return seeOther(`${path}/done?mail=${outcome.hasMail}`)
    case 'limited': {
      const wait = String(Math.ceil(outcome.retryAfterSeconds))
      return seeOther(`${path}?${encodeForm([['link', link] as const, ['wait', wait] as const])}`)
    }
    case 'expired':
      // Without the link, so that a link of a deleted account does not show its button again
      return seeOther(path)
  }
}
