/** The first step: an address to paste. Who knows already what to call it skips the second. */
import type { Query } from '#app/_ui/visit.ts'
import { Notice } from '#app/admin/_ui/notice.tsx'
import { TextField } from '../../_ui/fields.tsx'
import { Link } from '../../_ui/link.tsx'
import { Section } from '../../_ui/section.tsx'
import { SubmitRow } from '../../_ui/submit-row.tsx'

type AskIssuerProps = {
  readonly query: Query
  /** Why what was pasted does not do. */
  readonly problem: string | null
  /** How the provider names itself, when that differs. */
  readonly namedIssuer: string | null
}

export function AskIssuer({ query, problem, namedIssuer }: AskIssuerProps) {
  return (
    <Section
      title="Paste the issuer"
      description="We ask it for its metadata and show what it says. Nothing is stored yet."
    >
      {problem !== null && (
        <Notice kind="bad">
          {problem}
          {namedIssuer !== null && (
            <>
              {' '}
              It names itself <code>{namedIssuer}</code>.{' '}
              <Link href={`/admin/providers/new?${new URLSearchParams({ issuer: namedIssuer })}`}>
                Use that
              </Link>
            </>
          )}
        </Notice>
      )}
      <form className="form" method="get" action="/admin/providers/new">
        <TextField
          name="issuer"
          label="Issuer"
          help="Such as https://login.example.com. The address of its openid-configuration does as well."
          value={query.issuer ?? ''}
          error={problem}
          isRequired
          isMono
        />
        <TextField
          name="display_name"
          label="Name (can wait)"
          help="On the button: “Continue with …”."
          value={query.display_name ?? ''}
          error={null}
        />
        <TextField
          name="scheme"
          label="Scheme (can wait)"
          help="Stands in the callback address. It can never be changed."
          value={query.scheme ?? ''}
          error={null}
          isMono
        />
        <SubmitRow label="Read its metadata" />
      </form>
    </Section>
  )
}
