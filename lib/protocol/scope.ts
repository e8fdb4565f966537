/** Scopes: what an app may ask for, and the claims each one opens. */
import type { ScopeName } from './ids.ts'
import type { ScopeKind } from './vocabulary.ts'

export type ScopeTexts = { readonly displayName: string | null; readonly description: string | null }

export type Scope = {
  readonly name: ScopeName
  /** `identity`: about the person, read at userinfo. `resource`: access to an API. */
  readonly kind: ScopeKind
  readonly enabled: boolean
  /** `null`: the built-in text for this name, else the name itself. */
  readonly displayName: string | null
  readonly description: string | null
  /** The texts in other languages, by language tag. */
  readonly localized: Readonly<Record<string, ScopeTexts>>
  /** Cannot be unticked on the consent page. */
  readonly required: boolean
  /** Shown as sensitive on the consent page. */
  readonly emphasize: boolean
  readonly claims: readonly string[]
  readonly showInDiscovery: boolean
  /** The `aud` of tokens for this resource; `null`: `<issuer>/resources`. */
  readonly audience: string | null
}

/** Splits a `scope` parameter into its words, without repetition, in the order given (RFC 6749 3.3). */
export function scopeWords(value: string): readonly string[] {
  return [...new Set(value.split(' ').filter(word => word !== ''))]
}
