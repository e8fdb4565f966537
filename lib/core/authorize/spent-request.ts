/** What is shown for requests that no longer wait. Neither says anything about the request. */
import type { AuthorizeOutcome } from './outcome.ts'

export const showExpired: AuthorizeOutcome = {
  kind: 'show',
  error: {
    code: 'request_expired',
    description: 'This sign-in took too long or began elsewhere.',
    clientName: null,
  },
}

export const showFinished: AuthorizeOutcome = {
  kind: 'show',
  error: { code: 'request_finished', description: 'This request was already answered.', clientName: null },
}
