/** The pages on the way back to an app: one posts the response, one continues by itself, one is for users who came back. */

import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { Frame } from './frame.ts'
import { PageHead } from './page-head.tsx'
import { Screen } from './screen.tsx'

const formPostScript = 'document.forms[0].submit()'

export type FormPost = {
  readonly clientId: string
  readonly clientName: string
  readonly redirectUri: string
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
}

/**
 * The page of OAuth 2.0 Form Post Response Mode: its script or its button posts the response to the client.
 *
 * NOTE: its form must be the first of the document, so the page has no language menu.
 */
export function FormPostPage({
  frame,
  redirectUri,
  fields,
  ...client
}: FormPost & { readonly frame: Frame }) {
  const { t } = frame
  const app = displayName(client.clientName, client.clientId)
  const title = t('formPost.title', { app })
  return (
    <Screen frame={{ ...frame, isMonolingual: true }} title={title}>
      <PageHead app={null} heading={title} />
      <p className="muted">{t('formPost.body', { app })}</p>
      <form className="form" method="post" action={browserAddress(redirectUri)}>
        {fields.map(([name, value]) => (
          <input type="hidden" key={name} name={name} value={value} />
        ))}
        <button type="submit" className="btn primary">
          {t('formPost.action')}
        </button>
      </form>
      <script>{formPostScript}</script>
    </Screen>
  )
}

type ForwardPageProps = {
  readonly frame: Frame
  readonly address: string
  readonly title: string
  /** Whether the document contains the redirect; otherwise a header does. */
  readonly continues: boolean
}

/** The page from which the browser continues to `address`, automatically or by the link. */
export function ForwardPage({ frame, address, title, continues }: ForwardPageProps) {
  const { t } = frame
  return (
    <Screen frame={{ ...frame, isMonolingual: true }} title={title}>
      {continues && <meta httpEquiv="refresh" content={`0;url=${address}`} />}
      <PageHead app={null} heading={title} />
      <a className="btn primary wide" href={address}>
        {t('landing.action')}
      </a>
    </Screen>
  )
}

type SignedInPageProps = {
  readonly frame: Frame
  readonly clientName: string | null
  /** The address where the app continues. */
  readonly href: string | null
}

/** The page for a request that was completed before, such as after the Back button or in another tab. */
export function SignedInPage({ frame, clientName, href }: SignedInPageProps) {
  const { t } = frame
  const app = displayName(clientName, '?')
  return (
    <Screen frame={frame} title={t('landing.title')}>
      <PageHead app={null} heading={t('landing.title')} />
      <p className="muted">{t('finished.body', { app })}</p>
      <div className="stack">
        {href !== null && (
          <a className="btn primary wide" href={browserAddress(href)} rel="noreferrer">
            {t('finished.continue', { app })}
          </a>
        )}
        <a className="btn wide" href={browserAddress('/account')}>
          {t('home.account')}
        </a>
      </div>
    </Screen>
  )
}
