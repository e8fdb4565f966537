/** OAuth 2.0 Form Post Response Mode: posts the response to the client, by its script or by its button. */
import { displayName } from '#lib/protocol/text/display-text.ts'
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

/** NOTE: its form has to be the first of the document, so the page has no language menu. */
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
      <form className="form" method="post" action={redirectUri}>
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
