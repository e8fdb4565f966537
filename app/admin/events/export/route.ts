import { exportEvents } from '#lib/admin/events/export-events.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { services } from '#lib/server/services.ts'
import { exportAsCsv } from '../../export-as-csv.ts'

/** The events that match the filter, as a file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/admin/events/export',
  refuse: refuseWithPage,
  getChangesState: true,
  GET: exchange =>
    exportAsCsv(exchange, {
      list: '/admin/events',
      file: 'events.csv',
      run: (ports, query, visit) => exportEvents.call(ports, { query }, visit),
    }),
})
