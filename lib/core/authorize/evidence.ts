/** What was sent and what would have been right, for the check that failed. Nothing here is a secret. */
import type { Evidence } from '#lib/errors/oauth-error.ts'
import type { AuthorizeParameters } from '#lib/protocol/authorize-params.ts'
import type { Client } from '#lib/protocol/client.ts'
import type { AuthorizeCheck } from '#lib/protocol/request-checks.ts'
import { prompts, responseTypes } from '#lib/protocol/vocabulary.ts'

const longest = 500

export function evidenceFor(check: AuthorizeCheck, raw: AuthorizeParameters, client: Client): Evidence {
  switch (check) {
    case 'response_type_known':
      return evidence(raw.response_type, responseTypes)
    case 'response_type_allowed':
      return evidence(raw.response_type, client.responseTypes)
    case 'response_mode_allowed':
      return evidence(raw.response_mode, ['query', 'fragment', 'form_post'])
    case 'scopes_fit_response_type':
      return evidence(raw.scope, client.scopes)
    case 'proof_key_right':
      return evidence(raw.code_challenge_method, client.pkce === 'optional' ? [] : ['S256'])
    case 'prompt_right':
    case 'person_may_go_on':
      return evidence(raw.prompt, check === 'prompt_right' ? prompts : [])
    case 'max_age_right':
      return evidence(raw.max_age, [])
    default:
      return {}
  }
}

function evidence(sent: string | undefined, expected: readonly string[]): Evidence {
  const told = expected.length === 0 ? {} : { expected }
  return sent === undefined ? told : { sent: sent.slice(0, longest), ...told }
}
