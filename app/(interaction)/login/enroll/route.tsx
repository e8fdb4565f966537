/** The page where a user sets up a factor that the sign-in requires. */

import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { PasskeyForm } from '#app/_ui/passkey-form.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { TotpField } from '#app/_ui/totp-field.tsx'
import { TotpKey } from '#app/_ui/totp-key.tsx'
import type { Query } from '#lib/http/page-frame.ts'
import { encodeForm, type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther, withCookies } from '#lib/http/reply.ts'
import { loginAgain, respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import { newCodesCookie, newKeyCookie, readNewKey } from '#lib/http/two-step-cookie.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { accountLabel } from '#lib/identity/account.ts'
import { enrollApp } from '#lib/identity/enrollment/enroll-app.ts'
import {
  type Enrollment,
  findEnrollment,
  isRecentlyProven,
  nameOfUser,
} from '#lib/identity/enrollment/enroll-step.ts'
import { newTotpSecret, totpKeyUri } from '#lib/identity/second-factor/totp.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { enrollPasskeyPath, enrollPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { OfferedTo } from '../offer.tsx'
import { carriedIn, withHandles } from '../second-factor/carried.ts'
import { CancelSignIn, SigningInUser } from '../sign-in-parts.tsx'
import { placeOfCodes } from './place-of-codes.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  enrollPath,
  pendingPage(readEnrollment, EnrollPage),
  formHandler(confirmApp, readForm),
)

type ShownEnrollment = {
  readonly client: Client | null
  readonly carried: Query
  readonly user: OfferedTo
  /** The key of a new authenticator app; `null`: only a passkey is enough. */
  readonly newApp: { readonly secret: string; readonly keyUri: string; readonly accountName: string } | null
  readonly allowsPasskey: boolean
  readonly problem: Problem | null
}

type Problem = keyof typeof problemTexts

const problemTexts = {
  wrong: 'twoStep.wrong',
  expired: 'twoStep.expired',
  passkey: 'passkeys.addFailed',
} as const satisfies Record<string, MessageKey>

async function readEnrollment(page: PageExchange): Promise<PageContent<ShownEnrollment>> {
  const { query, cookies, services } = page
  const carried = carriedIn(query)
  const proof = { partial: parseHandle('partial', query.partial), browser: cookies.browser }
  const found = await findEnrollment(services.pendingPorts(), proof)
  if (found === null) return { elsewhere: seeOther(withHandles('/login/return', carried)) }
  const { partial } = found
  if (!isRecentlyProven(partial)) {
    const place = { pending: partial.pending, back: null }
    return { elsewhere: seeOther(loginAgain(place, { why: 'stale', retryAfterSeconds: 0 })) }
  }
  const { interaction, proven } = partial
  const user = { subject: proven.subject, name: nameOfUser(proven) }
  const { newApp, cookies: made } = await newAppOf(page, found)
  return {
    shown: {
      ...{ client: interaction?.client ?? null, carried, user, newApp },
      ...{ allowsPasskey: found.allowsPasskey, problem: problemOf(query.error) },
    },
    frame: { query: carried, uiLocales: interaction?.uiLocales ?? [] },
    cookies: made,
  }
}

function problemOf(error = ''): Problem | null {
  return isProblem(error) ? error : null
}

function isProblem(error: string): error is Problem {
  return Object.hasOwn(problemTexts, error)
}

/** Returns the key for the page, with the cookie of a new one. A reload shows the same key, which the app may already have. */
async function newAppOf({ request, services }: PageExchange, { partial, allowsApp }: Enrollment) {
  if (!allowsApp) return { newApp: null, cookies: [] }
  const { ports, sealing, config } = services
  const { subject, idp } = partial.proven
  const name = nameOfUser(partial.proven)
  const owner = { subject, issuer: config.issuer }
  const known = readNewKey(sealing, request.headers.get('cookie'), owner)
  const secret = known ?? newTotpSecret()
  const accountName = await accountLabel(ports, { subject, idp, name })
  const keyUri = totpKeyUri({ secret, siteName: config.siteName, accountName })
  const cookies = known === null ? [newKeyCookie(sealing, secret, owner)] : []
  return { newApp: { secret, keyUri, accountName }, cookies }
}

type EnrollPageProps = ShownEnrollment & { readonly frame: Frame }

function EnrollPage({ frame, carried, ...shown }: EnrollPageProps) {
  const { client, user, newApp, allowsPasskey, problem } = shown
  const { t, siteName, issuer } = frame
  const name = client === null ? siteName : displayName(client.clientName, client.clientId)
  const isPasskeyOnly = newApp === null
  return (
    <Screen
      frame={frame}
      title={t('enroll.title', { name })}
      isProblem={problem !== null}
      layout={isPasskeyOnly ? undefined : 'wide'}
      asksAgain
      usesPasskeys={allowsPasskey}
    >
      <PageHead
        app={client && shownApp(client, issuer)}
        heading={t(isPasskeyOnly ? 'enroll.headingPasskey' : 'enroll.heading')}
      >
        <SigningInUser t={t} user={user} />
        <p className="small muted">
          {t(isPasskeyOnly ? 'enroll.leadPasskey' : 'enroll.lead', { app: name })}
        </p>
      </PageHead>
      {problem !== null && (
        <Notice kind="bad" id="problem">
          {t(problemTexts[problem])}
        </Notice>
      )}
      {allowsPasskey && <NewPasskey frame={frame} carried={carried} isOnly={isPasskeyOnly} />}
      {newApp !== null && (
        <AppForm
          frame={frame}
          newApp={newApp}
          carried={carried}
          isWrong={problem === 'wrong' || problem === 'expired'}
        />
      )}
      <WayBack frame={frame} carried={carried} app={name} />
    </Screen>
  )
}

