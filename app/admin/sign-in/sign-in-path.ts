import { adminPath } from '#lib/admin/access/sign-in.ts'

/** The address of a sign-in that returns to `back`. */
export function signInPath(back: string): string {
  return `/admin/sign-in?${new URLSearchParams({ back: adminPath(back) })}`
}

/**
 * The address of the first sign-in of a new administrator. It asks for credentials even if another user is signed in, and sends
 * no login hint.
 */
export const newcomerSignInPath = '/admin/sign-in?as=newcomer'

/** AD-04: the address of a fresh sign-in of the current admin. */
export function freshSignInPath(back: string): string {
  return `/admin/sign-in?${new URLSearchParams({ again: 'yes', back })}`
}
