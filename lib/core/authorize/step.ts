/** What comes next for a valid request, and why. */
import type { ErrorCode } from '#lib/errors/catalog.ts'
import type { Consent } from '#lib/ports/grants.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { ProviderScheme, ScopeName } from '#lib/protocol/ids.ts'
import type { PausePage } from './outcome.ts'

export type Step =
  | {
      readonly kind: 'issue'
      readonly session: Session
      readonly scopes: readonly ScopeName[]
      /** The remembered consent that stands in for the person's word; `null` where none was needed. */
      readonly consent: Consent | null
    }
  | { readonly kind: 'ask'; readonly at: PausePage; readonly reason: string }
  | { readonly kind: 'forward'; readonly scheme: ProviderScheme; readonly reason: string }
  | { readonly kind: 'refuse'; readonly code: ErrorCode; readonly reason: string }
