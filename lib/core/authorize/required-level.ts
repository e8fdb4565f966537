/** Compares the level of a session with the one that the client and its request require. */
import { type Evidence, sent } from '#lib/errors/checks.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import { type Assurance, supportedAcrValues } from '#lib/protocol/acr-values.ts'
import type { AuthorizeParameters } from '#lib/protocol/wire/parameters.ts'
import { assuranceOfSession, reaches } from '../sign-in/assurance.ts'
import { requiredAssurance } from '../sign-in/required-assurance.ts'
import type { DecisionContext } from './decide.ts'

type LevelFacts = Pick<DecisionContext, 'request' | 'client' | 'session' | 'hasPasskeys'>

export function isLevelReached({ session, ...asked }: LevelFacts): boolean {
  return session !== null && reaches(assuranceOfSession(session), requiredBy(asked))
}

/** Whether no user can reach the required level here. A sign-in would not help. */
export function isLevelUnreachable(facts: LevelFacts): boolean {
  return !facts.hasPasskeys && requiredBy(facts) === 'passkey' && !isLevelReached(facts)
}

function requiredBy({ request, client }: Pick<LevelFacts, 'request' | 'client'>): Assurance {
  return requiredAssurance({ client, acrValues: request.acrValues.others })
}

/** Returns the parameter because of which the user cannot continue. */
export function evidenceOf(reason: ErrorReason, { prompt, acr_values }: AuthorizeParameters): Evidence {
  return reason === 'assurance_too_low' || reason === 'assurance_unreachable'
    ? sent(acr_values, supportedAcrValues)
    : sent(prompt)
}
