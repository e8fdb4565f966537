/** Converts sessions to rows and back. */
import type { Session } from '#lib/ports/sessions.ts'
import { jsonColumns } from '../rows.ts'

export const { toRow: sessionToRow, fromRow: sessionFromRow } = jsonColumns<Session, 'amr' | 'details'>(
  'amr',
  'details',
)
