/** One key: its state and times, its public half, and its removal. */
import { Moment } from '#app/admin/_ui/times.tsx'
import type { KeyView } from '#lib/admin/keys/key-view.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { CodePanel, CopyText } from '../_ui/copy.tsx'
import { Facts } from '../_ui/page-parts.tsx'
import type { AdminPage } from '../admin-page.ts'

type KeyDetailsProps = {
  readonly page: AdminPage
  readonly view: KeyView
  readonly consequence: readonly string[]
}

const states = {
  next: { look: 'tag brass', word: 'Next' },
  active: { look: 'tag good', word: 'Signs now' },
  retiring: { look: 'tag', word: 'Verifies only' },
  expired: { look: 'tag', word: 'Gone' },
} as const

export function KeyDetails({ page, view, consequence }: KeyDetailsProps) {
  const { look, word } = states[view.state]
  return (
    <div className="key">
      <h3 className="facts-line">
        <span className={look}>{word}</span>
        <CopyText id={`kid-${view.kid}`} name="the key id" text={view.kid} />
      </h3>
      <Facts
        isRow
        facts={[
          ['Made', <Moment key="made" at={new Date(view.created_at)} />],
          ['Signs from', <Moment key="from" at={signsFrom(view)} />],
          ['Signs until', <MomentOr key="until" at={view.signs_until} none="the next rotation" />],
          [
            'Published until',
            <MomentOr key="published" at={view.published_until} none="its last token has ended" />,
          ],
        ]}
      />
      <details>
        <summary className="small">Public key</summary>
        <CodePanel id={`jwk-${view.kid}`} title="JWK" text={JSON.stringify(view.public_jwk, null, 2)} />
      </details>
      <RemoveKey page={page} kid={view.kid} consequence={consequence} />
    </div>
  )
}

/** The first keys sign from before they were made, so that nothing waits for them. */
function signsFrom({ created_at: made, signs_from: from }: KeyView): Date {
  return new Date(Math.max(Date.parse(made), Date.parse(from)))
}

function MomentOr({ at, none }: { readonly at: string | null; readonly none: string }) {
  if (at === null) return <span className="faint">{none}</span>
  return <Moment at={new Date(at)} />
}

type RemoveKeyProps = Pick<KeyDetailsProps, 'page' | 'consequence'> & { readonly kid: string }

function RemoveKey({ page, kid, consequence }: RemoveKeyProps) {
  return (
    <ConfirmedForm
      page={page}
      useCase="keys.revoke"
      hidden={{ kid }}
      label="This key leaked…"
      consequence={consequence.map(sentence => <p key={sentence}>{sentence}</p>)}
      reasonAgainst={page.reasonAgainst('keys:rotate')}
      verb="Remove this key at once"
      isBrief
    />
  )
}
