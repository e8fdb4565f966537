/** The sign-in page, and the page for users who open it while they are signed in. */

import { PasswordField, TextField } from '#app/_ui/fields.tsx'
import { Notice } from '#app/_ui/notice.tsx'
import { PasskeyForm } from '#app/_ui/passkey-form.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { adminClientId } from '#lib/admin/access/built-in.ts'
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { MessageKey, Translate } from '#lib/i18n/translate.ts'
import type { EnteredFields, SignInField } from '#lib/identity/sign-in-fields.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { ExtraFields } from './extra-fields.tsx'
import { BackToApp, CarriedFields, type Problem, SignInProblem } from './sign-in-parts.tsx'
import { externalStart, type SignInStep, withCarried } from './sign-in-step.ts'

type LoginPageProps = {
  readonly frame: Frame
  readonly step: SignInStep
  readonly problem: Problem | null
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
  /** The scheme of the provider with which a user of this browser last signed in. */
  readonly latest: string | null
}

export function LoginPage(props: LoginPageProps) {
  const { frame, step, problem, news, isAgain, usual, latest, ...typed } = props
  const { t } = frame
  const { carried, client, allowsPassword } = step
  const name = client === null ? frame.siteName : displayName(client.clientName, client.clientId)
  return (
    <Screen
      // The page links to help itself, so the footer does not
      frame={{ ...frame, help: null }}
      title={t('login.title', { name })}
      isProblem={problem !== null}
      asksAgain={carried.pending !== null}
      usesPasskeys={step.allowsPasskey}
    >
      <LoginHead frame={frame} client={client} isAgain={isAgain} />
      <SignInProblem t={t} step={step} problem={problem} />
      {news !== null && <Notice kind="good">{t(news)}</Notice>}
      <UsualProvider t={t} step={step} usual={usual} />
      {allowsPassword && <LoginForm {...{ frame, step, problem, ...typed }} />}
      {step.allowsPasskey && <PasskeyButton t={t} step={step} />}
      <ProviderButtons {...{ frame, step, usual, latest }} />
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

type LoginFormProps = Omit<LoginPageProps, 'news' | 'isAgain' | 'usual' | 'latest'>

function LoginForm({ frame, step, problem, username, fields, entered }: LoginFormProps) {
  const { t } = frame
  const isWrong = problem?.kind === 'credentials' || problem?.kind === 'missing'
  return (
    <form className="form" method="post" action={browserAddress('/login')}>
      <CarriedFields carried={step.carried} />
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
            <a className="aside" href={browserAddress(withCarried('/login/forgot', step.carried))}>
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

/** The button for a passkey. Browsers that can also offer passkeys in the user name field. */
function PasskeyButton({ t, step }: { readonly t: Translate; readonly step: SignInStep }) {
  return (
    <PasskeyForm
      kind="get"
      action="/login/passkey"
      label={t('login.passkey')}
      busy={t('login.busy')}
      failed={t('login.passkeyFailed')}
      isInField
    >
      <CarriedFields carried={step.carried} />
      <input type="hidden" name="remember" />
    </PasskeyForm>
  )
}

type UsualProviderProps = Pick<LoginPageProps, 'step' | 'usual'> & { readonly t: Translate }

/** The provider of a user who signs in again, above the password form. */
function UsualProvider({ t, step, usual }: UsualProviderProps) {
  const found = step.providers.find(({ scheme }) => scheme === usual)
  if (found === undefined) return null
  const provider = displayName(found.displayName, found.scheme)
  return (
    <div className="stack">
      <p className="small muted">{t('login.usualProvider', { provider })}</p>
      <a className="btn primary wide" href={browserAddress(externalStart(found.scheme, step.carried))}>
        {t('login.continueWith', { provider })}
      </a>
      {step.allowsPassword && <div className="or">{t('login.or')}</div>}
    </div>
  )
}

const mostButtons = 4

type ProviderButtonsProps = Pick<LoginPageProps, 'frame' | 'step' | 'usual' | 'latest'>

/**
 * Buttons for up to four providers, other than the usual one. A link leads to the page with all if there are more, or if there
 * are several and at least one has email domains. Without any way to sign in, a notice says so.
 */
function ProviderButtons({ frame: { t, siteName }, step, usual, latest }: ProviderButtonsProps) {
  const { carried, allowsPassword } = step
  // The provider that was used last comes first, so that it always has a button
  const isLatest = (scheme: string) => Number(scheme === latest)
  const providers = step.providers
    .filter(({ scheme }) => scheme !== usual)
    .toSorted((one, other) => isLatest(other.scheme) - isLatest(one.scheme))
  if (providers.length === 0) {
    const hasNoWay = step.providers.length === 0 && !allowsPassword
    return hasNoWay ? <Notice kind="warn">{t('login.noWay', { site: siteName })}</Notice> : null
  }
  // With a single provider, the page that finds one is not needed
  const isSearched = providers.length > 1 && providers.some(({ domains }) => domains.length > 0)
  return (
    <>
      {allowsPassword && <div className="or">{t('login.or')}</div>}
      <div className="stack">
        {providers.slice(0, mostButtons).map(({ scheme, displayName: name }) => (
          <a className="btn wide" key={scheme} href={browserAddress(externalStart(scheme, carried))}>
            {t('login.continueWith', { provider: displayName(name, scheme) })}
            {scheme === latest && <span className="tag">{t('login.lastUsed')}</span>}
          </a>
        ))}
        {(isSearched || providers.length > mostButtons) && (
          <a
            className="btn plain small muted"
            href={browserAddress(withCarried('/login/providers', carried))}
          >
            {t('login.moreWays')}
          </a>
        )}
      </div>
    </>
  )
}

type AlreadySignedInProps = {
  readonly frame: Frame
  readonly name: string
  readonly subject: string
  /** The path that the first button opens. */
  readonly next: string
  /** Whether other accounts may be signed in in this browser. */
  readonly hasOthers: boolean
}

/** The page for a user who opens the sign-in page while signed in. */
export function AlreadySignedIn({ frame, name, subject, next, hasOthers }: AlreadySignedInProps) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('login.title', { name: siteName })}>
      <PageHead app={null} heading={t('login.signedIn')}>
        <p className="small muted">
          {t('login.signedInAs', { name: displayName(name, subject), site: siteName })}
        </p>
      </PageHead>
      <div className="stack">
        <a className="btn primary wide" href={browserAddress(next)}>
          {t('login.toAccount')}
        </a>
        <a className="btn wide" href={browserAddress(hasOthers ? '/select-account' : '/login?account=other')}>
          {t(hasOthers ? 'login.switchAccount' : 'login.otherAccount')}
        </a>
      </div>
    </Screen>
  )
}
