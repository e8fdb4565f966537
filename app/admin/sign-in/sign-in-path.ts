import { adminPath } from '#lib/admin/access/sign-in.ts'

/** Sign-in that returns to `back`. */
export function signInPath(back: string): string {
  return `/admin/sign-in?${new URLSearchParams({ back: adminPath(back) })}`
}

/** For a new administrator: asks for credentials without a user name, also if another user is signed in. */
export const newcomerSignInPath = '/admin/sign-in?as=newcomer'

/** AD-04: a fresh sign-in of the current admin. */
export function freshSignInPath(back: string): string {
  return `/admin/sign-in?${new URLSearchParams({ again: 'yes', back })}`
}
