/** When, which app, who, from where. */
import { deviceOf } from '#app/account/device-name.ts'
import { Moment } from '#app/admin/_ui/times.tsx'
import type { RequestTrace } from '#lib/admin/events/request-trace.ts'
import { Link } from '../_ui/link.tsx'
import { clientPath, userPath } from '../resource/paths.ts'

export function TraceFacts({ trace }: { readonly trace: RequestTrace }) {
  const { main, names } = trace
  const { browser, system } = deviceOf(main.userAgent)
  const device = [browser, system].filter(name => name !== null).join(' on ')
  return (
    <span className="facts-line dotted">
      <Moment at={main.time} detail="millisecond" />
      {main.clientId !== null && <Link href={clientPath(main.clientId)}>{names.client(main.clientId)}</Link>}
      {main.subject !== null && <Link href={userPath(main.subject)}>{names.user(main.subject)}</Link>}
      {device !== '' && <span>{device}</span>}
      {main.address !== null && <span className="mono">{main.address}</span>}
    </span>
  )
}
