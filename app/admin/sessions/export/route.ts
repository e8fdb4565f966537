import { exportAccess } from '#lib/admin/grants/read-access.ts'
import { csvExport } from '../../csv-export.ts'

/** Sends the filtered list of sessions, access or consents as a CSV file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = csvExport('sessions', exportAccess)
