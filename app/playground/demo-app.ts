/** The app that the playground plays: one of the demo clients, and its addresses here. */

/** Everybody knows this secret: the demo exists on loopback addresses only. */
export const demoApp = {
  clientId: 'demo-web',
  clientSecret: 'demo-web-secret',
  scopes: 'openid profile email orders.read offline_access',
} as const

export function callbackAddress(issuer: string): string {
  return `${issuer}/playground/callback`
}

export function homeAddress(issuer: string): string {
  return `${issuer}/playground`
}
