/** When, which app, who, from where. */
import { TimeText } from '#app/_ui/time-text.tsx'
import { deviceOf } from '#app/account/device-name.ts'
import type { Story } from '#lib/admin/events/story.ts'
import { clientPath } from '../clients/paths.ts'
import { userPath } from '../users/paths.ts'

export function StoryFacts({ story }: { readonly story: Story }) {
  const { main, names } = story
  const { browser, system } = deviceOf(main.userAgent)
  const device = [browser, system].filter(name => name !== null).join(' on ')
  return (
    <span className="facts-line dotted">
      <TimeText at={main.time} locale="en" isZoned />
      {main.clientId !== null && <a href={clientPath(main.clientId)}>{names.client(main.clientId)}</a>}
      {main.subject !== null && <a href={userPath(main.subject)}>{names.user(main.subject)}</a>}
      {device !== '' && <span>{device}</span>}
      {main.address !== null && <span className="mono">{main.address}</span>}
    </span>
  )
}
