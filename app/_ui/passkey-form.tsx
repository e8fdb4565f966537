/** The form of a passkey. It is hidden until `app/scripts/passkeys.ts` has found that the browser has passkeys. */
import type { ReactNode } from 'react'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

type PasskeyFormProps = {
  /** Whether a passkey is used or created. */
  readonly kind: 'get' | 'create'
  /** The address to which the response is sent. The options are below it, at `/options`. */
  readonly action: string
  /** The query for the options. */
  readonly query?: string
  readonly label: string
  readonly busy: string
  /** The sentence about a failure other than a cancellation. */
  readonly failed: string
  /** The sentence if the user canceled, or the browser has no passkey for this site: it does not say which. */
  readonly canceled: string
  /** The sentence if the authenticator already has a passkey of the user. */
  readonly known?: string
  readonly look?: 'primary' | 'plain'
  /** Whether browsers offer passkeys in the user name field of the page. */
  readonly isInField?: boolean
  /** The mark in the button; `null`: none. */
  readonly tag?: string | null
  /** The part after the button, which is hidden with the form. */
  readonly after?: ReactNode
  /** The hidden fields, and others that belong to the form. */
  readonly children?: ReactNode
}

export function PasskeyForm(props: PasskeyFormProps) {
  const { kind, action, query = '', label, busy, look = 'plain', isInField } = props
  const { failed, canceled, known, tag = null, after, children } = props
  return (
    <form
      className="stack"
      method="post"
      action={browserAddress(action)}
      hidden
      data-passkey={kind}
      data-options={browserAddress(`${action}/options${query}`)}
      data-failed={failed}
      data-canceled={canceled}
      data-known={known}
      data-autofill={isInField === true ? '' : undefined}
    >
      {children}
      <input type="hidden" name="ceremony" />
      <input type="hidden" name="response" />
      <button type="button" className={look === 'primary' ? 'btn primary wide' : 'btn wide'}>
        <span className="idle">{label}</span>
        <span className="busy">{busy}</span>
        {tag !== null && <span className="tag">{tag}</span>}
      </button>
      <p className="small text-bad" role="alert" hidden />
      <p className="small muted" aria-live="polite" />
      {after}
    </form>
  )
}
