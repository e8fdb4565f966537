import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailContent } from './mail-contents.ts'

const site = { siteName: 'Harbor', issuer: 'https://id.example.org' }

function linkMail(locale: string, provider?: string) {
  const values = {
    ...{ change: 'provider_linked', at: '2026-11-27T12:00:00Z' },
    ...(provider && { provider }),
  }
  return mailContent({ to: 'una@example.org', locale, content: 'security_change', values }, site)
}

test('AU-16 a mail about a link names the provider, in both languages', () => {
  for (const locale of ['en', 'de']) {
    const { subject, paragraphs } = linkMail(locale, 'Acme <b>')
    for (const text of [subject, paragraphs[0]]) assert.match(text ?? '', /Acme <b>/, locale)
  }
})

test('AU-16 a mail about reset factors names those that were removed', () => {
  const bodyOf = (removed: string) => {
    const values = { change: 'factors_reset', at: '2026-11-27T12:00:00Z', removed }
    return mailContent({ to: 'una@example.org', locale: 'en', content: 'security_change', values }, site)
      .paragraphs[0]
  }
  assert.match(
    bodyOf('app') ?? '',
    /^An administrator removed the authenticator app and the recovery codes of/,
  )
  assert.match(bodyOf('passkeys') ?? '', /^An administrator removed the passkeys of/)
  assert.match(bodyOf('') ?? '', /^An administrator removed the passkeys, the authenticator app and/)
})

test('a display name cannot add a line to the subject of a mail, or hide a part of it', () => {
  const { subject } = linkMail('en', 'Acme\r\nBcc: eve@example.org\u202e')
  assert.equal(subject, 'An account at Acme Bcc: eve@example.org was linked to yours')
})

test('a mail of an earlier release, which names no provider, still has complete sentences', () => {
  assert.equal(linkMail('en').subject, 'An account at another service was linked to yours')
  assert.equal(linkMail('de').subject, 'Ein Konto bei einem anderen Dienst wurde mit Ihrem verknüpft')
})
