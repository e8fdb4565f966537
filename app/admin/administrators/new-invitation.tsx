/** The link that was just made, this once. */
import { z } from 'zod'
import type { OneTimeMessage } from '#lib/admin/access/flash.ts'
import { adminRoleSchema } from '#lib/protocol/admin-role.ts'
import { SecretOnce } from '../_ui/copy.tsx'
import { roleNames } from '../role-names.ts'

const madeSchema = z.object({ link: z.string(), role: adminRoleSchema, expires_at: z.coerce.date() })

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

export function NewInvitation({ answer }: { readonly answer: OneTimeMessage | null }) {
  const made = madeSchema.safeParse(answer?.useCase === 'administrators.invite' ? answer.value : null)
  if (!made.success) return null
  const { link, role, expires_at: expiresAt } = made.data
  return (
    <SecretOnce
      title={`Whoever opens this link first becomes ${roleNames[role].asPhrase}`}
      secret={link}
      hint={`Send it to that person alone. It works once, until ${moment.format(expiresAt)} UTC, and is shown this once.`}
    />
  )
}
