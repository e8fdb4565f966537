/** Set-up of an authenticator app: the key as a QR code and as text. It is stored once the user has entered a code. */

import { TextField } from '#app/_ui/fields.tsx'
import { type FormExchange, formHandler, hostedPage, type PageExchange } from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { TotpKey } from '#app/_ui/totp-key.tsx'
import { secondFactors as limits } from '#lib/config/limits.ts'
import { pageFrame, pageReply } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther, withCookies } from '#lib/http/reply.ts'
import { newCodesCookie, newKeyCookie, readNewKey } from '#lib/http/two-step-cookie.ts'
import { accountLabel } from '#lib/identity/account.ts'
import { setUpApp } from '#lib/identity/second-factor/authenticator-app.ts'
import { newTotpSecret, totpKeyUri } from '#lib/identity/second-factor/totp.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { authenticatorPath, recoveryCodesPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../fresh-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  authenticatorPath,
  showSetUp,
  formHandler(confirmSetUp, readForm),
)

async function showSetUp(page: PageExchange): Promise<Reply> {
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
  readonly secret: string
  readonly keyUri: string
  readonly accountName: string
  /** Whether the user has an authenticator app, which this one replaces. */
  readonly isReplacement: boolean
  readonly problem: Problem | null
}

function SetUpPage({ frame, isReplacement, problem, ...key }: SetUpProps) {
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
        <TextField
          id="code"
          label={t('twoStep.enter')}
          isWrong={isWrong}
          input={{
            type: 'text',
            dir: 'ltr',
            inputMode: 'numeric',
            autoComplete: 'one-time-code',
            maxLength: limits.typedCharacters,
            enterKeyHint: 'go',
          }}
        />
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

async function confirmSetUp(posted: FormExchange<FormFields>): Promise<Reply> {
  const found = await freshSession(posted, authenticatorPath)
  if ('elsewhere' in found) return found.elsewhere
  const { form, request, context, services } = posted
  const { ports, sealing, config } = services
  const { subject } = found.session
  const owner = { subject, issuer: config.issuer }
  const secret = readNewKey(sealing, request.headers.get('cookie'), owner)
  if (secret === null) return seeOther(`${authenticatorPath}?error=expired`)
  const codes = await setUpApp(ports, { subject, secret, code: form.code ?? '' }, context)
  if (codes === null) return seeOther(`${authenticatorPath}?error=wrong`)
  const made = { codes, isFirstSet: true, madeAt: ports.clock.now() }
  return seeOther(recoveryCodesPath, [newCodesCookie(sealing, made, owner)])
}
