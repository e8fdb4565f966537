/** The access that users gave to a client, and the recent events of the client. */
import type { ClientView } from '#lib/admin/clients/client-resource.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { RecentEvents } from '../../../events/recent-events.tsx'
import { resourcePage, type Shown } from '../../../resource/resource-pages.tsx'
import { AccessSections } from '../../../sessions/access-lists.tsx'
import { clientPages } from '../../client-pages.tsx'

export default resourcePage(clientPages, 'access', ClientAccess)

function ClientAccess({ unrestrictedPage, id }: Shown<ClientView>) {
  return (
    <>
      <AccessSections page={unrestrictedPage} subject={null} clientId={clientIdSchema.parse(id)} />
      <RecentEvents page={unrestrictedPage} filter={{ clientId: id }} />
    </>
  )
}
