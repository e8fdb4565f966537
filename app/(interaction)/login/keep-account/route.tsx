/** The page at a sign-in to an account whose deletion is planned. */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Sentence } from '#app/_ui/sentence.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import type { Query } from '#lib/http/page-frame.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import {
  answerKeepAccount,
  type KeepAccountView,
  keepAccountView,
} from '#lib/identity/account-deletion/keep-account.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { appOrSite, PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { TimeText } from '#lib/pages/time-text.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { keepAccountPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { carriedIn, withHandles } from '../second-factor/carried.ts'
import { WaysOut } from '../second-factor/ways-out.tsx'
import { SigningInUser } from '../sign-in-parts.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  keepAccountPath,
  pendingPage(readKeepAccount, KeepAccountPage),
  formHandler(answer, readForm),
)

type ShownKeepAccount = { readonly view: KeepAccountView; readonly carried: Query }

async function readKeepAccount({
  query,
  cookies,
  services,
}: PageExchange): Promise<PageContent<ShownKeepAccount>> {
  const carried = carriedIn(query)
  const proof = { partial: parseHandle('partial', query.partial), browser: cookies.browser }
  const view = await keepAccountView(services.pendingPorts(), proof)
  if (view === null) return { elsewhere: seeOther(withHandles('/login/return', carried)) }
  return { shown: { view, carried }, frame: { query: carried, uiLocales: view.uiLocales } }
}

function KeepAccountPage({ frame, view, carried }: ShownKeepAccount & { readonly frame: Frame }) {
  const { t, siteName, issuer, locale } = frame
  const { client, user, dueAt, isFinal } = view
  return (
    <Screen frame={frame} title={t('deletion.plannedTitle', { name: appOrSite(client, siteName) })}>
      <PageHead app={client && shownApp(client, issuer)} heading={t('deletion.plannedHeading')}>
        <SigningInUser t={t} user={user} />
        <p>
          {isFinal ? (
            t('deletion.isFinal')
          ) : (
            <Sentence t={t} text="deletion.plannedFor" placeholder="date">
              <TimeText at={dueAt} locale={locale} isDayOnly />
            </Sentence>
          )}
        </p>
      </PageHead>
      <form className="form" method="post" action={browserAddress(keepAccountPath)}>
        {Object.entries(carried).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {!isFinal && (
          <SubmitButton label={t('deletion.keep')} busy={t('deletion.busy')} name="answer" value="keep" />
        )}
        <SubmitButton
          label={t(isFinal ? 'secondFactor.submit' : 'deletion.continue')}
          busy={t('deletion.busy')}
          name="answer"
          value="continue"
          look="plain"
        />
      </form>
      <div className="stack center small muted">
        <WaysOut frame={frame} carried={carried} client={client} lost={null} />
      </div>
    </Screen>
  )
}

async function answer(posted: FormExchange<FormFields>): Promise<Reply> {
  const { request, form, cookies, context, services } = posted
  const carried = carriedIn(form)
  const { browser, sessions: previous } = cookies
  const proof = { partial: parseHandle('partial', carried.partial), browser }
  const isKept = form.answer === 'keep'
  const outcome = await answerKeepAccount(services.pendingPorts(), { ...proof, previous, isKept }, context)
  const back = readBack(request.headers.get('cookie'), services.config.issuer)
  const pending = outcome.pending ?? parseHandle('pending', carried.pending)
  return respondSignIn(outcome, posted, { pending, username: null, back })
}
