/** Tests that a NUL in a path or filter, which PostgreSQL refuses in every text, is reported as an error of the client. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Api,
  openApi,
  openStaff,
  type Staff,
  staffedConfiguration,
} from '../fixtures/dashboard/administrators-by-role.ts'
import { latchkeySuite } from '../fixtures/server/suite.ts'

let all: Staff
let api: Api
latchkeySuite({
  configuration: staffedConfiguration,
  onceStarted: async server => {
    all = await openStaff(server)
    api = await openApi(server.issuer, all.owner, 'owner')
  },
})

const pages = [
  '/admin/clients/a%00b',
  '/admin/clients?q=a%00b',
  '/admin/scopes/a%00b',
  '/admin/users/a%00b',
  '/admin/users?q=a%00b',
  '/admin/providers/a%00b',
  '/admin/sessions?subject=a%00b',
  '/admin/events?q=a%00b',
  '/admin/events/a%00b',
  '/admin/changes?actor=a%00b',
] as const

const resources = [
  '/clients/a%00b',
  '/clients?q=a%00b',
  '/scopes/a%00b',
  '/users/a%00b',
  '/users?q=a%00b',
  '/providers/a%00b',
  '/grants?client_id=a%00b',
  '/events?q=a%00b',
  '/audit?actor=a%00b',
  '/events/requests/%00',
] as const

describe('a NUL in a path or filter is refused with 400', () => {
  for (const page of pages)
    test(`on the dashboard page ${page}`, async () => {
      const { status, headers } = await all.owner.get(page)
      assert.equal(status, 400)
      assert.match(headers['content-type'] ?? '', /^text\/html/)
    })
  for (const resource of resources)
    test(`in the admin API at ${resource}`, async () => {
      const { status, headers } = await api.call('GET', resource)
      assert.equal(status, 400)
      assert.equal(headers['content-type'], 'application/problem+json')
    })
})
