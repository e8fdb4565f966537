import type { ClientView } from '#lib/admin/clients/client-document.ts'

/** As people read it; the id where there is no name. */
export function clientName({ metadata, client_id: id }: Pick<ClientView, 'metadata' | 'client_id'>): string {
  const { client_name: name } = metadata
  return typeof name === 'string' && name !== '' ? name : id
}
