/** Signing in, and back to where one was. */
export function signInPath(back: string): string {
  return `/admin/sign-in?${new URLSearchParams({ back })}`
}

/** AD-04: the same for whoever is signed in, but not lately enough. */
export function freshSignInPath(back: string): string {
  return `/admin/sign-in?${new URLSearchParams({ again: 'yes', back })}`
}
