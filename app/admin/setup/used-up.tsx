/** The link leads nowhere any more, and what to do then. */
import type { Frame } from '#lib/pages/frame.ts'
import { PageHead } from '#lib/pages/page-head.tsx'
import { Screen } from '#lib/pages/screen.tsx'

export function UsedUp({ frame }: { readonly frame: Frame }) {
  return (
    <Screen frame={frame} title="This link does not work any more" isProblem>
      <PageHead app={null} heading="This link does not work any more">
        <p className="small muted">It was used, it expired, or a newer one has taken its place.</p>
      </PageHead>
      <ul className="list stack">
        <li>
          <strong>Was it you who used it?</strong> Then your account is ready.
        </li>
        <li>
          <strong>Were you invited?</strong> Ask whoever invited you for another link.
        </li>
        <li>
          <strong>Do you run this server?</strong> Type <code className="mono">npm run admin -- create</code>{' '}
          where it runs.
        </li>
      </ul>
      <a className="btn primary wide" href="/admin">
        Go to the dashboard
      </a>
    </Screen>
  )
}
