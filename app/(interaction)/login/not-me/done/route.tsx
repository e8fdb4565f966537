/** The page after a change was taken back. */
import { hostedPage, type PageContent, type PageExchange, pendingPage } from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { mailProof } from '#lib/config/limits.ts'
import { keep } from '#lib/http/page-frame.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { undoPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  `${undoPath}/done`,
  pendingPage(readDone, DonePage),
)

type ShownDone = { readonly hasMail: boolean; readonly isKept: boolean }

async function readDone({ query, services }: PageExchange): Promise<PageContent<ShownDone>> {
  const isKept = services.ports.mail.kind === 'folder'
  return { shown: { hasMail: query.mail === 'true', isKept }, frame: { query: keep(query, 'mail') } }
}

function DonePage({ frame, hasMail, isKept }: ShownDone & { readonly frame: Frame }) {
  const { t, siteName } = frame
  const minutes = mailProof.lifetimeSeconds / 60
  return (
    <Screen frame={frame} title={t('notMe.doneTitle', { name: siteName })}>
      <PageHead app={null} heading={t('notMe.doneHeading')} />
      <Notice kind="good">{t('notMe.done')}</Notice>
      <p>{hasMail ? t('notMe.doneMail', { minutes }) : t('notMe.doneNoMail')}</p>
      {hasMail && isKept && (
        <p className="small">
          <a href={browserAddress('/playground/mail')}>{t('recovery.keptMail')}</a>
        </p>
      )}
      <a className="btn primary wide" href={browserAddress('/login')}>
        {t('notMe.signIn')}
      </a>
    </Screen>
  )
}
