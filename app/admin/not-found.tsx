/** For hosts that cannot be told the status of a page: see `_ui/with-admin-errors.tsx`. */
import { Link } from './_ui/link.tsx'
import { PageHeader } from './_ui/page-header.tsx'

export default function NotFound() {
  return (
    <>
      <title>Not found</title>
      <PageHeader title="Not found" description="The dashboard has no such page." />
      <p>
        <Link className="btn primary" href="/admin">
          Back to the overview
        </Link>
      </p>
    </>
  )
}
