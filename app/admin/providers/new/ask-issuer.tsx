/** The first step: an address to paste. */
import { Notice } from '#app/_ui/notice.tsx'
import { TextField } from '../../_ui/fields.tsx'
import { Section } from '../../_ui/section.tsx'

type AskIssuerProps = {
  readonly value: string
  /** Why what was pasted does not do. */
  readonly problem: string | null
  /** How the provider names itself, when that differs. */
  readonly namedIssuer: string | null
}

export function AskIssuer({ value, problem, namedIssuer }: AskIssuerProps) {
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
              <a href={`/admin/providers/new?${new URLSearchParams({ issuer: namedIssuer })}`}>Use that</a>
            </>
          )}
        </Notice>
      )}
      <form className="form" method="get" action="/admin/providers/new">
        <TextField
          name="issuer"
          label="Issuer"
          help="Such as https://login.example.com. The address of its openid-configuration does as well."
          value={value}
          error={problem}
          isRequired
          isMono
        />
        <div>
          <button type="submit" className="btn primary">
            Read its metadata
          </button>
        </div>
      </form>
    </Section>
  )
}
