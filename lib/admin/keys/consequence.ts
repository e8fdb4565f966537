/** What would end if a key were removed now, in words. */
import { signingKeys as limits } from '#lib/config/limits.ts'
import type { Usage } from '#lib/ports/admin-lists.ts'
import { countedText } from '../counted-text.ts'
import type { KeyView } from './key-view.ts'

/** One sentence each, the most severe first. `usage` is that of all users. */
export function revocationConsequence(
  { people, grants }: Pick<Usage, 'people' | 'grants'>,
  { state, algorithm }: KeyView,
): readonly string[] {
  if (state === 'next')
    return ['It has signed nothing yet, so nothing is affected.', `Another ${algorithm} key takes its place.`]
  const refused = `Every token that it signed is refused immediately. ${countedText(people, 'person is', 'people are')} signed in, with ${countedText(grants, 'live grant', 'live grants')}.`
  const recovery = 'Apps with a refresh token fetch new tokens; the others ask people to sign in again.'
  if (state !== 'active') return [refused, recovery]
  const minutes = Math.ceil(limits.promptPropagationSeconds / 120)
  const next = `A new ${algorithm} key signs from this moment; apps that keep the key set may refuse its tokens for up to ${minutes} minutes.`
  return [refused, recovery, next]
}
