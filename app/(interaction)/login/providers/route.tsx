/** Home realm discovery: the list of organizations, and the search for the one that an email address belongs to. */

import { TextField } from '#app/_ui/fields.tsx'
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Notice, pageStatusOf } from '#app/_ui/notice.tsx'
import { ProviderMark } from '#app/_ui/provider-mark.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { findInteraction } from '#lib/core/authorize/pending.ts'
import { listedProviders } from '#lib/core/authorize/sign-in-providers.ts'
import { encodeForm, type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { enabledProviders, providerForEmail } from '#lib/identity/external-provider.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { BackToApp, CarriedFields, type Problem, problemOf, SignInProblem } from '../sign-in-parts.tsx'
import {
  type Carried,
  carriedFields,
  externalStart,
  openSignInStep,
  type ShownProvider,
  type SignInStep,
  withCarried,
} from '../sign-in-step.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  '/login/providers',
  pendingPage(readProviders, ProvidersPage),
  formHandler(findProvider, readForm),
)

async function readProviders(page: PageExchange): Promise<PageContent<ShownProviders>> {
  const opened = await openSignInStep(page)
  if ('elsewhere' in opened) return opened
  const { step } = opened.shown
  const problem = problemOf(page.query)
  const isUnknown = page.query.error === 'unknown_domain'
  return { ...opened, shown: { step, isUnknown, problem }, status: pageStatusOf(problem) }
}

async function findProvider({ form, cookies, services }: FormExchange<FormFields>): Promise<Reply> {
  const pending = parseHandle('pending', form.pending)
  const interaction = await findInteraction(services.pendingPorts(), pending, cookies.browser)
  const providers = pending === null ? await enabledProviders(services.ports) : (interaction?.providers ?? [])
  const listed = listedProviders(providers, interaction?.requestedProvider ?? null)
  const provider = providerForEmail(listed, form.email ?? '')
  const carried = { pending, back: backPath(form.back) }
  return provider === null
    ? seeOther(`/login/providers?${encodeForm([...carriedFields(carried), ['error', 'unknown_domain']])}`)
    : seeOther(externalStart(provider.scheme, carried))
}

type ShownProviders = {
  readonly step: SignInStep
  /** Whether no organization has the domain of the email address. */
  readonly isUnknown: boolean
  readonly problem: Problem | null
}

function ProvidersPage({ frame, step, isUnknown, problem }: ShownProviders & { readonly frame: Frame }) {
  const { carried, client, providers, allowsPassword } = step
  const { t, siteName, issuer } = frame
  const app = client === null ? null : shownApp(client, issuer)
  const hasDomains = providers.some(({ domains }) => domains.length > 0)
  return (
    <Screen
      frame={frame}
      title={t('providers.title', { name: app?.name ?? siteName })}
      isProblem={isUnknown || problem !== null}
      asksAgain={carried.pending !== null}
    >
      <PageHead app={app} heading={t('providers.heading')}>
        {app !== null && <p className="small muted">{t('providers.lead', { app: app.name })}</p>}
      </PageHead>
      {isUnknown && (
        <Notice kind="bad" id="problem">
          {t('providers.unknownDomain')}
        </Notice>
      )}
      <SignInProblem t={t} step={step} problem={problem} />
      {hasDomains && <DomainForm t={t} carried={carried} isWrong={isUnknown} />}
      {hasDomains && <div className="or">{t('login.or')}</div>}
      <ProviderList frame={frame} providers={providers} carried={carried} />
      {allowsPassword && (
        <a
          className={providers.length === 0 ? 'btn primary wide' : 'btn plain small'}
          href={browserAddress(withCarried('/login', carried))}
        >
          {t('providers.password')}
        </a>
      )}
      <BackToApp t={t} step={step} />
    </Screen>
  )
}

type DomainFormProps = { readonly t: Translate; readonly carried: Carried; readonly isWrong: boolean }

/** Finds an organization by the domain of an email address. The account need not exist. */
function DomainForm({ t, carried, isWrong }: DomainFormProps) {
  return (
    <form className="form" method="post" action={browserAddress('/login/providers')}>
      <CarriedFields carried={carried} />
      <TextField
        id="email"
        label={t('providers.email')}
        hint={t('providers.emailHint')}
        isWrong={isWrong}
        input={{ type: 'email', dir: 'ltr', maxLength: 254, autoComplete: 'email', enterKeyHint: 'go' }}
      />
      <SubmitButton label={t('providers.find')} busy={t('consent.busy')} />
    </form>
  )
}

type ProviderListProps = {
  readonly frame: Frame
  readonly providers: readonly ShownProvider[]
  readonly carried: Carried
}

/** A link for each organization, with up to three of its domains. */
function ProviderList({ frame: { t, locale, siteName }, providers, carried }: ProviderListProps) {
  if (providers.length === 0) return <p className="muted">{t('providers.none', { site: siteName })}</p>
  const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' })
  return (
    <ul className="list stack" aria-label={t('providers.list')}>
      {providers.map(({ scheme, displayName: name, preset, domains }) => (
        <li key={scheme}>
          <a className="btn wide choice" href={browserAddress(externalStart(scheme, carried))}>
            <span className="with-mark">
              <ProviderMark preset={preset} />
              {displayName(name, scheme)}
            </span>
            {domains.length > 0 && (
              <span className="small faint">
                {t('providers.domains', { domains: list.format(shownDomains(domains)) })}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  )
}

const mostDomains = 3

function shownDomains(domains: readonly string[]): readonly string[] {
  return domains.slice(0, mostDomains).map(domain => displayText(domain, 40))
}
