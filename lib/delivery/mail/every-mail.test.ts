/** Tests what every mail has in common, with texts of others that try to be markup, a link or a header. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailHtml, mailText } from '#lib/pages/mail/mail-document.tsx'
import { type MailBody, type MailContentName, mailContentNames, securityChanges } from '#lib/ports/mail.ts'
import { mailContent } from './mail-contents.ts'

const site = { siteName: 'Harbor & Söhne <b>', issuer: 'https://id.example.org' }
const hostile = 'https://evil.example/<a href="https://evil.example">now</a>\r\nBcc: eve@example.org\u202e'
// A user name has one line, and a list of them separates them by lines
const name = hostile.replace('\r\n', ' ')
const shared = { username: hostile, provider: hostile, user_agent: hostile, address: '192.0.2.7' }
const secrets = {
  link: 'lnk_link',
  code: 'ABCD-EFGH',
  at: '2026-11-27T12:00:00Z',
  due: '2026-12-11T12:00:00Z',
}

const kinds: Readonly<Record<MailContentName, readonly MailBody['values'][]>> = {
  test: [{}],
  security_change: securityChanges.flatMap((change): readonly MailBody['values'][] => [
    { change },
    { change, undo: 'sealed.undo' },
  ]),
  reset_password: ['password', 'taken_back', 'several', 'locked', 'no_password'].map(kind => ({ kind })),
  user_invitation: [{}],
  change_email: [{}],
  account_deletion: ['planned', 'soon', 'kept', 'kept_by_administrator', 'deleted'].map(occasion => ({
    occasion,
  })),
  register: [{ kind: 'new' }, { kind: 'exists' }],
}

const mails = mailContentNames.flatMap(content =>
  kinds[content].flatMap(values =>
    ['en', 'de'].map(locale => {
      const all = { ...shared, usernames: `${name}\n${name}`, ...secrets, ...values }
      const written = mailContent({ to: 'una@example.org', locale, content, values: all }, site)
      return { title: `${content} ${JSON.stringify(values)} ${locale}`, ...written }
    }),
  ),
)

test('WF-06 every link of every mail is an action of the mail, and leads to this server', () => {
  for (const mail of mails) {
    const html = mailHtml(mail)
    const links = [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, href = '']) => href)
    const own = [mail.action, mail.otherAction].flatMap(action => (action === undefined ? [] : [action.href]))
    assert.deepEqual(links, own, mail.title)
    assert.equal(html.split('<a').length - 1, own.length, mail.title)
    for (const href of own) assert.ok(href.startsWith('https://id.example.org/'), `${mail.title}: ${href}`)
  }
})

test('WF-06 a text of others is neither markup nor a further line in any mail', () => {
  for (const mail of mails) {
    assert.doesNotMatch(mailHtml(mail), /<b>|<\/b>|<script|<img|\u202e/, mail.title)
    for (const text of [mail.subject, ...mail.paragraphs])
      assert.doesNotMatch(text, /[\r\n\u202e]/, mail.title)
    assert.doesNotMatch(mailText(mail), /^Bcc:/m, mail.title)
  }
})

test('every mail has its sentences, actions and code in both forms, in the language of its receiver, with the name of the site', () => {
  for (const mail of mails) {
    const [html, text] = [mailHtml(mail), mailText(mail)]
    assert.ok(html.includes(`<html lang="${mail.locale}"`), mail.title)
    assert.ok(text.includes(`-- \n${site.siteName}\n`), mail.title)
    assert.ok(html.includes('Harbor &amp; Söhne &lt;b&gt;'), mail.title)
    const href = mail.action?.href ?? ''
    for (const form of [html.replaceAll('&amp;', '&'), text]) assert.ok(form.includes(href), mail.title)
    if (mail.code !== undefined)
      for (const form of [html, text]) assert.ok(form.includes(mail.code), mail.title)
    for (const paragraph of [...mail.paragraphs, ...(mail.closing ?? []), mail.reason])
      assert.ok(text.includes(paragraph), mail.title)
  }
})
