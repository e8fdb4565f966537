/** The access that users gave a client, and its recent events. */
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { RecentEvents } from '../../../events/recent-events.tsx'
import { resourcePage } from '../../../resource/resource-pages.tsx'
import { AccessSections } from '../../../sessions/access-lists.tsx'
import { clientPages } from '../../client-pages.tsx'

export default resourcePage(clientPages, 'access', ({ opened, id }) => (
  <>
    <AccessSections page={opened} subject={null} clientId={clientIdSchema.parse(id)} />
    <RecentEvents page={opened} filter={{ clientId: id }} />
  </>
))
