/** Checks settings that a start accepts, but that are often a mistake. */
import type { Config } from '#lib/config/env.ts'
import { type Finding, good, warning } from './finding.ts'

export function checkSettings({
  isLoopback,
  trustProxy,
  trustedProxies,
  mail,
  adminAddresses,
}: Config): readonly Finding[] {
  if (isLoopback) return [good('settings', 'The issuer is a loopback address, for development.')]
  return [
    trustProxy && trustedProxies.length === 0
      ? warning(
          'proxy',
          'TRUST_PROXY=true: everyone who reaches the port can invent addresses, and so evade rate limits.',
          'Name the addresses of the proxy in TRUST_PROXY.',
        )
      : good(
          'proxy',
          trustProxy ? 'Only the named proxies can report addresses.' : 'No proxy can report addresses.',
        ),
    mail.kind === 'off'
      ? warning('mail', 'Mail is off: users cannot recover their accounts.', 'Set SMTP_URL and MAIL_FROM.')
      : good('mail', 'Mail is on; send a test mail in the dashboard.'),
    adminAddresses === null
      ? warning(
          'dashboard',
          'The dashboard can be reached from every address.',
          'Set LATCHKEY_ADMIN_ADDRESSES to your network.',
        )
      : good('dashboard', 'The dashboard can be reached only from the named addresses.'),
  ]
}
