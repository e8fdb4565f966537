/** The profile of the user: the claims that users may change themselves. */
import {
  type FormExchange,
  formHandler,
  hostedPage,
  type PageContent,
  type PageExchange,
  pendingPage,
} from '#app/_ui/hosted-route.ts'
import { endedProfileCookie, profileCookie, readProfileCookie } from '#lib/http/profile-cookie.ts'
import { type FormFields, readForm } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { changeOwnProfile, ownProfile, type ProfileValues } from '#lib/identity/own-profile.ts'
import { ownPasskeys } from '#lib/identity/passkeys/own-passkeys.ts'
import { passkeySignals } from '#lib/identity/passkeys/passkey-names.ts'
import { profileFields } from '#lib/protocol/registration/policies.ts'
import { ownSession } from '../own-session.ts'
import { ProfilePage, type ShownProfile } from './profile-page.tsx'

const path = '/account/profile'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedPage(
  path,
  pendingPage(readProfile, ProfilePage),
  formHandler(changeProfile, readForm),
)

async function readProfile(page: PageExchange): Promise<PageContent<ShownProfile>> {
  const { query, request, services } = page
  const { ports, sealing, config } = services
  const found = await ownSession(page, { back: path })
  if ('elsewhere' in found) return found
  const { session } = found
  const own = await ownProfile(ports, session)
  if (own === null) return { elsewhere: seeOther('/account') }
  const { subject } = session
  const isRefused = query.error !== undefined
  const entered = isRefused
    ? readProfileCookie(sealing, request.headers.get('cookie'), { subject, issuer: config.issuer })
    : new Map<string, string>()
  const values: ProfileValues = new Map(
    [...own.values].map(([name, value]) => [name, entered.get(name) ?? value] as const),
  )
  const wrong = new Set((query.error ?? '').split(' '))
  const isSaved = query.done === 'saved'
  // Credential managers get the new display name
  const signals = isSaved ? await passkeySignals(ports, session, await ownPasskeys(ports, session)) : null
  return {
    shown: { ...own, values, subject, wrong, done: query.done, signals },
    frame: { offersSignOut: true },
  }
}

async function changeProfile(posted: FormExchange<FormFields>): Promise<Reply> {
  const { form, context, services } = posted
  const { ports, sealing, config } = services
  const found = await ownSession(posted, { user: form.user ?? null, back: path })
  if ('elsewhere' in found) return found.elsewhere
  const { session } = found
  const sent = profileFields.flatMap(name => (form[name] === undefined ? [] : [[name, form[name]] as const]))
  const change = { session, version: form.version ?? '', entered: new Map(sent) }
  const outcome = await changeOwnProfile(ports, change, context)
  if (outcome.kind === 'unavailable') return seeOther('/account')
  if (outcome.kind === 'unfit') {
    const kept = Object.fromEntries(sent)
    const owner = { subject: session.subject, issuer: config.issuer }
    return seeOther(`${path}?error=${outcome.fields.join('+')}`, [profileCookie(sealing, kept, owner)])
  }
  return seeOther(`${path}?done=${outcome.kind}`, [endedProfileCookie(config.issuer)])
}
