/** The texts of each mail, in the language of its receiver. */
import { z } from 'zod'
import { lostPasskeys, mailProof, undoLink, userInvitation } from '#lib/config/limits.ts'
import { dirOf, type Locale, negotiateLocale } from '#lib/i18n/locales.ts'
import { type Translate, translate } from '#lib/i18n/translate.ts'
import type { MailContent } from '#lib/pages/mail/mail-document.tsx'
import { type MailBody, type MailContentName, removedFactors, securityChanges } from '#lib/ports/mail.ts'
import { deviceOf } from '#lib/protocol/text/device-name.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { emailPath, keepByMailPath, undoPath } from '#lib/protocol/wire/local-paths.ts'
import { ownUrl, userInvitationUrl } from '#lib/protocol/wire/own-addresses.ts'

type Words = Pick<
  MailContent,
  'subject' | 'paragraphs' | 'action' | 'otherAction' | 'code' | 'closing' | 'reason'
>
type Writing = {
  readonly t: Translate
  readonly locale: Locale
  readonly siteName: string
  readonly issuer: string
  readonly values: MailBody['values']
}

const contents: Readonly<Record<MailContentName, (writing: Writing) => Words>> = {
  test: ({ t, siteName }) => ({
    subject: t('mail.test.subject', { site: siteName }),
    paragraphs: [t('mail.test.body', { site: siteName })],
    reason: t('mail.test.reason', { site: siteName }),
  }),
  security_change: ({ t, locale, siteName: site, issuer, values }) => {
    const change = z.enum(securityChanges).parse(values.change)
    const when = {
      ...{ site, time: utcTime(locale, new Date(values.at ?? '')), days: lostPasskeys.waitDays },
      ...deviceWords(t, values),
      // Mails of an earlier release name no provider and no removed factors
      provider: displayName(values.provider ?? null, t('mail.security.anotherService')),
      removed: t(`mail.security.removed.${z.enum(removedFactors).catch('both').parse(values.removed)}`),
    }
    const { undo } = values
    const days = undoLink.lifetimeSeconds / 86_400
    return {
      subject: t(`mail.security.changes.${change}.subject`, when),
      paragraphs: [
        t(`mail.security.changes.${change}.body`, when),
        undo === undefined ? t('mail.security.notYou', { site }) : t('mail.security.undo', { days }),
      ],
      action: { label: t('mail.security.action'), href: ownUrl(issuer, '/account') },
      ...(undo === undefined ? {} : { otherAction: undoAction(t, issuer, undo) }),
      reason: t('mail.security.reason', { site }),
    }
  },
  reset_password: recoveryWords,
  user_invitation: ({ t, siteName: site, issuer, values: { link = '' } }) => ({
    subject: t('mail.invitation.subject', { site }),
    paragraphs: [t('mail.invitation.body', { site })],
    action: { label: t('mail.invitation.action'), href: userInvitationUrl(issuer, link) },
    closing: [
      t('mail.invitation.lasts', { days: userInvitation.lifetimeSeconds / 86_400 }),
      t('mail.invitation.secret'),
    ],
    reason: t('mail.invitation.reason', { site }),
  }),
  account_deletion: deletionWords,
  change_email: ({ t, siteName: site, issuer, values: { link = '', code = '' } }) => ({
    subject: t('mail.changeEmail.subject', { site }),
    paragraphs: [t('mail.changeEmail.asked', { site })],
    code,
    action: {
      label: t('mail.changeEmail.action'),
      href: ownUrl(issuer, `${emailPath}/confirm?link=${link}`),
    },
    closing: [lasts(t), t('mail.recovery.secret'), t('mail.changeEmail.ignore')],
    reason: t('mail.changeEmail.reason', { site }),
  }),
  register: registrationWords,
}

function undoAction(t: Translate, issuer: string, link: string) {
  return { label: t('mail.security.undoAction'), href: ownUrl(issuer, `${undoPath}?link=${link}`) }
}

