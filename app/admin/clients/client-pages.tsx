/** The parts that the pages of one client share. */
import { kindAdvice } from '#lib/admin/clients/client-defaults.ts'
import { type ClientView, clients, readClient } from '#lib/admin/clients/client-resource.ts'
import { restoreClient } from '#lib/admin/clients/write-clients.ts'
import { clientPath } from '#lib/admin/page-paths.ts'
import { existsIn } from '#lib/admin/resource/resource.ts'
import { CopyText } from '../_ui/copy.tsx'
import { Link } from '../_ui/link.tsx'
import { callUseCase } from '../admin-page.tsx'
import { type RestorablePages, restrictClientToOwners } from '../resource/resource-pages.tsx'

export const clientPages: RestorablePages<ClientView> = {
  area: 'clients',
  kind: 'client',
  idField: 'client_id',
  title: 'Clients',
  deletedTitle: 'Deleted clients',
  tabs: [
    ['settings', 'Settings'],
    ['secrets', 'Secrets'],
    ['setup', 'Setup'],
    ['test', 'Test'],
    ['access', 'Access'],
    ['history', 'History'],
  ],
  editingTabs: ['settings', 'secrets', 'history'],
  read: (page, id) => callUseCase(page, readClient, { client_id: id }),
  restrict: restrictClientToOwners,
  head: (client, _page, tab) => ({
    name: clientName(client),
    isEnabled: client.metadata.enabled !== false,
    description: (
      <>
        {kindAdvice[client.kind].title} · <CopyText id="client-id" name="client ID" text={client.client_id} />
      </>
    ),
    action:
      tab === 'test' ? undefined : (
        <Link className="btn" href={clientPath(client.client_id, 'test')}>
          Test this client
        </Link>
      ),
  }),
  restore: restoreClient,
  restoreAdvice:
    'Its settings are restored. Its secrets and the access that users gave it were deleted permanently: add a secret afterwards.',
  exists: existsIn(clients),
  current: ({ metadata, version }) => ({ document: metadata, version }),
}

/** The client's name for users; its ID if it has no name. */
export function clientName({ metadata, client_id: id }: Pick<ClientView, 'metadata' | 'client_id'>): string {
  const { client_name: name } = metadata
  return typeof name === 'string' && name !== '' ? name : id
}
