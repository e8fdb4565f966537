/**
 * Registers an identity provider in three steps, which are in the address: the provider, its name, and this server's client at it.
 * A provider whose addresses are known skips the second step.
 */

import type { ReactNode } from 'react'
import { previewProvider } from '#lib/admin/providers/read-providers.ts'
import { providerFields } from '#lib/admin/providers/write-providers.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import { type PresetName, presetNames, providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { TextField } from '../../_ui/fields.tsx'
import { Link } from '../../_ui/link.tsx'
import { AdminShell, Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import { type AdminPage, adminPage, callUseCase, type Query } from '../../admin-page.tsx'
import { displayNameHelp } from '../provider-fields.tsx'
import { AskIssuer, ChooseProvider, PresetHint, newProviderPath as path } from './choose-provider.tsx'
import { PreviewFacts } from './preview-facts.tsx'
import { RegisterProvider } from './register-provider.tsx'

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
  const { issuer = '' } = query
  const preset = presetNames.find(name => name === query.preset) ?? 'openid_connect'
  if (providerPresets[preset].issuerExample === null) return knownStep(page, preset)
  const first = 'Step 1: provider'
  if (issuer === '' || issuer.length > 2000) {
    const isChosen = query.preset === preset
    return {
      title: first,
      content: isChosen ? <AskIssuer {...{ preset, query }} /> : <ChooseProvider query={query} />,
    }
  }
  const preview = await callUseCase(page, previewProvider, { issuer })
  if (preview.kind !== 'found') {
    const problem = { sentence: preview.sentence, namedIssuer: preview.named_issuer }
    return { title: first, content: <AskIssuer {...{ preset, query, problem }} /> }
  }
  const named = await namedStep(page, { preset, issuer: preview.issuer, scheme: query.scheme ?? '' })
  return {
    title: named.title,
    content: (
      <>
        <Section title="Metadata of the provider">
          {preset === 'openid_connect' && <PresetHint issuer={preview.issuer} />}
          <PreviewFacts preview={preview} />
        </Section>
        {named.content}
      </>
    ),
  }
}

/** The step of a provider whose addresses are known, or are entered with the rest. */
function knownStep(page: AdminPage, preset: PresetName): Promise<Step> {
  const { scheme = preset === 'oauth2' ? '' : preset } = page.query
  return namedStep(page, { preset, issuer: null, scheme })
}

type Named = { readonly preset: PresetName; readonly issuer: string | null; readonly scheme: string }

async function namedStep(page: AdminPage, { preset, issuer, scheme }: Named): Promise<Step> {
  const { query } = page
  const isEdited = query.edit !== undefined
  const problem = scheme === '' ? null : await schemeProblem(page, scheme)
  if (scheme === '' || problem !== null || isEdited) {
    const content = <NameProvider {...{ preset, issuer, scheme, query, problem }} />
    return { title: issuer === null ? 'Step 2: name' : 'Step 2: metadata and name', content }
  }
  const name = query.display_name?.trim() || (issuer === null ? providerPresets[preset].name : scheme)
  const kept = { preset, ...(issuer === null ? {} : { issuer }), scheme, display_name: name, edit: 'name' }
  const back = `${path}?${new URLSearchParams(kept)}`
  const content = <RegisterProvider {...{ page, preset, issuer, scheme, name, back }} />
  return { title: 'Last step: register this server there', content }
}

async function schemeProblem({ ports }: AdminPage, scheme: string): Promise<string | null> {
  const read = providerFields.scheme.safeParse(scheme, { error: plainMessage })
  if (!read.success) return `It ${read.error.issues[0]?.message ?? 'is invalid'}.`
  return (await ports.providers.find(read.data)) === null ? null : `There is a provider "${scheme}" already.`
}

type NameProviderProps = Named & { readonly query: Query; readonly problem: string | null }

function NameProvider({ preset, issuer, scheme, query, problem }: NameProviderProps) {
  const guess = issuer === null ? '' : guessFrom(new URL(issuer).hostname)
  const guessedName =
    issuer === null && preset !== 'oauth2' ? providerPresets[preset].name : capitalized(guess)
  return (
    <Section title="Name and scheme">
      <form className="form" method="get" action={browserAddress(path)}>
        <input type="hidden" name="preset" value={preset} />
        {issuer !== null && <input type="hidden" name="issuer" value={issuer} />}
        <TextField
          name="display_name"
          label="Name"
          help={displayNameHelp}
          value={query.display_name ?? guessedName}
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
          value={scheme || guess}
          error={problem}
          isRequired
          isMono
        />
        <SubmitRow label="Continue">
          <Link className="btn" href={path}>
            Use another provider
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
