/** Set-up of an authenticator app: the key as a QR code and as text. It is stored once the user has entered a code. */

import { type FormExchange, formHandler, hostedPage, type PageExchange } from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { TotpField } from '#app/_ui/totp-field.tsx'
import { TotpKey } from '#app/_ui/totp-key.tsx'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther, withCookies } from '#lib/http/reply.ts'
import { newCodesCookie, newKeyCookie, readNewCodes, readNewKey } from '#lib/http/two-step-cookie.ts'
import { accountLabel } from '#lib/identity/account.ts'
import { hasAppWith, setUpApp } from '#lib/identity/second-factor/authenticator-app.ts'
import { newTotpSecret, totpKeyUri } from '#lib/identity/second-factor/totp.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { authenticatorPath, recoveryCodesPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../fresh-session.ts'
import { type OpenSession, ownSession } from '../own-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  authenticatorPath,
  showSetUp,
  formHandler(confirmSetUp, readForm),
)

async function showSetUp(page: PageExchange): Promise<Reply> {
  if (page.query.done === 'already') return showAlreadySetUp(page)
  const found = await freshSession(page, authenticatorPath)
  if ('elsewhere' in found) return found.elsewhere
  const { request, query, services } = page
  const { subject } = found.session
  const owner = { subject, issuer: services.config.issuer }
  const known = readNewKey(services.sealing, request.headers.get('cookie'), owner)
  const secret = known ?? newTotpSecret()
  const frame = pageFrame(page, { offersSignOut: true })
  const accountName = await accountLabel(services.ports, found.session)
  const document = (
    <SetUpPage
      frame={frame}
      subject={subject}
      secret={secret}
      keyUri={totpKeyUri({ secret, siteName: frame.siteName, accountName })}
      accountName={accountName}
      isReplacement={(await services.ports.secondFactors.findApp(subject)) !== null}
      problem={problemOf(query.error)}
    />
  )
  const reply = pageReply(frame, document)
  // A reload shows the same key, which the app may already have
  return known === null ? withCookies(reply, [newKeyCookie(services.sealing, secret, owner)]) : reply
}

type Problem = 'wrong' | 'expired'

function problemOf(error: string | undefined): Problem | null {
  return error === 'wrong' || error === 'expired' ? error : null
}

type SetUpProps = {
  readonly frame: Frame
  readonly subject: string
  readonly secret: string
  readonly keyUri: string
  readonly accountName: string
  /** Whether the user has an authenticator app, which this one replaces. */
  readonly isReplacement: boolean
  readonly problem: Problem | null
}

function SetUpPage({ frame, subject, isReplacement, problem, ...key }: SetUpProps) {
  const { t, siteName } = frame
  const isWrong = problem !== null
  return (
    <Screen frame={frame} title={t('twoStep.title', { name: siteName })} isProblem={isWrong} layout="wide">
      <PageHead app={null} heading={t('twoStep.heading')}>
        <p className="small muted">
          {t('twoStep.lead')} {isReplacement && t('twoStep.replaces')}
        </p>
      </PageHead>
      {problem !== null && (
        <Notice kind="bad" id="problem">
          {t(problem === 'wrong' ? 'twoStep.wrong' : 'twoStep.expired')}
        </Notice>
      )}
      <TotpKey t={t} {...key} />
      <form className="form" method="post" action={browserAddress(authenticatorPath)}>
        <input type="hidden" name="user" value={subject} />
        <TotpField label={t('twoStep.enter')} isWrong={isWrong} />
        <SubmitButton
          label={t(isReplacement ? 'twoStep.finishReplacement' : 'twoStep.finish')}
          busy={t('twoStep.busy')}
        />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function showAlreadySetUp(page: PageExchange): Promise<Reply> {
  const found = await ownSession(page, { back: authenticatorPath })
  if ('elsewhere' in found) return found.elsewhere
  const app = await page.services.ports.secondFactors.findApp(found.session.subject)
  if (app === null) return seeOther(authenticatorPath)
  const frame = pageFrame(page, { offersSignOut: true })
  return pageReply(frame, <AlreadySetUpPage frame={frame} />)
}

function AlreadySetUpPage({ frame }: Pick<SetUpProps, 'frame'>) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('twoStep.title', { name: siteName })}>
      <PageHead app={null} heading={t('twoStep.alreadyHeading')}>
        <p className="small muted">{t('twoStep.alreadyLead')}</p>
      </PageHead>
      <a className="btn primary wide" href={browserAddress(recoveryCodesPath)}>
        {t('twoStep.alreadyCodes')}
      </a>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function confirmSetUp(posted: FormExchange<FormFields>): Promise<Reply> {
  const { request, services } = posted
  const own = await ownSession(posted, { user: posted.form.user ?? null, back: authenticatorPath })
  if ('elsewhere' in own) return own.elsewhere
  const { subject } = own.session
  const cookies = request.headers.get('cookie')
  const owner = { subject, issuer: services.config.issuer }
  const secret = readNewKey(services.sealing, cookies, owner)
  const found = await freshSession(posted, authenticatorPath)
  // Read afterwards: a form that was sent twice meets the app that has made a fresh sign-in necessary
  const isRepeated =
    secret === null
      ? readNewCodes(services.sealing, cookies, owner) !== null
      : await hasAppWith(services.ports, { subject, secret })
  if (isRepeated) return seeOther(alreadySetUp)
  if ('elsewhere' in found) return found.elsewhere
  return storeApp(posted, { secret, owner, session: found.session.digest })
}

const alreadySetUp = `${authenticatorPath}?done=already`

type KeyOfUser = {
  readonly secret: string | null
  readonly owner: { readonly subject: SubjectId; readonly issuer: string }
  /** The digest of the session. */
  readonly session: OpenSession['digest']
}

async function storeApp(
  posted: FormExchange<FormFields>,
  { secret, owner, session }: KeyOfUser,
): Promise<Reply> {
  const { form, context, services } = posted
  const { ports, sealing } = services
  if (secret === null) return seeOther(`${authenticatorPath}?error=expired`)
  const { subject } = owner
  const within = { kind: 'session', digest: session } as const
  const outcome = await setUpApp(ports, { subject, secret, code: form.code ?? '', within }, context)
  switch (outcome.kind) {
    case 'wrong_code':
      return seeOther(`${authenticatorPath}?error=wrong`)
    case 'already_set_up':
      return seeOther(alreadySetUp)
    case 'set_up': {
      const made = { codes: outcome.codes, isFirstSet: true, madeAt: ports.clock.now() }
      return seeOther(recoveryCodesPath, [newCodesCookie(sealing, made, owner)])
    }
  }
}
