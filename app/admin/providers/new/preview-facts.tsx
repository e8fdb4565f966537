/** The metadata of a provider that is about to be registered, and the problems in it. */
import type { previewProvider } from '#lib/admin/providers/read-providers.ts'
import { Facts } from '../../_ui/page-parts.tsx'
import type { OutputOf } from '../../admin-page.tsx'

export type Preview = Extract<OutputOf<typeof previewProvider>, { kind: 'found' }>

export function PreviewFacts({ preview }: { readonly preview: Preview }) {
  const { endpoints } = preview
  return (
    <>
      <Problems problems={preview.problems} />
      <Facts
        facts={{
          Issuer: <Address text={preview.issuer} />,
          'Sign-in': <Address text={endpoints.authorization} />,
          Tokens: <Address text={endpoints.token} />,
          Userinfo: <Address text={endpoints.userinfo} />,
          Keys: <Address text={endpoints.jwks} />,
          Scopes: <Words words={preview.scopes} />,
          Claims: <Words words={preview.claims} />,
          Signatures: <Words words={preview.signing_algorithms} />,
          'Client authentication': <Words words={preview.client_authentication} />,
        }}
      />
    </>
  )
}

function Problems({ problems }: Pick<Preview, 'problems'>) {
  const isFatal = problems.some(problem => problem.is_fatal)
  if (problems.length === 0)
    return (
      <div className="notice good" role="status">
        <p>It has everything that a sign-in needs.</p>
      </div>
    )
  return (
    <div className={isFatal ? 'notice bad' : 'notice warn'} role={isFatal ? 'alert' : undefined}>
      <div>
        <p className="strong">{isFatal ? 'Sign-ins there would fail' : 'Recommendations'}</p>
        <ul className="error-list">
          {problems.map(({ sentence }) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}

function Address({ text }: { readonly text: string | null }) {
  return text === null ? <span className="faint">none</span> : <span className="mono small">{text}</span>
}

const mostWords = 40

function Words({ words }: { readonly words: readonly string[] | null }) {
  if (words === null) return <span className="faint">not specified</span>
  if (words.length === 0) return <span className="faint">none</span>
  const rest = words.length - mostWords
  return (
    <span className="inline-flex flex-wrap gap-1">
      {[...new Set(words)].slice(0, mostWords).map(word => (
        <code key={word} className="tag whitespace-normal wrap-anywhere">
          {word}
        </code>
      ))}
      {rest > 0 && <span className="small faint">and {rest} more</span>}
    </span>
  )
}
