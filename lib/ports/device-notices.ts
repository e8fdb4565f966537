/** Mails about sign-ins from browsers that a user has not used before. */
import type { SubjectId } from '#lib/protocol/ids.ts'

export type DeviceNotices = {
  /**
   * Whether mails are sent about new browsers of the subject. False for the first browser with which it is asked, and after an
   * upgrade for the users that existed before it, for the 30 days that the migration sets: their browsers become known.
   */
  readonly areDue: (subject: SubjectId, now: Date) => Promise<boolean>
}
