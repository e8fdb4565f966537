/**
 * Registers an identity provider in three steps, which are in the address: its issuer, its name, and this server's client at it.
 */

import type { ReactNode } from 'react'
import { previewProvider } from '#lib/admin/providers/read-providers.ts'
import { createProvider, providerFields } from '#lib/admin/providers/write-providers.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import { browserAddress, providerRedirectUri } from '#lib/protocol/wire/own-addresses.ts'
import { CopyText } from '../../_ui/copy.tsx'
import { TextField } from '../../_ui/fields.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { Link } from '../../_ui/link.tsx'
import { FreshSignIn, Notice } from '../../_ui/notice.tsx'
import { AdminShell, Facts, Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import { type AdminPage, adminPage, callUseCase, type OutputOf, type Query } from '../../admin-page.tsx'
import { CredentialFields, displayNameHelp, providerLabels, ReachFields } from '../provider-fields.tsx'

const path = '/admin/providers/new'

export default adminPage('providers:create', path, NewProviderPage)

async function NewProviderPage(page: AdminPage) {
  const { title, content } = await stepOf(page)
  return (
    <AdminShell
      page={page}
      title="New identity provider"
      back={{ name: 'Identity providers', href: '/admin/providers' }}
      description={title}
    >
      {content}
    </AdminShell>
  )
}

type Step = { readonly title: string; readonly content: ReactNode }

async function stepOf(page: AdminPage): Promise<Step> {
  const { query } = page
  const { issuer = '', scheme = '', display_name: name = '' } = query
  const first = 'Step 1 of 3: issuer'
  if (issuer === '' || issuer.length > 2000)
    return { title: first, content: <AskIssuer query={query} problem={null} namedIssuer={null} /> }
  const preview = await callUseCase(page, previewProvider, { issuer })
  if (preview.kind !== 'found') {
    const { sentence, named_issuer: namedIssuer } = preview
    return { title: first, content: <AskIssuer query={query} problem={sentence} namedIssuer={namedIssuer} /> }
  }
  const problem = scheme === '' ? null : await schemeProblem(page, scheme)
  const isNamed = scheme !== '' && problem === null
  return {
    title: isNamed ? 'Step 3 of 3: register this server there' : 'Step 2 of 3: metadata and name',
    content: (
      <>
        <Section title="Metadata of the provider">
          <PreviewFacts preview={preview} />
        </Section>
        {isNamed ? (
          <RegisterProvider page={page} preview={preview} scheme={scheme} name={name.trim() || scheme} />
        ) : (
          <NameProvider preview={preview} query={query} problem={problem} />
        )}
      </>
    ),
  }
}

async function schemeProblem({ ports }: AdminPage, scheme: string): Promise<string | null> {
  const read = providerFields.scheme.safeParse(scheme, { error: plainMessage })
  if (!read.success) return `It ${read.error.issues[0]?.message ?? 'is invalid'}.`
  return (await ports.providers.find(read.data)) === null ? null : `There is a provider "${scheme}" already.`
}

type AskIssuerProps = {
  readonly query: Query
  /** The reason why the metadata cannot be used, if there is one. */
  readonly problem: string | null
  /** The issuer in the metadata if it differs from the entered one; otherwise `null`. */
  readonly namedIssuer: string | null
}

/** The first step. Admins who also enter a valid, unused scheme skip the second one. */
function AskIssuer({ query, problem, namedIssuer }: AskIssuerProps) {
  return (
    <Section
      title="Paste the issuer"
      description="The server reads its metadata and shows it. Nothing is stored yet."
    >
      {problem !== null && (
        <Notice kind="bad">
          {problem}
          {namedIssuer !== null && (
            <>
              {' '}
              Its metadata names the issuer <code>{namedIssuer}</code>.{' '}
              <Link href={`${path}?${new URLSearchParams({ issuer: namedIssuer })}`}>Use that</Link>
            </>
          )}
        </Notice>
      )}
      <form className="form" method="get" action={browserAddress(path)}>
        <TextField
          name="issuer"
          label="Issuer"
          help="Such as https://login.example.com. The URL of its openid-configuration works as well."
          value={query.issuer ?? ''}
          error={problem}
          isRequired
          isMono
        />
        <TextField
          name="display_name"
          label="Name (optional)"
          help={displayNameHelp}
          value={query.display_name ?? ''}
          error={null}
        />
        <TextField
          name="scheme"
          label="Scheme (optional)"
          help="Part of the redirect URI. It can never be changed."
          value={query.scheme ?? ''}
          error={null}
          isMono
        />
        <SubmitRow label="Read its metadata" />
      </form>
    </Section>
  )
}

type NameProviderProps = { readonly preview: Preview; readonly query: Query; readonly problem: string | null }

function NameProvider({ preview, query, problem }: NameProviderProps) {
  const guess = guessFrom(new URL(preview.issuer).hostname)
  return (
    <Section title="Name and scheme">
      <form className="form" method="get" action={browserAddress(path)}>
        <input type="hidden" name="issuer" value={preview.issuer} />
        <TextField
          name="display_name"
          label="Name"
          help={displayNameHelp}
          value={query.display_name ?? capitalized(guess)}
          error={null}
          isRequired
        />
        <TextField
          name="scheme"
          label="Scheme"
          help={
            <>
              Part of the redirect URI and of <code>acr_values=idp:…</code>. It can never be changed.
            </>
          }
          value={query.scheme ?? guess}
          error={problem}
          isRequired
          isMono
        />
        <SubmitRow label="Continue">
          <Link className="btn" href={path}>
            Use another issuer
          </Link>
        </SubmitRow>
      </form>
    </Section>
  )
}

/** A guess of the scheme, such as "google" for `accounts.google.com`, also under `.co.uk`; empty for an IP address. */
function guessFrom(hostname: string): string {
  if (/^[\d.]+$|^\[/.test(hostname)) return ''
  const words = hostname.split('.')
  const named = words.slice(0, -1).filter(word => word.length > 3)
  return named.at(-1) ?? words[0] ?? ''
}

type RegisterProviderProps = {
  readonly page: AdminPage
  readonly preview: Preview
  readonly scheme: string
  readonly name: string
}

function RegisterProvider({ page, preview, scheme, name }: RegisterProviderProps) {
  const { issuer } = preview
  const state = fieldState(page, createProvider, providerLabels)
  return (
    <>
      <Section
        title="Register this redirect URI there"
        description={`Create a client for this server at ${name || scheme}: a confidential web application with the authorization code flow, and exactly this redirect URI.`}
      >
        <p>
          <CopyText id="callback" name="redirect URI" text={providerRedirectUri(page.issuer, scheme)} />
        </p>
      </Section>
      <Section title="What the provider gave you">
        <FreshSignIn page={page} />
        <AdminForm
          page={page}
          useCase={createProvider}
          hidden={{ issuer, scheme, display_name: name }}
          next="/admin/providers/{scheme}/test"
          labels={providerLabels}
        >
          <CredentialFields state={state} stored={null} />
          <ReachFields state={state} stored={null} />
          <SubmitRow label="Save provider">
            <Link className="btn" href={`${path}?${new URLSearchParams({ issuer, display_name: name })}`}>
              Back
            </Link>
          </SubmitRow>
        </AdminForm>
      </Section>
    </>
  )
}

type Preview = Extract<OutputOf<typeof previewProvider>, { kind: 'found' }>

function PreviewFacts({ preview }: { readonly preview: Preview }) {
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
