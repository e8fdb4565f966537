/** The page where a user accepts the terms of use during the sign-in. */
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
import { acceptTerms, type TermsView, termsView } from '#lib/identity/terms.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { appOrSite, PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { parseHandle } from '#lib/protocol/ids.ts'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { termsPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { carriedIn, withHandles } from '../second-factor/carried.ts'
import { CancelSignIn } from '../sign-in-parts.tsx'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  termsPath,
  pendingPage(readTerms, TermsPage),
  formHandler(accept, readForm),
)

type ShownTerms = { readonly view: TermsView; readonly carried: Query }

async function readTerms({ query, cookies, services }: PageExchange): Promise<PageContent<ShownTerms>> {
  const carried = carriedIn(query)
  const proof = { partial: parseHandle('partial', query.partial), browser: cookies.browser }
  const view = await termsView(services.pendingPorts(), proof)
  if (view === null) return { elsewhere: seeOther(withHandles('/login/return', carried)) }
  return { shown: { view, carried }, frame: { query: carried, uiLocales: view.uiLocales } }
}

function TermsPage({ frame, view, carried }: ShownTerms & { readonly frame: Frame }) {
  const { t, siteName, issuer } = frame
  const { client, name, termsUri, version } = view
  const names = { username: displayName(name, ''), site: siteName }
  return (
    <Screen frame={frame} title={t('terms.title', { name: appOrSite(client, siteName) })}>
      <PageHead app={client && shownApp(client, issuer)} heading={t('terms.heading')}>
        <p className="small muted">{t(view.isFirst ? 'terms.lead' : 'terms.leadChanged', names)}</p>
      </PageHead>
      <p className="center">
        <a href={browserAddress(termsUri)} target="_blank" rel="noreferrer">
          {t('terms.link')}
        </a>
        <span className="small muted block">
          <Sentence t={t} text="terms.version" placeholder="version">
            <bdi>{displayText(version, 50)}</bdi>
          </Sentence>
        </span>
      </p>
      <form className="form" method="post" action={browserAddress(termsPath)}>
        {Object.entries(carried).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
        <input type="hidden" name="version" value={version} />
        <SubmitButton label={t('terms.accept')} busy={t('terms.busy')} />
      </form>
      {client !== null && carried.pending !== undefined ? (
        <CancelSignIn t={t} pending={carried.pending} app={displayName(client.clientName, client.clientId)} />
      ) : (
        <a className="btn plain small muted" href={browserAddress('/login')}>
          {t('terms.decline')}
        </a>
      )}
    </Screen>
  )
}

async function accept(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, request, cookies, context, services } = posted
  const carried = carriedIn(form)
  const { browser, sessions: previous } = cookies
  const { version = '' } = form
  const proof = { partial: parseHandle('partial', carried.partial), browser }
  const answer = await acceptTerms(services.pendingPorts(), { ...proof, previous, version }, context)
  const back = readBack(request.headers.get('cookie'), services.config.issuer)
  const pending = answer.pending ?? parseHandle('pending', carried.pending)
  return respondSignIn(answer, posted, { pending, username: null, back })
}
