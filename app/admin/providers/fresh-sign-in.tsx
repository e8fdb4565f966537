/** Says before somebody types a secret that saving it wants a fresh sign-in, after which it would have to be typed again. */
import { Notice } from '#app/_ui/notice.tsx'
import { isFresh } from '#lib/admin/use-case.ts'
import type { AdminPage } from '../admin-page.ts'

export function FreshSignIn({ page }: { readonly page: AdminPage }) {
  if (isFresh(page.actor, page.now)) return null
  const address = `/admin/sign-in?${new URLSearchParams({ again: 'yes', back: page.here })}`
  return (
    <Notice kind="plain">
      Saving wants a sign-in of the last five minutes. <a href={address}>Sign in again</a> first: what you
      type into the secret is not kept on the way.
    </Notice>
  )
}
