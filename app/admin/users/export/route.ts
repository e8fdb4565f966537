import { exportUsers } from '#lib/admin/users/read-users.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { services } from '#lib/server/services.ts'
import { csvExport } from '../../csv-export.ts'

/** The users that match the filter, as a file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(
  services,
  csvExport('users', exportUsers),
)
