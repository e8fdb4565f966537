/** The answer: two buttons of the same size, and in plain words for how long and where to. */
import { Sentence } from '#app/_ui/sentence.tsx'
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import type { ConsentView } from '#lib/core/consent/consent.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { displayHref, displayText } from '#lib/protocol/text/display-text.ts'
import type { LeftBoxes } from './permissions.tsx'

type ConsentAnswerProps = {
  readonly t: Translate
  readonly view: ConsentView
  readonly left?: LeftBoxes | null
}

export function ConsentAnswer({ t, view, left = null }: ConsentAnswerProps) {
  return (
    <>
      <input type="hidden" name="session" value={view.sessionId} />
      {view.allowRemember && <RememberBox t={t} view={view} left={left} />}
      {!view.isVerifiable && <p className="small muted">{t('consent.notRemembered')}</p>}
      <div className="pair sticky">
        <SubmitButton
          label={t('consent.deny')}
          busy={t('consent.busy')}
          look="plain"
          name="decision"
          value="deny"
        />
        <SubmitButton
          label={t('consent.allow')}
          busy={t('consent.busy')}
          name="decision"
          value="allow"
          isGuarded
        />
      </div>
      <p className="small muted">
        <Sentence t={t} text="consent.next" placeholder="host">
          <bdi className="strong" dir="ltr">
            {displayText(view.returnHost, 80)}
          </bdi>
        </Sentence>{' '}
        <Sentence t={t} text="consent.change" placeholder="account">
          <a href="/account" target="_blank" rel="noreferrer">
            {t('consent.changeLink')}
          </a>
        </Sentence>
      </p>
      <Documents t={t} view={view} />
    </>
  )
}

function RememberBox({ t, view, left }: ConsentAnswerProps) {
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

function Documents({ t, view: { client } }: ConsentAnswerProps) {
  const links = [
    { href: displayHref(client.policyUri), text: t('consent.privacy') },
    { href: displayHref(client.tosUri), text: t('consent.terms') },
  ].filter(({ href }) => href !== null)
  if (links.length === 0) return null
  return (
    <p className="small muted documents">
      {links.map(({ href, text }) => (
        <a key={text} href={href ?? undefined} target="_blank" rel="noreferrer">
          {text}
        </a>
      ))}
    </p>
  )
}
