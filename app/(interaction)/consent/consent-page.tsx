/** The consent page: the app, the account, the requested permissions, and two buttons. */

import { Notice } from '#app/_ui/notice.tsx'
import { Sentence } from '#app/_ui/sentence.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import type { ConsentView } from '#lib/core/consent/consent.ts'
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead, shownApp } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'
import { displayHref, displayName, displayText, initialsOf } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { Permissions } from './permissions.tsx'

/** The checkboxes of a form that was returned because it selected no scope, or only `offline_access`. */
export type LeftBoxes = { readonly scopes: readonly string[]; readonly remember: boolean }

export type ConsentPageProps = {
  readonly frame: Frame
  readonly view: ConsentView
  readonly handle: string
  /** The email address or user name of the account. */
  readonly detail: string | null
  /** The checkboxes to restore if the form was returned; otherwise `null`. */
  readonly left: LeftBoxes | null
  /** Whether the form was sent for a different account. */
  readonly isOther: boolean
}

export function ConsentPage({ frame, view, handle, left, isOther, detail }: ConsentPageProps) {
  const { t, siteName } = frame
  const app = shownApp(view.client, frame.issuer)
  const isEmpty = left !== null
  const title = t('consent.title', { app: app.name })
  return (
    <Screen frame={frame} title={title} isProblem={isEmpty || isOther} layout="wide">
      <PageHead app={app} heading={t('consent.heading', { app: app.name, site: siteName })}>
        <p className="small muted facts-line">
          <bdi dir="ltr">{displayText(view.returnHost, 80)}</bdi>
          {view.isLocal && <span className="tag">{t('consent.localApp')}</span>}
        </p>
      </PageHead>
      {isOther && (
        <Notice kind="bad">{t('account.nowSignedIn', { name: displayName(view.subjectName, '?') })}</Notice>
      )}
      <SignedInAs frame={frame} view={view} detail={detail} handle={handle} />
      {!view.canProveIdentity && <Notice kind="warn">{t('consent.notVerified')}</Notice>}
      {isEmpty && <Notice kind="bad">{t('consent.nothingSelected')}</Notice>}
      <form className="form" method="post" action={browserAddress('/consent')}>
        <input type="hidden" name="pending" value={handle} />
        <input type="hidden" name="session" value={view.sessionId} />
        <Permissions frame={frame} view={view} left={left} />
        {view.allowRemember && <RememberBox frame={frame} view={view} left={left} />}
        {!view.canProveIdentity && <p className="small muted">{t('consent.notRemembered')}</p>}
        <Answer frame={frame} view={view} />
      </form>
    </Screen>
  )
}

type SignedInAsProps = Pick<ConsentPageProps, 'frame' | 'view' | 'detail' | 'handle'>

function SignedInAs({ frame: { t }, view, detail, handle }: SignedInAsProps) {
  const name = displayName(view.subjectName, '?')
  return (
    <div className="who">
      <span className="face" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className="grow">
        {t('consent.signedInAs', { name })}
        {detail !== null && <bdi className="small muted block">{displayText(detail, 60)}</bdi>}
      </span>
      <a className="small" href={browserAddress(`/select-account?pending=${encodeURIComponent(handle)}`)}>
        {t('consent.notYou')}
      </a>
    </div>
  )
}

function RememberBox({ frame: { t }, view, left }: Pick<ConsentPageProps, 'frame' | 'view' | 'left'>) {
  const seconds = view.consentLifetimeSeconds
  const days = Math.max(1, Math.round((seconds ?? 0) / 86_400))
  return (
    <label className="check">
      <input
        type="checkbox"
        name="remember"
        value="on"
        defaultChecked={left?.remember ?? true}
        aria-describedby="remember-hint"
      />
      <span>
        {t('consent.remember')}
        <span className="small muted block" id="remember-hint">
          {seconds === null ? t('consent.lastsUntilRemoved') : t('consent.lastsDays', { days })}
        </span>
      </span>
    </label>
  )
}

/** The two buttons, and below them the host that receives the response, and links. */
function Answer({ frame: { t }, view }: Pick<ConsentPageProps, 'frame' | 'view'>) {
  const busy = t('consent.busy')
  return (
    <>
      <div className="pair sticky">
        <SubmitButton label={t('consent.deny')} busy={busy} look="plain" name="decision" value="deny" />
        <SubmitButton label={t('consent.allow')} busy={busy} name="decision" value="allow" isGuarded />
      </div>
      <p className="small muted">
        <Sentence t={t} text="consent.next" placeholder="host">
          <bdi className="strong" dir="ltr">
            {displayText(view.returnHost, 80)}
          </bdi>
        </Sentence>{' '}
        <Sentence t={t} text="consent.change" placeholder="account">
          <a href={browserAddress('/account')} target="_blank" rel="noreferrer">
            {t('consent.changeLink')}
          </a>
        </Sentence>
      </p>
      <Documents t={t} client={view.client} />
    </>
  )
}

function Documents({ t, client }: Pick<Frame, 't'> & Pick<ConsentView, 'client'>) {
  const links = [
    { href: displayHref(client.policyUri), text: t('consent.privacy') },
    { href: displayHref(client.tosUri), text: t('consent.terms') },
  ].filter(({ href }) => href !== null)
  if (links.length === 0) return null
  return (
    <p className="small muted documents">
      {links.map(({ href, text }) => (
        <a
          key={text}
          href={href === null ? undefined : browserAddress(href)}
          target="_blank"
          rel="noreferrer"
        >
          {text}
        </a>
      ))}
    </p>
  )
}
