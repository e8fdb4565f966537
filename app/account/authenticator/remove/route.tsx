/** Removes the authenticator app, after a fresh sign-in and a confirmation. */

import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { removeApp } from '#lib/identity/second-factor/authenticator-app.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { authenticatorPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../../fresh-session.ts'

const path = `${authenticatorPath}/remove`

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readApp, RemovePage),
  formHandler(remove, readForm),
)

type ShownApp = { readonly subject: string }

async function readApp(page: PageExchange): Promise<PageContent<ShownApp>> {
  const found = await freshSession(page, path)
  if ('elsewhere' in found) return found
  const { subject } = found.session
  const app = await page.services.ports.secondFactors.findApp(subject)
  return app === null
    ? { elsewhere: seeOther('/account') }
    : { shown: { subject }, frame: { offersSignOut: true } }
}

function RemovePage({ frame, subject }: ShownApp & { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('twoStep.removeTitle', { name: siteName })}>
      <PageHead app={null} heading={t('twoStep.removeHeading')}>
        <p className="small muted">{t('twoStep.confirmRemove')}</p>
      </PageHead>
      <form className="form" method="post" action={browserAddress(path)}>
        <input type="hidden" name="user" value={subject} />
        <SubmitButton label={t('twoStep.removeNow')} busy={t('twoStep.busy')} isGuarded />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function remove(posted: FormExchange<FormFields>): Promise<Reply> {
  const found = await freshSession(posted, path)
  if ('elsewhere' in found) return found.elsewhere
  const { context, services } = posted
  const isRemoved = await removeApp(services.ports, found.session, context)
  return seeOther(isRemoved ? '/account?done=authenticator_removed' : '/account')
}
