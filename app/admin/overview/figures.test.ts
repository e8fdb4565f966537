import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Overview } from '#lib/admin/overview/overview.ts'
import { periodOf } from '#lib/admin/overview/period.ts'
import { Figures } from './figures.tsx'

const none = { now: 0, before: null, values: Array.from({ length: 24 }, () => 0), valuesBefore: null }
/** An overview of the current day at 02:30 UTC. */
const overview: Overview = {
  period: periodOf('today', null, new Date('2026-03-10T02:30:00Z')),
  knownFrom: 0,
  countedSince: null,
  signIns: { ...none, now: 7, values: [1, 2, 4, ...none.values.slice(3)] },
  users: none,
  tokens: none,
  failures: none,
  successRate: { now: null, before: null },
  responseTime: { p95: 20, values: [5, null, 20, ...none.values.slice(3)] },
  methods: [],
  reasons: [],
  grants: [],
  visitors: [],
  accounts: [],
  allReasons: [],
  failureAddresses: { failures: 0, addresses: 0, isMore: false },
  funnel: [],
  tokenChecks: 0,
  clients: [],
}

test('a line is as wide as its tile after few hours, and the response time of tokens is shown', () => {
  const markup = renderToStaticMarkup(createElement(Figures, { overview }))
  assert.match(markup, /points="0\.00,[\d.]+ 50\.00,[\d.]+ 100\.00,2\.00"/)
  assert.match(markup, /≤ 20\u00a0ms/)
})