type NewPasskeyProps = { readonly frame: Frame; readonly carried: Query; readonly isOnly: boolean }

/** The form is hidden in a browser without passkeys; if there is no other way, the page says so. */
function NewPasskey({ frame: { t }, carried, isOnly }: NewPasskeyProps) {
  return (
    <>
      <PasskeyForm
        kind="create"
        action={enrollPasskeyPath}
        query={`?${encodeForm(Object.entries(carried))}`}
        label={t('passkeys.create')}
        busy={t('passkeys.creating')}
        failed={t('passkeys.addFailed')}
        canceled={t(isOnly ? 'passkeys.canceled' : 'enroll.canceled')}
        known={t('passkeys.known')}
        look="primary"
        after={!isOnly && <div className="or">{t('login.or')}</div>}
      >
        <CarriedFields carried={carried} />
        <p className="small muted">{t('enroll.aboutPasskey')}</p>
      </PasskeyForm>
      {isOnly && (
        <div data-no-passkeys>
          <Notice kind="warn">{t('enroll.needsScript')}</Notice>
        </div>
      )}
    </>
  )
}

type AppFormProps = {
  readonly frame: Frame
  readonly newApp: NonNullable<ShownEnrollment['newApp']>
  readonly carried: Query
  readonly isWrong: boolean
}

function AppForm({ frame: { t }, newApp, carried, isWrong }: AppFormProps) {
  return (
    <section className="form" aria-labelledby="by-app">
      <div className="stack">
        <h2 id="by-app">{t('enroll.byApp')}</h2>
        <p className="small muted">{t('twoStep.lead')}</p>
      </div>
      <TotpKey t={t} {...newApp} />
      <form className="form" method="post" action={browserAddress(enrollPath)}>
        <CarriedFields carried={carried} />
        {/* With the focus here, the key and the passkey above would be out of sight */}
        <TotpField label={t('twoStep.enter')} isWrong={isWrong} isStart={false} />
        <SubmitButton label={t('enroll.finish')} busy={t('twoStep.busy')} />
      </form>
    </section>
  )
}

function CarriedFields({ carried }: Pick<ShownEnrollment, 'carried'>) {
  return Object.entries(carried).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))
}

type WayBackProps = { readonly frame: Frame; readonly carried: Query; readonly app: string }

/** Ends the request with an error for the app, so that the user is not stuck here. Without an app: back to the sign-in page. */
function WayBack({ frame: { t }, carried, app }: WayBackProps) {
  if (carried.pending === undefined) {
    return (
      <p className="small muted center">
        <a href={browserAddress('/login')}>{t('secondFactor.back')}</a>
      </p>
    )
  }
  return <CancelSignIn t={t} pending={carried.pending} app={app} />
}

async function confirmApp(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, request, cookies, context, services } = posted
  const { sealing, config, ports } = services
  const carried = carriedIn(form)
  const { browser, sessions: previous, knownBrowser, trustedBrowsers } = cookies
  const proof = { partial: parseHandle('partial', carried.partial), browser }
  const found = await findEnrollment(services.pendingPorts(), proof)
  if (found === null) return seeOther(withHandles('/login/return', carried))
  const { subject } = found.partial.proven
  const owner = { subject, issuer: config.issuer }
  const secret = readNewKey(sealing, request.headers.get('cookie'), owner)
  const input = { ...proof, previous, knownBrowser, trustedBrowsers, secret, code: form.code ?? '' }
  const answer = await enrollApp(services.pendingPorts(), input, context)
  switch (answer.kind) {
    case 'wrong_code':
      return seeOther(withHandles(enrollPath, { ...carried, error: 'wrong' }))
    case 'key_expired':
      return seeOther(withHandles(enrollPath, { ...carried, error: 'expired' }))
    case 'gone':
      return seeOther(withHandles('/login/return', carried))
    case 'already_set_up': {
      const place = { pending: found.partial.pending, back: null }
      return seeOther(loginAgain(place, { why: 'already_set_up', retryAfterSeconds: 0 }))
    }
    case 'enrolled': {
      const { outcome, codes } = answer
      const pending = parseHandle('pending', carried.pending)
      const made = { codes, isFirstSet: true, madeAt: ports.clock.now() }
      const back = readBack(request.headers.get('cookie'), config.issuer)
      // If another step follows, the codes are shown after it
      const place = outcome.kind === 'signed_in' ? placeOfCodes(pending) : { pending, back }
      const reply = respondSignIn(outcome, posted, { ...place, username: null })
      return withCookies(reply, [newCodesCookie(sealing, made, owner)])
    }
  }
}
