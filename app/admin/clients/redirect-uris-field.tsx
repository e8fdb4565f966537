/** Redirect URIs, one per line, with advice while typing. */
import type { ClientKind } from '#lib/protocol/registration/client.ts'
import { rowsFor, TextArea } from '../_ui/fields.tsx'
import { RedirectUriAdvice } from '../_ui/redirect-uri-advice.tsx'

type RedirectUrisFieldProps = {
  readonly value: string
  readonly error: string | null
  readonly kind: ClientKind
  readonly issuer: string
}

export function RedirectUrisField({ value, error, kind, issuer }: RedirectUrisFieldProps) {
  return (
    <div>
      <TextArea
        name="redirect_uris"
        label="Redirect URIs"
        help="Where users return to after sign-in, one per line. Compared character by character."
        value={value}
        rows={rowsFor(value)}
        error={error}
      />
      <RedirectUriAdvice of="redirect_uris" kind={kind} issuer={issuer} />
    </div>
  )
}
