/** Says before somebody types a lot that saving it wants a fresh sign-in. */
import { Notice } from '#app/admin/_ui/notice.tsx'
import { isFresh } from '#lib/admin/run-use-case.ts'
import type { AdminPage } from '../admin-page.ts'
import { freshSignInPath } from '../sign-in/sign-in-path.ts'

export function FreshSignIn({ page }: { readonly page: AdminPage }) {
  if (isFresh(page.actor, page.now)) return null
  return (
    <Notice kind="plain">
      Saving wants a sign-in of the last five minutes. You are asked for it when you save, and lose nothing
      that you typed; or <a href={freshSignInPath(page.here)}>sign in again</a> now.
    </Notice>
  )
}
