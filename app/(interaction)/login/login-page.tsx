/** The sign-in page. */

import { PasswordField, TextField } from '#app/_ui/fields.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import type { UnknownPasskey } from '#lib/identity/passkeys/passkey-names.ts'
import type { EnteredFields, SignInField } from '#lib/identity/sign-in-fields.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { appOrSite, PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Way } from '#lib/protocol/vocabulary.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { ExtraFields } from './extra-fields.tsx'
import { BackToApp, CarriedFields, type Problem, SignInProblem } from './sign-in-parts.tsx'
import { type SignInStep, withCarried } from './sign-in-step.ts'
import { FirstProvider, firstProvider, PasskeyButton, ProviderButtons, UsualProvider } from './ways.tsx'

type LoginPageProps = {
  readonly frame: Frame
  readonly step: SignInStep
  readonly problem: Problem | null
  /** The passkey of the last attempt, if this server does not know it. */
  readonly unknownPasskey: UnknownPasskey | null
  /** Additional fields of the form, and the values that the user entered before. */
  readonly fields: readonly SignInField[]
  readonly entered: EnteredFields
  /** The initial value of the user name field. */
  readonly username: string
  /** The notice about a change that was made in this browser just now; `null`: none. */
  readonly news: MessageKey | null
  /** Whether the client requires the signed-in user to sign in again. */
  readonly isAgain: boolean
  /** If the signed-in user must sign in again: the scheme of the provider at which the user signed in. */
  readonly usual: string | null
  /** The way in which a user of this browser last signed in. */
  readonly latest: Way | null
}

export function LoginPage(props: LoginPageProps) {
  const { frame, step, problem, unknownPasskey, news, isAgain, usual, latest, ...typed } = props
  const { t } = frame
  const { carried, client, allowsPassword } = step
  const first = usual === null ? firstProvider(step, latest) : null
  const isPasskeyFirst = step.allowsPasskey && usual === null && latest === 'passkey'
  return (
    <Screen
      // The page links to help itself, so the footer does not
      frame={{ ...frame, help: null }}
      title={t('login.title', { name: appOrSite(client, frame.siteName) })}
      isProblem={problem !== null}
      asksAgain={carried.pending !== null}
      usesPasskeys={step.allowsPasskey}
    >
      {unknownPasskey !== null && <div hidden data-signals={JSON.stringify({ unknown: unknownPasskey })} />}
      <LoginHead frame={frame} client={client} isAgain={isAgain} />
      <SignInProblem t={t} step={step} problem={problem} />
      {news !== null && <Notice kind="good">{t(news)}</Notice>}
      <UsualProvider t={t} step={step} usual={usual} />
      <FirstProvider t={t} step={step} provider={first} />
      {isPasskeyFirst && <PasskeyButton t={t} step={step} isFirst />}
      {allowsPassword && <LoginForm {...{ frame, step, problem, ...typed }} />}
      {step.allowsPasskey && !isPasskeyFirst && <PasskeyButton t={t} step={step} />}
      <ProviderButtons {...{ frame, step, latest }} shown={[usual, first?.scheme ?? null]} />
      {step.offersRegistration && (
        <p className="small muted center">
          <a href={browserAddress(withCarried('/login/register', step.carried))}>{t('registration.link')}</a>
        </p>
      )}
      {frame.help != null && (
        <p className="small muted center">
          <a href={browserAddress(frame.help)}>{t('login.getHelp')}</a>
        </p>
      )}
      <BackToApp t={t} step={step} />
    </Screen>
  )
}

type LoginHeadProps = Pick<LoginPageProps, 'frame' | 'isAgain'> & { readonly client: Client | null }

function LoginHead({ frame: { t, siteName, issuer }, client, isAgain }: LoginHeadProps) {
  if (client === null) {
    return (
      <PageHead app={null} heading={t('login.headingAlone')}>
        <p className="small muted">{t('login.leadAlone', { site: siteName })}</p>
      </PageHead>
    )
  }
  const app = shownApp(client, issuer)
  const why = client.clientId === adminClientId ? 'login.againDashboard' : 'login.again'
  return (
    <PageHead app={app} heading={t(isAgain ? 'login.headingAgain' : 'login.heading', { app: app.name })}>
      <p className="small muted">{t(isAgain ? why : 'login.lead', { app: app.name, site: siteName })}</p>
    </PageHead>
  )
}

type LoginFormProps = Omit<LoginPageProps, 'unknownPasskey' | 'news' | 'isAgain' | 'usual' | 'latest'>

function LoginForm({ frame, step, problem, username, fields, entered }: LoginFormProps) {
  const { t } = frame
  const isWrong = problem?.kind === 'credentials' || problem?.kind === 'missing'
  return (
    <form className="form" method="post" action={browserAddress('/login')}>
      <CarriedFields carried={step.carried} />
      {step.allowsPasskey && <input type="hidden" name="passkeys" data-creates-passkeys />}
      <TextField
        id="username"
        label={t('login.username')}
        isWrong={isWrong}
        input={{
          type: 'text',
          dir: 'auto',
          maxLength: 255,
          defaultValue: username,
          autoComplete: step.allowsPasskey ? 'username webauthn' : 'username',
          enterKeyHint: 'next',
        }}
      />
      <PasswordField
        t={t}
        id="password"
        label={t('login.password')}
        autoComplete="current-password"
        isLast={fields.length === 0}
        isWrong={isWrong}
        aside={
          step.offersRecovery && (
            <a
              className="aside"
              href={browserAddress(withCarried('/login/forgot', step.carried))}
              data-carries="username"
            >
              {t('recovery.link')}
            </a>
          )
        }
      />
      <ExtraFields frame={frame} fields={fields} entered={entered} problem={problem} />
      <label className="check">
        <input type="checkbox" name="remember" value="on" aria-describedby="remember-hint" />
        <span>
          {t('login.remember')}
          <span className="small muted block" id="remember-hint">
            {t('login.rememberHint', { days: lifetimeSeconds.rememberedSession / 86_400 })}
          </span>
        </span>
      </label>
      <SubmitButton label={t('login.submit')} busy={t('login.busy')} />
    </form>
  )
}
