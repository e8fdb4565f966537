/** Tests the links of error pages, and the data for support. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ErrorCode } from '#lib/errors/catalog.ts'
import { errorPageReply, type RefusedVisit } from './error-page.ts'
import { refusalFromCode, refusalFromReason } from './http-refusal.ts'

const config = { issuer: 'https://id.example.org', siteName: 'Latchkey', isLoopback: false }

function errorPage({
  code,
  ...visit
}: Omit<RefusedVisit, 'refused' | 'config'> & { readonly code: ErrorCode }) {
  return errorPageReply({ ...visit, refused: refusalFromCode(code), config }).body ?? ''
}

describe('the content of an error page', () => {
  const page = { locale: 'en', code: 'unknown_client', requestId: 'AAAA-BBBB', clientName: null } as const

  test('an error page has the request ID with a copy button, the time, and a link to the explanation', () => {
    const html = errorPage(page)
    assert.match(html, /id="request-id">AAAA-BBBB<.*<button[^>]* hidden=""[^>]* data-copies="request-id"/s)
    assert.match(html, /<time dateTime="\d{4}-\d\d-\d\dT[^"]+Z"/)
    assert.match(html, /<a href="\/help\/errors#unknown_client">/)
  })

  test('an error page offers other languages if its address can be requested again', () => {
    assert.match(errorPage({ ...page, here: '/x?y=1' }), /name="back" value="\/x\?y=1"/)
    assert.doesNotMatch(errorPage(page), /action="\/language"/)
  })

  test('an error page offers no other language if a new attempt may lead to the app, which form-action would block', () => {
    const html = errorPage({ ...page, code: 'temporarily_unavailable', here: '/x' })
    assert.doesNotMatch(html, /action="\/language"/)
  })

  test('an error page links to the operator’s help if it is configured', () => {
    const reply = (help: string | null) =>
      errorPageReply({ ...page, refused: refusalFromCode(page.code), config: { ...config, help } })
    assert.match(reply('mailto:help@example.org').body ?? '', /<a [^>]*href="mailto:help@example\.org">Help</)
    assert.doesNotMatch(reply(null).body ?? '', />Help</)
  })
})

describe('the continuation of a request that is no longer pending', () => {
  const about = {
    clientName: 'Harbour Books',
    continuation: { home: 'https://books.example', restart: [['client_id', 'books']], isSignedIn: false },
  } as const
  const page = { locale: 'en', requestId: 'AAAA-BBBB', ...about } as const
  const reply = (
    reason: 'request_expired' | 'request_finished',
    continuation: RefusedVisit['continuation'] = about.continuation,
  ) => errorPageReply({ ...page, refused: refusalFromReason(reason), config, continuation })

  test('an expired request can be started again with one click', () => {
    const { status, body } = reply('request_expired')
    assert.equal(status, 400)
    assert.match(
      body ?? '',
      /href="\/connect\/authorize\?client_id=books"[^>]*>Start again with Harbour Books</,
    )
  })

  test('an answered request links to the app, and is not an error for a signed-in user', () => {
    const { status, body } = reply('request_finished', { ...about.continuation, isSignedIn: true })
    assert.equal(status, 200)
    assert.match(
      body ?? '',
      /You’re signed in.*href="https:\/\/books\.example\/"[^>]*>Continue to Harbour Books</s,
    )
    assert.equal(reply('request_finished').status, 400)
  })

  test('for an app without a home page, the request is sent again', () => {
    const { body } = reply('request_finished', { ...about.continuation, home: null, isSignedIn: true })
    assert.match(body ?? '', /href="\/connect\/authorize\?client_id=books"/)
  })
})
