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
    proxyFinding({ trustProxy, trustedProxies }),
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

function proxyFinding({
  trustProxy,
  trustedProxies,
}: Pick<Config, 'trustProxy' | 'trustedProxies'>): Finding {
  const fix = 'Set TRUST_PROXY to the address of the proxy.'
  if (!trustProxy)
    return warning(
      'proxy',
      'TRUST_PROXY is not set: behind a proxy, all users have its address and share its rate limits.',
      fix,
    )
  if (trustedProxies.length > 0) return good('proxy', 'Only the named proxies can report addresses.')
  return warning(
    'proxy',
    'TRUST_PROXY=true: everyone who reaches the port can invent addresses, and so evade rate limits.',
    fix,
  )
}
