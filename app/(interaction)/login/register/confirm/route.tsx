/** The page that the mailed link of a registration opens. Only its form creates the account. */
import { PasswordField } from '#app/_ui/fields.tsx'
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { LimitedNotice, Notice, pageStatusOf } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { mailProof } from '#lib/config/limits.ts'
import { keep, type Query } from '#lib/http/page-frame.ts'
import { type FormFields, readPasswordForm } from '#lib/http/read-params.ts'
import type { Reply } from '#lib/http/reply.ts'
import { type RegistrationView, registrationView } from '#lib/identity/registration/confirm-registration.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { appOrSite, PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { withCarried } from '../../sign-in-step.ts'
import { answerConfirmation } from '../answer-confirmation.ts'

const path = '/login/register/confirm'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readLink, LinkPage),
  formHandler(createAccount, readPasswordForm),
)

type Problem = {
  readonly kind: 'wrong' | 'limited'
  readonly wait: string | undefined
}

type ShownLink = {
  /** `null`: the link does not work. */
  readonly view: RegistrationView | null
  readonly link: string
  readonly problem: Problem | null
}

async function readLink({ query, cookies, services }: PageExchange): Promise<PageContent<ShownLink>> {
  const link = parseHandle('mailLink', query.link)
  const view = await registrationView(services.pendingPorts(), { link, browser: cookies.browser })
  const problem = problemOf(query)
  return {
    shown: { view, link: link ?? '', problem },
    frame: { query: keep(query, 'link'), uiLocales: view?.uiLocales ?? [] },
    status: view === null ? { status: 410 } : pageStatusOf(problem),
  }
}

function problemOf({ error, wait }: Query): Problem | null {
  return error === 'wrong' || error === 'limited' ? { kind: error, wait } : null
}

type LinkPageProps = ShownLink & { readonly frame: Frame }

function LinkPage({ frame, view, link, problem }: LinkPageProps) {
  if (view === null) return <EndedLink frame={frame} />
  const { t, siteName, issuer } = frame
  const { client, username, email, pending, back } = view
  const names = { username: displayName(username, ''), email }
  const signIn = withCarried('/login', { pending, back })
  return (
    <Screen
      frame={frame}
      title={t('registration.confirmTitle', { name: appOrSite(client, siteName) })}
      isProblem={problem !== null}
      usesPasskeys
    >
      <PageHead app={client && shownApp(client, issuer)} heading={t('registration.confirmHeading')}>
        <p className="small muted">
          {username === email
            ? t('registration.confirmLeadEmail', names)
            : t('registration.confirmLead', names)}
        </p>
      </PageHead>
      <ProblemNotice frame={frame} problem={problem} />
      <ConfirmForm {...{ frame, view, link, problem }} />
      <p className="small muted center">
        <a href={browserAddress(signIn)}>{t('recovery.back')}</a>
      </p>
    </Screen>
  )
}

function ProblemNotice({ frame: { t }, problem }: Pick<LinkPageProps, 'frame' | 'problem'>) {
  if (problem === null) return null
  if (problem.kind === 'limited') return <LimitedNotice t={t} wait={problem.wait} />
  return (
    <Notice kind="bad" id="problem">
      {t('registration.wrongPassword')}
    </Notice>
  )
}

type ConfirmFormProps = Omit<LinkPageProps, 'view'> & { readonly view: RegistrationView }

function ConfirmForm({ frame: { t }, view, link, problem }: ConfirmFormProps) {
  return (
    <form className="form" method="post" action={browserAddress(path)}>
      <input type="hidden" name="link" value={link} />
      <input type="hidden" name="passkeys" data-creates-passkeys />
      {view.needsPassword && (
        <>
          <p className="small muted">{t('registration.confirmElsewhere')}</p>
          <input type="text" autoComplete="username" defaultValue={view.username} readOnly hidden />
          <PasswordField
            t={t}
            id="password"
            label={t('registration.password')}
            autoComplete="current-password"
            isLast
            isWrong={problem?.kind === 'wrong'}
          />
        </>
      )}
      <SubmitButton label={t('registration.submit')} busy={t('registration.busy')} />
    </form>
  )
}

/** The page of a link that was used, replaced or has expired. */
function EndedLink({ frame }: { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('registration.expiredTitle', { name: siteName })}>
      <PageHead app={null} heading={t('recovery.expiredHeading')}>
        <p className="small muted">
          {t('registration.expired', { minutes: mailProof.lifetimeSeconds / 60 })}
        </p>
      </PageHead>
      <div className="stack">
        <a className="btn primary wide" href={browserAddress('/login')}>
          {t('login.submit')}
        </a>
        <a className="btn wide" href={browserAddress('/login/register')}>
          {t('registration.again')}
        </a>
      </div>
    </Screen>
  )
}

async function createAccount(posted: FormExchange<FormFields>): Promise<Reply> {
  const { password = '' } = posted.form
  return answerConfirmation(posted, { link: parseHandle('mailLink', posted.form.link), password })
}