/** The mail for a forgotten password. Only an account with a password gets a link and a code. */
function recoveryWords({ t, siteName: site, issuer, values }: Writing): Words {
  const { kind, username = '', link = '', code = '', usernames = '' } = values
  const frame = { subject: t('mail.recovery.subject', { site }), reason: t('mail.recovery.reason', { site }) }
  const names = { site, username: displayName(username, '') }
  const minutes = mailProof.lifetimeSeconds / 60
  const ignored = t('mail.recovery.ignore')
  switch (kind) {
    case 'password': {
      const href = ownUrl(issuer, `/login/forgot/password?link=${link}`)
      return {
        ...frame,
        paragraphs: [t('mail.recovery.asked', names)],
        code,
        action: { label: t('mail.recovery.action'), href },
        closing: [lasts(t), t('mail.recovery.secret'), ignored],
      }
    }
    case 'taken_back': {
      const href = ownUrl(issuer, `/login/forgot/password?link=${link}`)
      return {
        subject: t('mail.recovery.takenBackSubject', { site }),
        paragraphs: [t('mail.recovery.takenBack', names)],
        action: { label: t('mail.recovery.action'), href },
        closing: [t('mail.recovery.linkLasts', { minutes }), t('mail.invitation.secret')],
        reason: t('mail.recovery.takenBackReason', { site }),
      }
    }
    case 'several': {
      const listed = usernames.split('\n').map(name => displayName(name, ''))
      const action = { label: t('mail.recovery.askAgain'), href: ownUrl(issuer, '/login/forgot') }
      return {
        ...frame,
        paragraphs: [t('mail.recovery.several', { site }), ...listed],
        action,
        closing: [ignored],
      }
    }
    case 'locked':
      return { ...frame, paragraphs: [t('mail.recovery.locked', names), ignored] }
    default: {
      const action = { label: t('mail.recovery.signIn'), href: ownUrl(issuer, '/login') }
      return { ...frame, paragraphs: [t('mail.recovery.noPassword', { site })], action, closing: [ignored] }
    }
  }
}

/** The time for which a link and a code work. */
function lasts(t: Translate): string {
  const minutes = mailProof.lifetimeSeconds / 60
  return t('mail.recovery.lasts', { minutes, codeMinutes: mailProof.codeSeconds / 60 })
}

/** The mails about an account that its user deletes. */
function deletionWords({ t, locale, siteName: site, issuer, values }: Writing): Words {
  const occasion = z
    .enum(['planned', 'soon', 'kept', 'kept_by_administrator', 'deleted'])
    .parse(values.occasion)
  const { link = '', due = '' } = values
  const words = { site, date: utcDay(locale, new Date(due)) }
  const href = ownUrl(issuer, `${keepByMailPath}?link=${encodeURIComponent(link)}`)
  return {
    subject: t(`mail.deletion.${occasion}.subject`, words),
    paragraphs: [t(`mail.deletion.${occasion}.body`, words)],
    ...(link === '' ? {} : { action: { label: t('mail.deletion.keep'), href } }),
    reason: t('mail.deletion.reason', { site }),
  }
}

/** Returns the browser and its network address, for a mail about a new browser. */
function deviceWords(t: Translate, { user_agent: userAgent = '', address = '' }: MailBody['values']) {
  const { browser, system } = deviceOf(userAgent)
  const both = browser !== null && system !== null ? t('account.device', { browser, system }) : null
  return {
    device: both ?? browser ?? system ?? t('account.unknownDevice'),
    address: address === '' ? t('mail.security.unknownAddress') : address,
  }
}

function utcDay(locale: Locale, time: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}

/** The mail about a registration. Only an address that no account has gets a link and a code. */
function registrationWords({ t, siteName: site, issuer, values }: Writing): Words {
  const { kind, link = '', code = '', usernames = '' } = values
  const reason = t('mail.registration.reason', { site })
  const ignored = t('mail.registration.ignore')
  if (kind === 'exists') {
    const names = usernames.split('\n').map(name => displayName(name, ''))
    return {
      subject: t('mail.registration.existsSubject', { site }),
      paragraphs: [t('mail.registration.exists', { site }), ...names, t('mail.registration.existsHow')],
      action: { label: t('mail.registration.signIn'), href: ownUrl(issuer, '/login') },
      closing: [ignored],
      reason,
    }
  }
  return {
    subject: t('mail.registration.subject', { site }),
    paragraphs: [t('mail.registration.asked', { site })],
    code,
    action: {
      label: t('mail.registration.action'),
      href: ownUrl(issuer, `/login/register/confirm?link=${link}`),
    },
    closing: [lasts(t), t('mail.recovery.secret'), ignored],
    reason,
  }
}

/** Returns the time in the language of the receiver. The time zone of the receiver is not known. */
function utcTime(locale: Locale, time: Date): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(time)} UTC`
}

/** Writes the content of a mail. A language without texts is replaced by the default one. */
export function mailContent(
  body: MailBody,
  { siteName, issuer }: { readonly siteName: string; readonly issuer: string },
): MailContent {
  const locale: Locale = negotiateLocale({ saved: null, uiLocales: [body.locale], acceptLanguage: null })
  const writing = { t: translate(locale), locale, siteName, issuer, values: body.values }
  const words = contents[body.content](writing)
  return { locale, direction: dirOf(locale), siteName, ...words }
}
