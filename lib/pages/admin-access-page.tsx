/** The page for users who have no access to the dashboard. It is in English, like the dashboard. */
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import type { Frame } from './frame.ts'
import { PageHead } from './page-head.tsx'
import { Screen } from './screen.tsx'

export type AdminAccessNotice = {
  readonly heading: string
  /** The signed-in account, if the text is about it. */
  readonly signedInAs?: string | null
  readonly text: string
  readonly links: readonly (readonly [href: string, text: string])[]
  /** The request ID; `null` if the request has no trace. */
  readonly requestId: string | null
}

type AdminAccessPageProps = { readonly frame: Frame; readonly notice: AdminAccessNotice }

export function AdminAccessPage({ frame, notice }: AdminAccessPageProps) {
  const { heading, signedInAs = null, text, links, requestId } = notice
  return (
    <Screen frame={frame} title={heading} isProblem>
      <PageHead app={null} heading={heading} />
      <p className="muted">
        {signedInAs !== null && (
          <>
            You are signed in as <strong>{signedInAs}</strong>.{' '}
          </>
        )}
        {text}
      </p>
      {links.map(([href, label], index) => (
        <a className={index === 0 ? 'btn wide primary' : 'btn wide'} key={href} href={browserAddress(href)}>
          {label}
        </a>
      ))}
      {requestId !== null && (
        <p className="small muted">
          Request ID <span className="reference">{requestId}</span>
        </p>
      )}
    </Screen>
  )
}
