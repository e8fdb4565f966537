import { exportChanges } from '#lib/admin/changes/read-changes.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { services } from '#lib/server/services.ts'
import { exportAsCsv } from '../../export-as-csv.ts'

/** The changes that match the filter, as a file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/admin/changes/export',
  refuse: refuseWithPage,
  getChangesState: true,
  GET: exchange =>
    exportAsCsv(exchange, {
      list: '/admin/changes',
      file: 'changes.csv',
      run: (ports, query, visit) => exportChanges.call(ports, query, visit),
    }),
})
