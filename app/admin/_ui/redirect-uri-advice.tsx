/** Where `behaviour/advise.ts` says what is wrong or unwise with each redirect URI while it is typed. */
import type { ClientKind } from '#lib/protocol/client-kind.ts'

type RedirectUriAdviceProps = {
  /** The id of the text area. */
  readonly of: string
  readonly kind: ClientKind
  readonly issuer: string
}

export function RedirectUriAdvice({ of, kind, issuer }: RedirectUriAdviceProps) {
  return (
    <ul className="advice list" aria-live="polite" data-advises={of} data-kind={kind} data-issuer={issuer} />
  )
}
