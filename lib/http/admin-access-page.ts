/**
 * The pages instead of the dashboard: for users and IP addresses that have no access, before there is an owner, and after
 * a failed sign-in. In English, like the dashboard.
 */
import { translate } from '#lib/i18n/translate.ts'
import { type AdminAccessNotice, AdminAccessPage } from '#lib/pages/admin-access-page.tsx'
import type { Frame } from '#lib/pages/frame.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import type { Theme } from '#lib/protocol/theme.ts'
import { pageReply } from './page-frame.ts'
import type { Reply } from './reply.ts'

const longestName = 60

export type AccessPageInput = {
  readonly siteName: string
  /** The request ID; `null`: the request has no trace. */
  readonly requestId: string | null
  readonly theme?: Theme | undefined
}

/** The page for a user who is signed in, but is not an administrator. `name`: the signed-in account. */
export function notAnAdministratorReply({
  name,
  ...input
}: AccessPageInput & { readonly name: string | null }): Reply {
  return accessReply(403, input, {
    heading: 'This account has no access to the dashboard',
    signedInAs: name === null ? null : displayText(name, longestName),
    text: 'Ask an owner to invite you, or sign in with another account.',
    links: [
      ['/admin/sign-in?again=yes', 'Use another account'],
      ['/account', 'Go to your account'],
    ],
  })
}

/** The page before there is an owner: the first owner is created by the link that the server prints when it starts. */
export function noAdministratorReply(input: Omit<AccessPageInput, 'requestId'>): Reply {
  return accessReply(
    403,
    { ...input, requestId: null },
    {
      heading: 'The dashboard has no administrator yet',
      text: 'Use the link in the terminal of the server. It creates the owner account.',
      links: [],
    },
  )
}

/**
 * The page after a sign-in that failed, mostly because it was canceled, took too long, or began in another browser. The
 * sign-in is not restarted automatically.
 */
export function signInFailedReply(input: AccessPageInput): Reply {
  return accessReply(400, input, {
    heading: 'Sign-in not completed',
    text: 'It was canceled, took too long, or was started in another browser.',
    links: [['/admin/sign-in', 'Sign in to the dashboard']],
  })
}

/** AD-09: the page for an IP address that is not on the allow-list. The user is not checked. */
export function addressNotAllowedReply(input: AccessPageInput): Reply {
  return accessReply(403, input, {
    heading: 'The dashboard is restricted to certain networks',
    text: 'Your IP address is not allowed. Connect through an allowed network, or contact your administrator and include the request ID.',
    links: [],
  })
}

function accessReply(
  status: number,
  { siteName, requestId, theme = 'system' }: AccessPageInput,
  notice: Omit<AdminAccessNotice, 'requestId'>,
): Reply {
  const frame: Frame = {
    t: translate('en'),
    locale: 'en',
    siteName,
    issuer: '',
    here: '/admin',
    isMonolingual: true,
    theme,
    nonce: null,
  }
  const document = AdminAccessPage({ frame, notice: { ...notice, requestId } })
  return pageReply(frame, document, { status })
}
