/** Answers to visitors who are not let into the dashboard. In English, like the dashboard. */
import { translate } from '#lib/i18n/translate.ts'
import { type AdminDoor, AdminDoorPage } from '#lib/pages/admin-door-page.tsx'
import type { Frame } from '#lib/pages/frame.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import type { Theme } from '#lib/protocol/theme.ts'
import { pageReply } from './page-frame.ts'
import type { Reply } from './reply.ts'

const longestName = 60

export type DoorVisitor = {
  readonly siteName: string
  readonly referenceId: string
  readonly theme?: Theme | undefined
}

/** Signed in, but not as an administrator. `name`: the account that is signed in. */
export function notAnAdministratorReply({
  name,
  ...visitor
}: DoorVisitor & { readonly name: string | null }): Reply {
  return doorReply(403, visitor, {
    heading: 'This account has no access to the dashboard',
    signedInAs: name === null ? null : displayText(name, longestName),
    text: 'Ask an owner to invite you, or sign in with another account.',
    links: [
      ['/admin/sign-in?again=yes', 'Use another account'],
      ['/account', 'Go to your account'],
    ],
  })
}

/** Signing in would lead nowhere: the first owner is created by the link that the server prints at its start. */
export function noAdministratorReply(visitor: DoorVisitor): Reply {
  return doorReply(403, visitor, {
    heading: 'The dashboard has no administrator yet',
    text: 'Use the link in the terminal of the server. It creates the owner account.',
    links: [],
  })
}

/** The sign-in was cancelled, took too long, or began in another browser. It is not restarted by itself. */
export function entryFailedReply(visitor: DoorVisitor): Reply {
  return doorReply(400, visitor, {
    heading: 'Sign-in not completed',
    text: 'It was cancelled, took too long, or was started in another browser.',
    links: [['/admin/sign-in', 'Sign in to the dashboard']],
  })
}

/** AD-09: the request comes from an IP address that is not on the allow-list. Who sent it is not looked at. */
export function closedToAddressReply(visitor: DoorVisitor): Reply {
  return doorReply(403, visitor, {
    heading: 'The dashboard is restricted to certain networks',
    text: 'Your IP address is not allowed. Connect through an allowed network, or contact your administrator and include the request ID.',
    links: [],
  })
}

function doorReply(
  status: number,
  { siteName, referenceId, theme = 'system' }: DoorVisitor,
  door: Omit<AdminDoor, 'referenceId'>,
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
  const document = AdminDoorPage({ frame, door: { ...door, referenceId } })
  return pageReply(frame, document, { status })
}
