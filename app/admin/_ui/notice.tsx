/** A notice. It gets the focus if it is about a problem. */

import type { ReactNode } from 'react'
import { isFresh } from '#lib/admin/use-case.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { AdminPage } from '../admin-page.tsx'
import { freshSignInPath } from '../sign-in/sign-in-path.ts'
import { Focused } from './focused.tsx'

type NoticeProps = {
  readonly kind: 'bad' | 'warn' | 'good' | 'plain'
  readonly children: ReactNode
}

export function Notice({ kind, children }: NoticeProps) {
  const className = kind === 'plain' ? 'notice' : `notice ${kind}`
  if (kind === 'bad')
    return (
      <Focused className={className} role="alert">
        <p>{children}</p>
      </Focused>
    )
  return (
    <div className={className} role={kind === 'good' ? 'status' : undefined}>
      <p>{children}</p>
    </div>
  )
}

export function FreshSignIn({ page }: { readonly page: AdminPage }) {
  if (isFresh(page.actor, page.now)) return null
  return (
    <Notice kind="plain">
      Saving requires a sign-in within the last 5 minutes.{' '}
      <a href={browserAddress(freshSignInPath(page.here))}>Sign in now</a>, or when you save: your input is
      kept.
    </Notice>
  )
}
