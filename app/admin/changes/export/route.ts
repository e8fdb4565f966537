import { exportChanges } from '#lib/admin/changes/read-changes.ts'
import { csvExport } from '../../csv-export.ts'

/** Sends the filtered list of changes as a CSV file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = csvExport('changes', exportChanges)
