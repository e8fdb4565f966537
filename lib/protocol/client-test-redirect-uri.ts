/** The redirect URI of the hidden clients with which the dashboard tests other clients. */
export function clientTestRedirectUri(issuer: string): string {
  return `${issuer}/admin/client-test/return`
}
