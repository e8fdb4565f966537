/** For hosts that cannot be told the status of a page: see `_ui/with-admin-errors.tsx`. */
import { Link } from './_ui/link.tsx'
import { PageHeader } from './_ui/page-header.tsx'

export default function Forbidden() {
  return (
    <>
      <title>Not allowed</title>
      <PageHeader title="Not allowed" description="Your role does not allow this page." />
      <p>
        <Link className="btn primary" href="/admin">
          Back to the overview
        </Link>
      </p>
    </>
  )
}
