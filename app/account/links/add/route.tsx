/** Sends a signed-in user to an identity provider, whose identity is to be linked, after a fresh sign-in. */

import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { Notice } from '#app/_ui/notice.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { encodeForm, type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { linkableProvider, startLink } from '#lib/identity/links/link-provider.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { linksPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../../fresh-session.ts'
import { ownSession } from '../../own-session.ts'

const path = `${linksPath}/add`

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readProvider, LinkPage),
  formHandler(start, readForm),
)

const problemTexts = {
  /** The provider failed before the user was sent there. */
  unavailable: 'links.unavailable',
  /** The provider failed afterwards. */
  failed: 'links.signInFailed',
} as const satisfies Record<string, MessageKey>

type Problem = keyof typeof problemTexts

type ShownProvider = {
  readonly subject: string
  readonly scheme: string
  /** The display name. */
  readonly provider: string
  readonly problem: Problem | null
}

async function readProvider(page: PageExchange): Promise<PageContent<ShownProvider>> {
  const { provider: scheme = '', error } = page.query
  const problem = error === 'unavailable' || error === 'failed' ? error : null
  // The user learns of a failure first, although the sign-in at the provider may have taken long
  const back = addressOf(scheme)
  const found = await (problem === null ? freshSession(page, back) : ownSession(page, { back }))
  if ('elsewhere' in found) return found
  const provider = await linkableProvider(page.services.pendingPorts(), scheme)
  if (provider === null) return { elsewhere: seeOther('/account') }
  const { subject } = found.session
  const name = displayName(provider.displayName, provider.scheme)
  return {
    shown: { subject, scheme, provider: name, problem },
    frame: { query: { provider: scheme, ...(problem && { error: problem }) }, offersSignOut: true },
  }
}

function addressOf(scheme: string): string {
  return `${path}?${encodeForm([['provider', scheme]])}`
}

function LinkPage({ frame, subject, scheme, provider, problem }: ShownProvider & { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen
      frame={frame}
      title={t('links.addTitle', { provider, name: siteName })}
      isProblem={problem !== null}
    >
      <PageHead app={null} heading={t('links.addHeading', { provider })}>
        <p className="small muted">{t('links.addLead', { provider, site: siteName })}</p>
      </PageHead>
      {problem !== null && (
        <Notice kind="bad" id="problem">
          {t(problemTexts[problem], { provider, site: siteName })}
        </Notice>
      )}
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <input type="hidden" name="provider" value={scheme} />
        <SubmitButton label={t('login.continueWith', { provider })} busy={t('login.busy')} />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function start(posted: FormExchange<FormFields>): Promise<Reply> {
  const { provider: scheme = '' } = posted.form
  const found = await freshSession(posted, addressOf(scheme))
  if ('elsewhere' in found) return found.elsewhere
  const ports = posted.services.pendingPorts()
  const provider = await linkableProvider(ports, scheme)
  if (provider === null) return seeOther('/account')
  const url = await startLink(ports, { session: found.session, provider }, posted.context)
  return seeOther(url ?? `${addressOf(scheme)}&error=unavailable`)
}
