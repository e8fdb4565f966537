/** The top of a card: the logo of the app or of Latchkey, the heading, and optional content. */

import type { ReactNode } from 'react'
import { displayName, initialsOf } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'

/** A client as users see it: its name is untrusted text. */
export type ShownApp = { readonly name: string; readonly clientId: string; readonly logoUri: string | null }

type Described = { readonly clientId: string; readonly clientName: string; readonly logoUri: string | null }

/**
 * Selects the data of an app to show. NOTE: a logo is shown only from this server's own origin: pages load nothing from
 * other origins, which would learn that a user signs in, and could draw next to a password field.
 */
export function shownApp({ clientId, clientName, logoUri }: Described, issuer: string): ShownApp {
  const isOwn = logoUri !== null && URL.parse(logoUri)?.origin === new URL(issuer).origin
  return { name: displayName(clientName, clientId), clientId, logoUri: isOwn ? logoUri : null }
}

/** Returns the name for the title of a page: that of the app, or without an app that of the site. */
export function appOrSite(
  client: Pick<Described, 'clientId' | 'clientName'> | null,
  siteName: string,
): string {
  return client === null ? siteName : displayName(client.clientName, client.clientId)
}

type PageHeadProps = {
  readonly app: ShownApp | null
  readonly heading: string
  readonly children?: ReactNode
}

export function PageHead({ app, heading, children }: PageHeadProps) {
  return (
    <header className="head">
      {app === null ? <OwnLogo /> : <AppLogo {...app} />}
      <div>
        <h1>{heading}</h1>
        {children}
      </div>
    </header>
  )
}

function OwnLogo() {
  return (
    <span className="logo own" aria-hidden="true">
      <KeyMark size={26} />
    </span>
  )
}

/** The app's logo, or its initials on a color that is always the same for the app. */
export function AppLogo({ name, clientId, logoUri }: ShownApp) {
  if (logoUri !== null) {
    return (
      <span className="logo plate">
        {/* biome-ignore lint/performance/noImgElement: the optimiser is off */}
        <img src={browserAddress(logoUri)} alt="" width={48} height={48} />
      </span>
    )
  }
  return (
    <span className="logo" data-tint={tintOf(clientId)} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

const tints = 6

function tintOf(clientId: string): number {
  return [...clientId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % tints
}

/** The mark of Latchkey: a key in the color of the text around it. */
export function KeyMark({ size }: { readonly size: number }) {
  return (
    <svg
      className="mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="4.75" />
      <path d="M11.4 11.4 20 20m-3.2-3.2 2.2-2.2m-5-1 1.8-1.8" />
    </svg>
  )
}
