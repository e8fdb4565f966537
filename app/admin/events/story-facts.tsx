/** When, which app, who, from where. */

import { TimeText } from '#app/_ui/time-text.tsx'
import type { Story } from '#lib/admin/events/story.ts'

export function StoryFacts({ story }: { readonly story: Story }) {
  const { main, names } = story
  return (
    <span className="facts-line">
      <TimeText at={main.time} locale="en" />
      {main.clientId !== null && (
        <a href={`/admin/clients/${encodeURIComponent(main.clientId)}`}>{names.client(main.clientId)}</a>
      )}
      {main.subject !== null && (
        <a href={`/admin/users/${encodeURIComponent(main.subject)}`}>{names.person(main.subject)}</a>
      )}
      {main.address !== null && <span className="mono">{main.address}</span>}
    </span>
  )
}
