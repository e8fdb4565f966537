/** The second step: what the provider says about itself, and what we call it. */
import type { Query } from '#app/_ui/visit.ts'
import type { previewProvider } from '#lib/admin/providers/read-providers.ts'
import { capitalised } from '#lib/protocol/text/display-text.ts'
import { TextField } from '../../_ui/fields.tsx'
import { Link } from '../../_ui/link.tsx'
import { Section } from '../../_ui/section.tsx'
import { SubmitRow } from '../../_ui/submit-row.tsx'
import type { OutputOf } from '../../call-use-case.ts'
import { PreviewFacts } from './preview-facts.tsx'

type Preview = Extract<OutputOf<typeof previewProvider>, { kind: 'found' }>
type NameProviderProps = { readonly preview: Preview; readonly query: Query; readonly problem: string | null }

export function NameProvider({ preview, query, problem }: NameProviderProps) {
  const guess = guessFrom(new URL(preview.issuer).hostname)
  return (
    <>
      <Section title="What it says about itself">
        <PreviewFacts preview={preview} />
      </Section>
      <Section title="What we call it">
        <form className="form" method="get" action="/admin/providers/new">
          <input type="hidden" name="issuer" value={preview.issuer} />
          <TextField
            name="display_name"
            label="Name"
            help="On the button: “Continue with …”."
            value={query.display_name ?? capitalised(guess)}
            error={null}
            isRequired
          />
          <TextField
            name="scheme"
            label="Scheme"
            help={
              <>
                Stands in the callback address and in <code>acr_values=idp:…</code>. It can never be changed.
              </>
            }
            value={query.scheme ?? guess}
            error={problem}
            isRequired
            isMono
          />
          <SubmitRow label="Continue">
            <Link className="btn" href="/admin/providers/new">
              Another issuer
            </Link>
          </SubmitRow>
        </form>
      </Section>
    </>
  )
}

/** `accounts.google.com` is "google", and so would it be under `.co.uk`; an address of digits says nothing. */
function guessFrom(hostname: string): string {
  if (/^[\d.[]/.test(hostname)) return ''
  const words = hostname.split('.')
  const named = words.slice(0, -1).filter(word => word.length > 3)
  return named.at(-1) ?? words[0] ?? ''
}
