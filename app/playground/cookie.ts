/** Cookies that only the playground gets to see. */

export function playgroundCookie(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Path=/playground; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`
}

export function endedCookie(name: string): string {
  return playgroundCookie(name, '', 0)
}
