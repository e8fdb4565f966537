import { exportUsers } from '#lib/admin/users/read-users.ts'
import { csvExport } from '../../csv-export.ts'

/** Sends the filtered list of users as a CSV file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = csvExport('users', exportUsers)
