/** The first step of a new provider: the choice among the presets, or the issuer of any other provider. */
import { ProviderMark } from '#app/_ui/provider-mark.tsx'
import { type PresetName, presetNames, providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { TextField } from '../../_ui/fields.tsx'
import { Link } from '../../_ui/link.tsx'
import { Notice } from '../../_ui/notice.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import type { Query } from '../../admin-page.tsx'
import { displayNameHelp } from '../provider-fields.tsx'

export const newProviderPath = '/admin/providers/new'

const offered = presetNames.filter(name => name !== 'openid_connect')

export function ChooseProvider({ query }: { readonly query: Query }) {
  return (
    <>
      <Section title="Choose the provider" description="Nothing is stored until the last step.">
        <ul className="list even">
          {offered.toSorted(otherLast).map(preset => (
            <li key={preset}>
              <Link
                className="btn wide marked"
                href={`${newProviderPath}?${new URLSearchParams({ preset })}`}
              >
                <ProviderMark preset={preset} />
                {preset === 'oauth2' ? 'Other with OAuth 2.0' : providerPresets[preset].name}
              </Link>
            </li>
          ))}
        </ul>
      </Section>
      <AskIssuer preset="openid_connect" query={query} />
    </>
  )
}

function otherLast(one: PresetName, other: PresetName): number {
  return Number(one === 'oauth2') - Number(other === 'oauth2')
}

type AskIssuerProps = {
  readonly preset: PresetName
  readonly query: Query
  /** The reason why the metadata cannot be used, and the issuer in it if it differs from the entered one. */
  readonly problem?: { readonly sentence: string; readonly namedIssuer: string | null }
}

/** The issuer of a provider. Admins who also enter a valid, unused scheme skip the second step. */
export function AskIssuer({ preset, query, problem }: AskIssuerProps) {
  const { name, issuer, issuerExample } = providerPresets[preset]
  return (
    <Section
      title={
        preset === 'openid_connect'
          ? 'Or paste the issuer of any other OpenID provider'
          : `The issuer of ${name}`
      }
      description="The server reads its metadata and shows it. Nothing is stored yet."
    >
      {problem !== undefined && <IssuerProblem preset={preset} {...problem} />}
      {preset === 'openid_connect' && <PresetHint issuer={query.issuer ?? ''} />}
      <form className="form" method="get" action={browserAddress(newProviderPath)}>
        <input type="hidden" name="preset" value={preset} />
        <TextField
          name="issuer"
          label="Issuer"
          help={`Such as ${issuerExample}. The URL of its openid-configuration works as well.`}
          value={query.issuer ?? issuer ?? ''}
          error={problem?.sentence ?? null}
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

/** Leads to the preset of a provider whose issuer was pasted as that of any other provider. */
export function PresetHint({ issuer }: { readonly issuer: string }) {
  const preset = presetAt(URL.parse(issuer)?.hostname ?? '')
  if (preset === undefined) return null
  return (
    <Notice kind="warn">
      This is {providerPresets[preset].name}, which has its own settings.{' '}
      <Link href={`${newProviderPath}?${new URLSearchParams({ preset })}`}>Use them</Link>
    </Notice>
  )
}

function presetAt(hostname: string): PresetName | undefined {
  return offered.find(name => URL.parse(providerPresets[name].issuer ?? '')?.hostname === hostname)
}

type IssuerProblemProps = {
  readonly preset: PresetName
  readonly sentence: string
  readonly namedIssuer: string | null
}

function IssuerProblem({ preset, sentence, namedIssuer }: IssuerProblemProps) {
  return (
    <Notice kind="bad">
      {sentence}
      {namedIssuer !== null && (
        <>
          {' '}
          Its metadata names the issuer <code>{namedIssuer}</code>.{' '}
          <Link href={`${newProviderPath}?${new URLSearchParams({ preset, issuer: namedIssuer })}`}>
            Use that
          </Link>
        </>
      )}
    </Notice>
  )
}
