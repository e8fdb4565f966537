/** Checks settings that a start accepts, but that are often a mistake. */
import type { Config } from '#lib/config/env.ts'
import { isLoopbackHost } from '#lib/protocol/text/addresses.ts'
import { type Finding, good, warning } from './finding.ts'

export function checkSettings({
  isLoopback,
  trustProxy,
  trustedProxies,
  isOnSocket,
  mail,
  adminAddresses,
  metrics,
}: Config): readonly Finding[] {
  if (isLoopback) return [good('settings', 'The issuer is a loopback address, for development.')]
  return [
    proxyFinding({ trustProxy, trustedProxies, isOnSocket }),
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
    ...metricsFindings(metrics),
  ]
}

function metricsFindings(metrics: Config['metrics']): readonly Finding[] {
  if (metrics === null || metrics.listen === null) return []
  const { token, listen } = metrics
  if (token !== null) return [good('metrics', 'Metrics need a token.')]
  if (isLoopbackHost(listen.host)) return [good('metrics', 'Metrics can be read only on this machine.')]
  return [
    warning(
      'metrics',
      `METRICS_HOST is ${listen.host}: everyone who reaches its port can read the metrics.`,
      'Set METRICS_TOKEN.',
    ),
  ]
}

function proxyFinding({
  trustProxy,
  trustedProxies,
  isOnSocket,
}: Pick<Config, 'trustProxy' | 'trustedProxies' | 'isOnSocket'>): Finding {
  if (isOnSocket) return good('proxy', 'Only accounts that may open the socket can report addresses.')
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
