/** Offers a passkey after a sign-in with a password. Every answer continues to the app, and so does leaving the page out. */

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
import { createPasskey } from '#app/account/passkeys/create-passkey.ts'
import { type FormFields, readForm, withQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { hasFreshSignIn } from '#lib/identity/fresh-sign-in.ts'
import { refuseOffers } from '#lib/identity/passkeys/offer.ts'
import { currentSession } from '#lib/identity/session.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { passkeyOfferPath as path } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { type OfferedTo, OfferedUser, OfferFields, placeOfOffer, sessionOfOffer } from '../offer.tsx'
import { type Carried, carriedFields } from '../sign-in-step.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readOffer, OfferPage),
  formHandler(answerOffer, readForm),
)

/** A page of an earlier sign-in, such as after a press of the back button, continues without the offer. */
async function readOffer({ query, cookies, services }: PageExchange): Promise<PageContent<ShownOffer>> {
  const { next, carried } = placeOfOffer(query)
  const { ports } = services
  const session = await currentSession(ports, cookies.session)
  if (session === null || !(await hasFreshSignIn(ports, session))) return { elsewhere: seeOther(next) }
  return {
    shown: { next, carried, isFailed: query.error !== undefined, user: session },
    frame: {
      query: Object.fromEntries(carriedFields(carried)),
      offersSignOut: true,
      signOutUser: session.subject,
    },
  }
}

type ShownOffer = {
  readonly next: string
  readonly carried: Carried
  readonly isFailed: boolean
  readonly user: OfferedTo
}

function OfferPage({ frame, next, carried, isFailed, user }: ShownOffer & { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen
      frame={frame}
      title={t('passkeys.offerTitle', { name: siteName })}
      isProblem={isFailed}
      usesPasskeys
    >
      <PageHead app={null} heading={t('passkeys.offerHeading')}>
        <OfferedUser t={t} user={user} />
        <p className="small muted">{t('passkeys.offerLead')}</p>
      </PageHead>
      {isFailed && (
        <Notice kind="bad" id="problem">
          {t('passkeys.addFailed')}
        </Notice>
      )}
      <div className="stack">
        <PasskeyForm
          kind="create"
          action={path}
          label={t('passkeys.create')}
          busy={t('passkeys.creating')}
          failed={t('passkeys.addFailed')}
          canceled={t('passkeys.offerCanceled')}
          known={t('passkeys.known')}
          look="primary"
        >
          <OfferFields carried={carried} user={user} />
        </PasskeyForm>
        <a className="btn wide" href={browserAddress(next)}>
          {t('passkeys.notNow')}
        </a>
      </div>
      <form className="center" method="post" action={browserAddress(path)}>
        <OfferFields carried={carried} user={user} />
        <button type="submit" className="btn plain small muted" name="answer" value="never">
          {t('passkeys.never')}
        </button>
      </form>
    </Screen>
  )
}

async function answerOffer(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, services } = posted
  const { next, carried } = placeOfOffer(form)
  const { ports } = services
  const session = await sessionOfOffer(posted)
  if (session === null) return seeOther(next)
  if (form.answer === 'never') {
    await refuseOffers(ports, session.subject)
    return seeOther(next)
  }
  if (!(await hasFreshSignIn(ports, session))) return seeOther(next)
  const outcome = await createPasskey(posted, session)
  if (outcome === 'added') return seeOther(next)
  return seeOther(withQuery(path, [...carriedFields(carried), ['error', outcome]]))
}
