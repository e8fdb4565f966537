import { exportClients } from '#lib/admin/clients/read-clients.ts'
import { csvExport } from '../../csv-export.ts'

/** Sends the filtered list of clients as a CSV file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = csvExport('clients', exportClients)
