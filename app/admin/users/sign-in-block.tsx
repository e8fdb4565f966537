/** Shown while failed attempts block sign-ins of a user: until when, and how to end it. */

import { countedText } from '#lib/admin/counted-text.ts'
import { signInBlock } from '#lib/admin/users/allow-sign-in.ts'
import type { UserView } from '#lib/admin/users/user-view.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Section } from '../_ui/section.tsx'
import type { AdminPage } from '../admin-page.ts'

export async function SignInBlock({ page, user }: { readonly page: AdminPage; readonly user: UserView }) {
  const block = await signInBlock(page.ports, user.username)
  if (block === null) return null
  return (
    <Section title="Sign-in blocked">
      <p>
        Blocked until {block.until.toISOString().slice(11, 16)} UTC ·{' '}
        {countedText({ count: block.failures, isMore: false }, 'failed attempt', 'failed attempts')}
      </p>
      <ConfirmedForm
        page={page}
        useCase="users.allow_sign_in"
        hidden={{ sub: user.sub }}
        label="Allow sign-in again"
        reasonAgainst={page.reasonAgainst('users:reset')}
        consequence="Forgets the failed attempts. The user can sign in again immediately."
        verb="Allow sign-in again"
        isHarmless
        isBrief
      />
    </Section>
  )
}
