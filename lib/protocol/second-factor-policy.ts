/** The policy of a site that requires a second factor of its users. */

/** Which users need a second factor at every sign-in; others may have one. A trusted browser skips the question. */
export type SecondFactorPolicy =
  | { readonly kind: 'offered' }
  | { readonly kind: 'required' }
  /** Only users with one of these values of a claim. */
  | {
      readonly kind: 'required_for'
      readonly claims: ReadonlyArray<{ readonly name: 'role' | 'groups'; readonly value: string }>
    }

/** Parses `offered`, `required`, or a list such as `role=staff,groups=finance`; `null` for any other text. */
export function parseSecondFactorPolicy(text: string): SecondFactorPolicy | null {
  if (text === 'offered' || text === 'required') return { kind: text }
  const claims = text.split(',').flatMap(part => {
    const [name, value] = [part.trim().split('=', 1)[0], part.trim().replace(/^[^=]*=?/, '')]
    return (name === 'role' || name === 'groups') && value !== '' ? [{ name, value } as const] : []
  })
  return claims.length === text.split(',').length ? { kind: 'required_for', claims } : null
}
