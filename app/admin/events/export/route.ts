import { may } from '#lib/admin/access/permissions.ts'
import { currentVisit } from '#lib/admin/access/visit.ts'
import { csvOf } from '#lib/admin/csv.ts'
import { eventSentence } from '#lib/admin/events/event-sentence.ts'
import { eventFilter, readEvents } from '#lib/admin/events/read-events.ts'
import { adminList } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { services } from '#lib/server/services.ts'

/** The events of the filter as a table for spreadsheets. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/admin/events/export',
  refuse: refuseWithPage,
  GET: async ({ request, cookies, services: { admin } }) => {
    const visit = await currentVisit(admin, cookies.admin)
    if (visit === null || !may(visit.actor.role, 'events:export'))
      throw new OauthError('access_denied', 'admin_not_allowed')
    const { events, names } = await readEvents(
      admin,
      await eventFilter(admin, readQuery(request)),
      undefined,
      adminList.exported,
    )
    const head = [
      'time',
      'event',
      'outcome',
      'sentence',
      'client_id',
      'subject',
      'reason',
      'reference',
      'address',
    ]
    const rows = events.map(event => [
      event.time.toISOString(),
      event.name,
      event.outcome,
      eventSentence(event, names),
      event.clientId ?? '',
      event.subject ?? '',
      event.reason ?? '',
      event.referenceId,
      event.address ?? '',
    ])
    return {
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="events.csv"',
      },
      cookies: [],
      body: csvOf([head, ...rows]),
    }
  },
})
