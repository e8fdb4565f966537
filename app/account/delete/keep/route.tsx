/**
 * Keeps an account whose deletion is planned: with a link of a mail, also for a user who is not signed in, or with the
 * button of a signed-in user.
 */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { encodeForm, type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { deletionOfLink, keepByLink } from '#lib/identity/account-deletion/keep-account.ts'
import { keepAccount } from '#lib/identity/account-deletion/own-deletion.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { TimeText } from '#lib/pages/time-text.tsx'
import { keepByMailPath as path } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { ownSession } from '../../own-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readLink, KeepPage),
  formHandler(keep, readForm),
)

type ShownLink = {
  readonly state:
    | { readonly kind: 'waiting'; readonly dueAt: Date; readonly link: string }
    | { readonly kind: 'kept' | 'final' | 'ended' }
}

async function readLink({ query, services }: PageExchange): Promise<PageContent<ShownLink>> {
  if (query.done === 'kept') return { shown: { state: { kind: 'kept' } } }
  const { link = '' } = query
  const planned = await deletionOfLink(services.ports, link)
  if (planned === null) return { shown: { state: { kind: 'ended' } } }
  const { dueAt, isFinal } = planned
  const state = isFinal ? ({ kind: 'final' } as const) : ({ kind: 'waiting', dueAt, link } as const)
  return { shown: { state }, frame: { query: { link } } }
}

function KeepPage({ frame, state }: ShownLink & { readonly frame: Frame }) {
  const { t, siteName, locale } = frame
  return (
    <Screen
      frame={frame}
      title={t('deletion.plannedTitle', { name: siteName })}
      isProblem={state.kind === 'ended'}
    >
      <PageHead
        app={null}
        heading={t(state.kind === 'final' ? 'deletion.plannedHeading' : 'deletion.keep')}
      />
      {state.kind === 'kept' && <Notice kind="good">{t('deletion.isKept')}</Notice>}
      {state.kind === 'final' && <Notice kind="warn">{t('deletion.isFinal')}</Notice>}
      {state.kind === 'ended' && <Notice kind="bad">{t('deletion.linkEnded')}</Notice>}
      {state.kind === 'waiting' && (
        <>
          <p>
            <Sentence t={t} text="deletion.plannedFor" placeholder="date">
              <TimeText at={state.dueAt} locale={locale} isDayOnly />
            </Sentence>
          </p>
          <form className="form" method="post" action={browserAddress(path)}>
            <input type="hidden" name="link" value={state.link} />
            <SubmitButton label={t('deletion.keep')} busy={t('deletion.busy')} />
          </form>
        </>
      )}
      {state.kind !== 'waiting' && (
        <p className="center">
          <a className="btn" href={browserAddress('/account')}>
            {t('home.account')}
          </a>
        </p>
      )}
    </Screen>
  )
}

async function keep(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, context, services } = posted
  if (form.link !== undefined) {
    const { link } = form
    if (await keepByLink(services.ports, link, context)) return seeOther(`${path}?done=kept`)
    // The page says why: the deletion is final, or the link no longer works
    const planned = await deletionOfLink(services.ports, link)
    return seeOther(planned === null ? path : `${path}?${encodeForm([['link', link]])}`)
  }
  const found = await ownSession(posted, { user: form.user ?? null })
  if ('elsewhere' in found) return found.elsewhere
  const isKept = await keepAccount(services.ports, found.session.subject, context)
  return seeOther(isKept ? '/account?done=deletion_canceled' : '/account')
}
