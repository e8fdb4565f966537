/** Signing in, and back to where one was. */
export function signInPath(back: string): string {
  return `/admin/sign-in?${new URLSearchParams({ back })}`
}

/** For somebody who need not be the one whose visit or session this browser knows: they are asked, as nobody in particular. */
export const newcomerSignInPath = '/admin/sign-in?as=newcomer'

/** AD-04: the same for whoever is signed in, but not lately enough. */
export function freshSignInPath(back: string): string {
  return `/admin/sign-in?${new URLSearchParams({ again: 'yes', back })}`
}
