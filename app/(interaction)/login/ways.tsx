/** The ways to sign in other than the password: passkeys and identity providers. The way that was used last comes first. */
import { Notice } from '#app/_ui/notice.tsx'
import { PasskeyForm } from '#app/_ui/passkey-form.tsx'
import { ProviderMark } from '#app/_ui/provider-mark.tsx'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { type Way, wayOfProvider } from '#lib/protocol/vocabulary.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { CarriedFields } from './sign-in-parts.tsx'
import { externalStart, type ShownProvider, type SignInStep, withCarried } from './sign-in-step.ts'

/**
 * Returns the provider to show above the password form, because it was used last; `null` if there is none, or if the page has
 * no password form.
 */
export function firstProvider(
  { allowsPassword, providers }: SignInStep,
  latest: Way | null,
): ShownProvider | null {
  if (!allowsPassword) return null
  return providers.find(({ scheme }) => wayOfProvider(scheme) === latest) ?? null
}

type PasskeyButtonProps = {
  readonly t: Translate
  readonly step: SignInStep
  /** Whether it comes before the other ways, because it was used last. */
  readonly isFirst?: boolean
}

/** The button for a passkey. Browsers that can also offer passkeys in the user name field. */
export function PasskeyButton({ t, step, isFirst = false }: PasskeyButtonProps) {
  return (
    <PasskeyForm
      kind="get"
      action="/login/passkey"
      label={t('login.passkey')}
      busy={t('login.busy')}
      failed={t('login.passkeyFailed')}
      canceled={t('login.passkeyCanceled')}
      isInField
      tag={isFirst ? t('login.lastUsed') : null}
      after={isFirst && step.allowsPassword && <div className="or">{t('login.or')}</div>}
    >
      <CarriedFields carried={step.carried} />
      <input type="hidden" name="remember" />
    </PasskeyForm>
  )
}

type UsualProviderProps = {
  readonly t: Translate
  readonly step: SignInStep
  /** The scheme; `null`: the user did not sign in with a provider. */
  readonly usual: string | null
}

/** The provider of a user who signs in again, above the password form. */
export function UsualProvider({ t, step, usual }: UsualProviderProps) {
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

type FirstProviderProps = Pick<UsualProviderProps, 't' | 'step'> & { readonly provider: ShownProvider | null }

/** The provider that was used last, above the password form. */
export function FirstProvider({ t, step, provider }: FirstProviderProps) {
  if (provider === null) return null
  return (
    <div className="stack">
      <ProviderButton {...{ t, provider }} carried={step.carried} isLatest />
      <div className="or">{t('login.or')}</div>
    </div>
  )
}

type ProviderButtonProps = Pick<UsualProviderProps, 't'> &
  Pick<SignInStep, 'carried'> & { readonly provider: ShownProvider; readonly isLatest: boolean }

function ProviderButton({ t, carried, provider, isLatest }: ProviderButtonProps) {
  const { scheme, displayName: name, preset } = provider
  return (
    <a className="btn wide marked" href={browserAddress(externalStart(scheme, carried))}>
      <ProviderMark preset={preset} />
      {t('login.continueWith', { provider: displayName(name, scheme) })}
      {isLatest && <span className="tag">{t('login.lastUsed')}</span>}
    </a>
  )
}

const mostButtons = 4

type ProviderButtonsProps = {
  readonly frame: Frame
  readonly step: SignInStep
  /** The schemes of providers that the page shows at another place. */
  readonly shown: readonly (string | null)[]
  readonly latest: Way | null
}

/**
 * Buttons for up to four providers, other than those shown already. A link leads to the page with all if there are more, or if there
 * are several and at least one has email domains. Without any way to sign in, a notice says so.
 */
export function ProviderButtons({ frame: { t, siteName }, step, shown, latest }: ProviderButtonsProps) {
  const { carried, allowsPassword } = step
  // The provider that was used last comes first, so that it always has a button
  const isLatest = (scheme: string) => Number(latest === wayOfProvider(scheme))
  const providers = step.providers
    .filter(({ scheme }) => !shown.includes(scheme))
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
        {providers.slice(0, mostButtons).map(provider => (
          <ProviderButton
            key={provider.scheme}
            {...{ t, carried, provider }}
            isLatest={latest === wayOfProvider(provider.scheme)}
          />
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
