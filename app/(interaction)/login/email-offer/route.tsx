/** Offers to add or confirm an email address after a sign-in. Every answer continues to the app. */
import {
  EmailForm,
  type EmailProblem,
  EmailProblemNotice,
  emailProblemOf,
  emailRefused,
} from '#app/_ui/email-form.tsx'
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { pageStatusOf } from '#app/_ui/notice.tsx'
import { browserCookie } from '#lib/http/cookies.ts'
import { type FormFields, readForm, withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import {
  type OwnEmail,
  ownEmail,
  requestEmailChange,
} from '#lib/identity/email-change/request-email-change.ts'
import { hasFreshSignIn } from '#lib/identity/fresh-sign-in.ts'
import { currentSession } from '#lib/identity/session.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { emailPath, emailOfferPath as path } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { type OfferedTo, OfferedUser, OfferFields, placeOfOffer, sessionOfOffer } from '../offer.tsx'
import { type Carried, carriedFields } from '../sign-in-step.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readOffer, OfferPage),
  formHandler(askForMail, readForm),
)

type ShownOffer = {
  readonly email: OwnEmail
  readonly next: string
  readonly carried: Carried
  readonly problem: EmailProblem | null
  readonly user: OfferedTo
}

/** A page of an earlier sign-in, such as after a press of the back button, continues without the offer. */
async function readOffer({ query, cookies, services }: PageExchange): Promise<PageContent<ShownOffer>> {
  const { next, carried } = placeOfOffer(query)
  const { ports } = services
  const session = await currentSession(ports, cookies.session)
  if (session === null || !(await hasFreshSignIn(ports, session))) return { elsewhere: seeOther(next) }
  const email = await ownEmail(ports, session)
  if (email === null || (email.address !== null && email.isVerified)) return { elsewhere: seeOther(next) }
  const problem = emailProblemOf(query)
  return {
    shown: { email, next, carried, problem, user: session },
    frame: {
      query: Object.fromEntries(carriedFields(carried)),
      offersSignOut: true,
      signOutUser: session.subject,
    },
    status: pageStatusOf(problem),
  }
}

function OfferPage({ frame, ...shown }: ShownOffer & { readonly frame: Frame }) {
  const { email, next, carried, problem, user } = shown
  const { t, siteName } = frame
  const { address } = email
  return (
    <Screen frame={frame} title={t('emailOffer.title', { name: siteName })} isProblem={problem !== null}>
      <PageHead app={null} heading={t(address === null ? 'emailOffer.heading' : 'emailOffer.confirmHeading')}>
        <OfferedUser t={t} user={user} />
        <p className="small muted">{t('emailOffer.lead', { site: siteName })}</p>
      </PageHead>
      <EmailProblemNotice frame={frame} problem={problem} />
      <EmailForm frame={frame} action={path} label="account.email" problem={problem} address={address}>
        <OfferFields carried={carried} user={user} />
      </EmailForm>
      <a className="btn wide" href={browserAddress(next)}>
        {t('passkeys.notNow')}
      </a>
    </Screen>
  )
}

async function askForMail(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, cookies, context, services } = posted
  const { next, carried } = placeOfOffer(form)
  const { ports } = services
  const session = await sessionOfOffer(posted)
  if (session === null || !(await hasFreshSignIn(ports, session))) return seeOther(next)
  const entered = { session, typed: form.email ?? '', browser: cookies.browser }
  const outcome = await requestEmailChange(ports, entered, context)
  switch (outcome.kind) {
    case 'invalid':
    case 'limited':
      return emailRefused(path, outcome, carriedFields(carried))
    case 'requested':
      return seeOther(withQuery(`${emailPath}/sent`, [['page', outcome.page], ...carriedFields(carried)]), [
        browserCookie(outcome.browser, services.config.issuer),
      ])
    default:
      return seeOther(next)
  }
}
