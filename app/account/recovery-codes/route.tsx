/**
 * The recovery codes: new ones are shown once, and for some minutes again in the browser that requested them. Otherwise the
 * page offers a new set.
 */

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
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { type NewCodes, newCodesCookie } from '#lib/http/two-step-cookie.ts'
import { replaceRecoveryCodes } from '#lib/identity/second-factor/authenticator-app.ts'
import { CopyButton } from '#lib/pages/copy-button.tsx'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { recoveryCodesPath } from '#lib/protocol/wire/local-paths.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { freshSession } from '../fresh-session.ts'
import { type CodesOfUser, codesOfUser, headingOfCodes } from './new-codes.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  recoveryCodesPath,
  pendingPage(readCodes, CodesPage),
  formHandler(makeCodes, readForm),
)

type NewCodesOfUser = CodesOfUser & {
  /** The request that continues afterwards, if the codes were made in the middle of a sign-in. */
  readonly pending: string | undefined
}

type ShownCodes = ({ readonly kind: 'new' } & NewCodesOfUser) | ({ readonly kind: 'offer' } & Offer)

async function readCodes(page: PageExchange): Promise<PageContent<ShownCodes>> {
  const shown = await codesOfUser(page)
  const { pending } = page.query
  if (shown !== null) return { shown: { kind: 'new', ...shown, pending }, frame: { offersSignOut: true } }
  const found = await freshSession(page, recoveryCodesPath)
  if ('elsewhere' in found) return found
  const { subject } = found.session
  const { secondFactors } = page.services.ports
  if ((await secondFactors.findApp(subject)) === null) return { elsewhere: seeOther('/account') }
  const left = await secondFactors.countRecoveryCodes(subject)
  const offer = {
    left,
    subject,
    form: page.services.ports.random.id(),
    isRepeated: page.query.done === 'already',
  }
  return { shown: { kind: 'offer', ...offer }, frame: { offersSignOut: true } }
}

function CodesPage({ frame, ...shown }: ShownCodes & { readonly frame: Frame }) {
  return shown.kind === 'new' ? (
    <NewCodesPage frame={frame} {...shown} />
  ) : (
    <OfferPage frame={frame} {...shown} />
  )
}

function NewCodesPage({
  frame,
  codes: { codes, isFirstSet },
  pending,
  ...of
}: NewCodesOfUser & { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('twoStep.codesTitle', { name: siteName })} layout="wide">
      <PageHead app={null} heading={t('twoStep.codesHeading')}>
        <p className="small muted screen-only">{t('twoStep.codesLead')}</p>
      </PageHead>
      {isFirstSet && (
        <div className="screen-only">
          <Notice kind="good">{t('twoStep.codesSet')}</Notice>
        </div>
      )}
      <p className="small print-only">{headingOfCodes(frame, of)}</p>
      <ol className="list codes" id="codes" dir="ltr">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
            {'\n'}
          </li>
        ))}
      </ol>
      <div className="keep screen-only">
        <CopyButton t={t} of="codes" name={t('twoStep.copyCodes')} isFramed />
        <a className="btn small" href={browserAddress(`${recoveryCodesPath}/download`)} download>
          {t('twoStep.download')}
        </a>
        <button className="btn small" type="button" hidden data-prints="">
          {t('twoStep.print')}
        </button>
      </div>
      <form className="form screen-only" method="post" action={browserAddress(`${recoveryCodesPath}/saved`)}>
        {pending !== undefined && <input type="hidden" name="pending" value={pending} />}
        <SubmitButton label={t('twoStep.saved')} busy={t('twoStep.busy')} isGuarded />
      </form>
    </Screen>
  )
}

type Offer = {
  readonly left: number
  readonly subject: string
  /** The ID of the form, which makes codes once. */
  readonly form: string
  /** Whether the form was sent more than once, and this browser cannot show the codes of the first time. */
  readonly isRepeated: boolean
}

function OfferPage({ frame, left, subject, form, isRepeated }: Offer & { readonly frame: Frame }) {
  const { t, siteName } = frame
  return (
    <Screen frame={frame} title={t('twoStep.newCodesTitle', { name: siteName })}>
      <PageHead app={null} heading={t('twoStep.recoveryCodesNew')}>
        <p className="small muted">
          {t('twoStep.recoveryCodesLeft', { left })} {t('twoStep.confirmRecoveryCodes')}
        </p>
      </PageHead>
      {isRepeated && <Notice kind="warn">{t('twoStep.codesRepeated')}</Notice>}
      <form className="form" method="post" action={browserAddress(recoveryCodesPath)}>
        <input type="hidden" name="user" value={subject} />
        <input type="hidden" name="form" value={form} />
        <SubmitButton label={t('twoStep.recoveryCodesNew')} busy={t('twoStep.busy')} isGuarded />
      </form>
      <p className="small muted center">
        <a href={browserAddress('/account')}>{t('password.back')}</a>
      </p>
    </Screen>
  )
}

async function makeCodes(posted: FormExchange<FormFields>): Promise<Reply> {
  const found = await freshSession(posted, recoveryCodesPath)
  if ('elsewhere' in found) return found.elsewhere
  const { context, services } = posted
  const { ports, sealing, config } = services
  const { session } = found
  const { form = '' } = posted.form
  if (!formId.test(form)) return seeOther(recoveryCodesPath)
  const outcome = await replaceRecoveryCodes(ports, { session, form }, context)
  switch (outcome.kind) {
    case 'gone':
      return seeOther('/account')
    case 'repeated':
      return seeOther(`${recoveryCodesPath}?done=already`)
    case 'replaced': {
      const made: NewCodes = { codes: outcome.codes, isFirstSet: false, madeAt: ports.clock.now() }
      const owner = { subject: session.subject, issuer: config.issuer }
      return seeOther(recoveryCodesPath, [newCodesCookie(sealing, made, owner)])
    }
  }
}

const formId = /^[\w-]{22}$/
