/** What somebody reads who came to the dashboard and was not let in. In English, like the dashboard. */
import { displayText } from '#lib/protocol/display-text.ts'
import type { Theme } from '#lib/protocol/theme.ts'
import { escapeHtml, plainPage } from './html.ts'
import { htmlReply, type Reply } from './reply.ts'

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const longestName = 60

export type DoorVisitor = {
  readonly siteName: string
  readonly referenceId: string
  readonly theme?: Theme | undefined
}

/** They are who they say, and administer nothing. `name`: who is signed in here. */
export function notAnAdministratorReply({
  name,
  ...visitor
}: DoorVisitor & { readonly name: string | null }): Reply {
  const who =
    name === null
      ? ''
      : `You are signed in as <strong>${escapeHtml(displayText(name, longestName))}</strong>. `
  return doorReply(403, {
    ...visitor,
    heading: 'This account has no access to the dashboard',
    text: `${who}An owner can invite you, or you sign in with another account.`,
    links: [
      ['/admin/sign-in?again=yes', 'Sign in as somebody else'],
      ['/account', 'Go to your account'],
    ],
  })
}

/** The way was broken off, took too long, or began in another browser. Nobody is sent round in circles. */
export function entryFailedReply(visitor: DoorVisitor): Reply {
  return doorReply(400, {
    ...visitor,
    heading: 'The sign-in was not finished',
    text: 'It was cancelled, took too long, or was started in another window.',
    links: [['/admin/sign-in', 'Sign in to the dashboard']],
  })
}

/** AD-09: they asked from a network that the dashboard is not open to. Who they are was not looked at. */
export function closedToAddressReply(visitor: DoorVisitor): Reply {
  return doorReply(403, {
    ...visitor,
    heading: 'The dashboard is not open from here',
    text: 'It can be reached from certain networks alone. Connect through yours; if that is where you are, tell whoever runs this server, with the reference below.',
    links: [],
  })
}

type Door = DoorVisitor & {
  readonly heading: string
  /** HTML; its values are escaped. */
  readonly text: string
  readonly links: readonly (readonly [href: string, text: string])[]
}

function doorReply(status: number, { siteName, referenceId, theme, heading, text, links }: Door): Reply {
  const buttons = links.map(
    ([href, label], index) =>
      `<a class="btn wide${index === 0 ? ' primary' : ''}" href="${escapeHtml(href)}">${escapeHtml(label)}</a>`,
  )
  const body = [
    `<p class="muted">${text}</p>`,
    ...buttons,
    `<p class="small muted">Reference <span class="reference">${escapeHtml(referenceId)}</span></p>`,
  ]
  const html = plainPage({
    locale: 'en',
    theme,
    siteName,
    title: `Error: ${heading}`,
    heading,
    body: body.join('\n'),
  })
  return htmlReply(status, html, { 'content-security-policy': policy })
}
