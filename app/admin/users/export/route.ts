import { exportUsers } from '#lib/admin/users/read-users.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { openServices } from '#lib/server/services.ts'
import { csvExport } from '../../csv-export.ts'

/** Sends the filtered list of users as a CSV file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(
  openServices,
  csvExport('users', exportUsers),
)
