import { exportEvents } from '#lib/admin/events/use-cases.ts'
import { csvExport } from '../../csv-export.ts'

/** Sends the filtered list of events as a CSV file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = csvExport('events', exportEvents, query => ({
  query,
}))
