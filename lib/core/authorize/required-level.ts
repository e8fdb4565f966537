/** Compares the level of a session with the one that the client and its request require. */
import type { Assurance } from '#lib/protocol/acr-values.ts'
import { assuranceOfSession, reaches } from '../sign-in/assurance.ts'
import { requiredAssurance } from '../sign-in/required-assurance.ts'
import type { DecisionContext } from './decide.ts'

type LevelFacts = Pick<DecisionContext, 'request' | 'client' | 'session' | 'hasPasskeys'>

export function isLevelReached({ session, ...asked }: LevelFacts): boolean {
  return session !== null && reaches(assuranceOfSession(session), requiredBy(asked))
}

/** Whether no user can reach the required level here. A sign-in would be in vain. */
export function isLevelUnreachable(facts: LevelFacts): boolean {
  return !facts.hasPasskeys && requiredBy(facts) === 'passkey' && !isLevelReached(facts)
}

function requiredBy({ request, client }: Pick<LevelFacts, 'request' | 'client'>): Assurance {
  return requiredAssurance({ client, acrValues: request.acrValues.others })
}
