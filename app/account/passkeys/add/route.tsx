/** The page that adds a passkey. The browser creates it by script. */

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
import { passkeys as limits } from '#lib/config/limits.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../../fresh-session.ts'
import { createPasskey } from '../create-passkey.ts'

const path = '/account/passkeys/add'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readAddPage, AddPasskeyPage),
  formHandler(addPasskey, readForm),
)

async function readAddPage(page: PageExchange): Promise<PageContent<ShownAddPage>> {
  if (page.services.ports.settings.relyingParty.kind === 'off')
    return { elsewhere: seeOther('/account/passkeys') }
  const found = await freshSession(page, path)
  if ('elsewhere' in found) return found
  const { name, subject } = found.session
  return {
    shown: { name: displayName(name, subject), error: page.query.error },
    frame: { offersSignOut: true },
  }
}

type ShownAddPage = { readonly name: string; readonly error: string | undefined }

function AddPasskeyPage({ frame, name, error }: ShownAddPage & { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen
      frame={frame}
      title={t('passkeys.addTitle', { name: siteName })}
      isProblem={error !== undefined}
      usesPasskeys
    >
      <PageHead app={null} heading={t('passkeys.add')}>
        <p className="small muted">{t('passkeys.addLead', { name })}</p>
      </PageHead>
      {error !== undefined && (
        <Notice kind="bad" id="problem">
          {error === 'too_many_passkeys'
            ? t('passkeys.tooMany', { most: limits.most })
            : t('passkeys.addFailed')}
        </Notice>
      )}
      <PasskeyForm
        kind="create"
        action={path}
        label={t('passkeys.create')}
        busy={t('passkeys.creating')}
        failed={t('passkeys.addFailed')}
        canceled={t('passkeys.canceled')}
        known={t('passkeys.known')}
        look="primary"
      />
      <p className="small muted" data-no-passkeys>
        {t('passkeys.needsScript')}
      </p>
      <p className="small muted center">
        <a href={browserAddress('/account/passkeys')}>{t('passkeys.back')}</a>
      </p>
    </Screen>
  )
}

async function addPasskey(posted: FormExchange<FormFields>): Promise<Reply> {
  const found = await freshSession(posted, path)
  if ('elsewhere' in found) return found.elsewhere
  const outcome = await createPasskey(posted, found.session)
  if (outcome === 'added') return seeOther('/account/passkeys?done=added')
  return seeOther(`${path}?error=${outcome}`)
}
