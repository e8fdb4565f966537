/** The parts that the offers after a sign-in share. Each offer is made to one user, who may no longer be the current one. */
import type { FormExchange } from '#app/_ui/hosted-route.ts'
import type { FormFields } from '#lib/http/read-params.ts'
import { continuation } from '#lib/http/respond-sign-in.ts'
import { backPath } from '#lib/http/step-cookies.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { currentSession } from '#lib/identity/session.ts'
import { parseHandle, type SubjectId } from '#lib/protocol/ids.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { CarriedFields } from './sign-in-parts.tsx'
import type { Carried } from './sign-in-step.ts'

type Asked = { readonly pending?: string | undefined; readonly back?: string | undefined }

/** Returns the address at which the user continues, and the parameters that lead there. */
export function placeOfOffer({ pending, back }: Asked) {
  const handle = parseHandle('pending', pending)
  const page = backPath(back)
  return { next: continuation(handle, page), carried: { pending: handle, back: page } }
}

/** The user to whom an offer is made. */
export type OfferedTo = { readonly subject: SubjectId; readonly name: string }

/**
 * Returns the session of the user to whom the offer was made; `null` if it ended, or a different user is current since then: the
 * answer is not that user's.
 */
export async function sessionOfOffer({
  form,
  cookies,
  services,
}: Pick<FormExchange<FormFields>, 'form' | 'cookies' | 'services'>) {
  const session = await currentSession(services.ports, cookies.session)
  return session !== null && session.subject === form.user ? session : null
}

type FieldProps = { readonly carried: Carried; readonly user: OfferedTo }

export function OfferFields({ carried, user }: FieldProps) {
  return (
    <>
      <CarriedFields carried={carried} />
      <input type="hidden" name="user" value={user.subject} />
    </>
  )
}

type UserProps = { readonly t: Translate; readonly user: OfferedTo }

export function OfferedUser({ t, user: { name, subject } }: UserProps) {
  return <p className="small muted">{t('account.signedInAs', { name: displayName(name, subject) })}</p>
}
