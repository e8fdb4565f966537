/** The identities at identity providers with which a user signs in, on the account page. */
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import type { LinkedIdentity, RemainingWays } from '#lib/ports/account-links.ts'
import { inSession } from '#lib/ports/change-source.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { ExternalKey } from '#lib/ports/users.ts'
import type { PresetName } from '#lib/protocol/registration/provider-presets.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { isIdentityOf } from './identity-of.ts'

export type OwnLink = Pick<LinkedIdentity, 'scheme' | 'label' | 'createdAt'> & {
  /** Names the link in forms. */
  readonly id: string
  /** The display name of the provider; the scheme if the provider was deleted. */
  readonly provider: string
  readonly preset: PresetName | null
}

export type OwnLinks = {
  readonly links: readonly OwnLink[]
  /** The providers at which the user can link a first identity. */
  readonly providers: ReadonlyArray<Pick<IdentityProvider, 'scheme' | 'preset'> & { readonly name: string }>
}

type LinkPorts = Pick<Ports, 'userService' | 'providers' | 'hashing' | 'settings'>

/** Returns the content of the panel; `null`: the user service links no identities, or there is nothing to show. */
export async function ownLinks(
  ports: LinkPorts,
  { subject }: Pick<Session, 'subject'>,
): Promise<OwnLinks | null> {
  const { links: service } = ports.userService
  if (service === undefined) return null
  const [found, all] = await Promise.all([service.list(subject), ports.providers.all()])
  const links = found.map(link => ownLink(ports, link, all))
  const providers = all
    .filter(
      ({ enabled, hidden, scheme }) => enabled && !hidden && !links.some(link => link.scheme === scheme),
    )
    .map(({ scheme, preset, displayName: name }) => ({ scheme, preset, name: displayName(name, scheme) }))
  return links.length + providers.length === 0 ? null : { links, providers }
}

function ownLink(ports: LinkPorts, link: LinkedIdentity, providers: readonly IdentityProvider[]): OwnLink {
  const { scheme, label, createdAt } = link
  const provider = providers.find(each => each.scheme === scheme)
  const shown = { scheme, label, createdAt, preset: provider?.preset ?? null }
  return { ...shown, id: linkId(ports, link), provider: displayName(provider?.displayName ?? null, scheme) }
}

/** Returns the name of a link in forms. It contains no value of the provider. */
function linkId({ hashing }: Pick<Ports, 'hashing'>, { scheme, issuer, subject }: ExternalKey): string {
  return hashing.digest(JSON.stringify([scheme, issuer, subject]))
}

type FoundLink = { readonly link: LinkedIdentity; readonly shown: OwnLink }

/** Returns the link of the user with this ID; `null` if there is none. */
export async function findOwnLink(
  ports: LinkPorts,
  { subject }: Pick<Session, 'subject'>,
  id: string | undefined,
): Promise<FoundLink | null> {
  const links = (await ports.userService.links?.list(subject)) ?? []
  const link = links.find(each => linkId(ports, each) === id)
  return link === undefined ? null : { link, shown: ownLink(ports, link, await ports.providers.all()) }
}

/** Unlinks an identity of the user, who is informed by mail. `last`: the user has no other way to sign in. */
export async function removeLink(
  ports: Ports,
  { session, id }: { readonly session: Session; readonly id: string | undefined },
  context: RequestContext,
): Promise<'removed' | 'unknown' | 'last'> {
  const { subject } = session
  const { links } = ports.userService
  const found = await findOwnLink(ports, session, id)
  if (found === null || links === undefined) return 'unknown'
  const { link, shown } = found
  const [notices, providers] = await Promise.all([
    securityNotice(ports, subject, 'provider_unlinked', { provider: shown.provider }),
    ports.providers.all(),
  ])
  const mayRemove = (remaining: RemainingWays) => canStillSignIn(ports.settings, providers, remaining)
  const change = { now: ports.clock.now(), within: inSession(session), mayRemove, notices }
  const outcome = await links.remove(subject, link, change)
  if (outcome === 'removed') {
    const details = { scheme: link.scheme }
    ports.events.record({ name: 'provider_unlinked', outcome: 'success', subject, details }, context)
  }
  return outcome
}

/** Whether one of the ways is a first factor that works here now. */
export function canStillSignIn(
  { localLogin, relyingParty }: Pick<Ports['settings'], 'localLogin' | 'relyingParty'>,
  providers: readonly IdentityProvider[],
  { hasPassword, links, passkeys }: RemainingWays,
): boolean {
  if (localLogin && hasPassword) return true
  if (relyingParty.kind === 'on' && localLogin && passkeys.some(({ idp }) => idp === localProvider))
    return true
  return links.some(link => providers.some(provider => provider.enabled && isIdentityOf(provider, link)))
}
