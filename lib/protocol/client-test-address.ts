/** Where the answer to a test of a client arrives: the one redirect URI that no client registers. */
export function clientTestAddress(issuer: string): string {
  return `${issuer}/admin/client-test/return`
}
