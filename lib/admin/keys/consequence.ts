/** What would end if a key were removed now, in words. */
import { signingKeys as limits } from '#lib/config/limits.ts'
import type { Usage } from '#lib/ports/admin-lists.ts'
import { countedText } from '../counted-text.ts'
import type { KeyView } from './key-view.ts'

/** One sentence each, the hardest first. `usage` is everybody's. */
export function revocationConsequence(
  { people, grants }: Pick<Usage, 'people' | 'grants'>,
  { state, algorithm }: KeyView,
): readonly string[] {
  if (state === 'next')
    return ['It has signed nothing yet, so that nobody notices.', `Another ${algorithm} key takes its place.`]
  const refused = `Every token that it signed is refused at once. ${countedText(people, 'person is', 'people are')} signed in, with ${countedText(grants, 'live grant', 'live grants')}.`
  const recovery = 'Apps with a refresh token fetch new tokens; the others ask people to sign in again.'
  if (state !== 'active') return [refused, recovery]
  const minutes = Math.ceil(limits.promptPropagationSeconds / 120)
  const next = `A new ${algorithm} key signs from this moment; apps that keep the key set may refuse its tokens for up to ${minutes} minutes.`
  return [refused, recovery, next]
}
