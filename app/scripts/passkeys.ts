/**
 * Uses and creates passkeys on hosted pages. A form with `data-passkey` is hidden until this script finds that the browser has
 * passkeys. Its button asks the authenticator, and the form then sends the response. The form contains the sealed challenge only
 * after the server has made one, at `data-options`.
 */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  platformAuthenticatorIsAvailable,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'

type Begun = {
  readonly ceremony: string
  readonly options: Parameters<typeof startAuthentication>[0]['optionsJSON'] &
    Parameters<typeof startRegistration>[0]['optionsJSON']
}

/** The form, and what happens in it now. */
type Offer = {
  readonly form: HTMLFormElement
  readonly button: HTMLButtonElement | null
  readonly notice: HTMLElement | null
  /** Whether browsers also offer passkeys in the user name field. */
  readonly isInField: boolean
  latest: { readonly begun: Begun; readonly endsAt: number } | null
  isBusy: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

/** The time after which a challenge is replaced: a minute before it expires. */
const freshMs = 240_000

if (browserSupportsWebAuthn()) {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) show(form)
  for (const note of document.querySelectorAll<HTMLElement>('[data-no-passkeys]')) note.hidden = true
  void reportSupport(document.querySelector<HTMLInputElement>('[data-creates-passkeys]'))
  signalPasskeys(document.querySelector<HTMLElement>('[data-signals]')?.dataset.signals)
}

/** Reports with the form that this device can create passkeys, so that only its user is offered one. */
async function reportSupport(field: HTMLInputElement | null): Promise<void> {
  if (field !== null && (await platformAuthenticatorIsAvailable())) field.value = 'yes'
}

/**
 * Informs credential managers about the passkeys and names of the signed-in user, so that they no longer offer removed passkeys.
 * Some browsers do not have these functions.
 */
function signalPasskeys(json: string | undefined): void {
  if (json === undefined) return
  const { accepted, details } = JSON.parse(json)
  // A refusal, such as of a passkey without a name, concerns no user
  const ignore = () => {}
  PublicKeyCredential.signalAllAcceptedCredentials?.(accepted).catch(ignore)
  PublicKeyCredential.signalCurrentUserDetails?.(details).catch(ignore)
}

function show(form: HTMLFormElement): void {
  const [button, notice] = [form.querySelector('button'), form.querySelector<HTMLElement>('[role=alert]')]
  const isInField = form.dataset.autofill !== undefined
  const offer: Offer = { form, button, notice, isInField, latest: null, isBusy: false, timer: undefined }
  form.hidden = false
  button?.addEventListener('click', () => press(offer))
  addEventListener('pageshow', event => event.persisted && setBusy(offer, false))
  if (isInField) watchField(offer)
}

/** Returns a challenge with at least a minute left. */
async function begin(offer: Offer): Promise<Begun> {
  if (offer.latest !== null && !isOld(offer)) return offer.latest.begun
  // Tabs ask one after the other, so that they share the cookie that the first of them gets
  const begun: Begun = await navigator.locks.request('passkeys', async () => {
    const answer = await fetch(offer.form.dataset.options ?? '', { method: 'POST' })
    if (!answer.ok) throw new Error(answer.statusText)
    return answer.json()
  })
  offer.latest = { begun, endsAt: Date.now() + freshMs }
  return begun
}

function isOld({ latest }: Offer): boolean {
  return latest !== null && latest.endsAt <= Date.now()
}

async function press(offer: Offer): Promise<void> {
  if (offer.isBusy) return
  setBusy(offer, true)
  showNotice(offer, '')
  try {
    const { ceremony, options: optionsJSON } = await begin(offer)
    const ask = offer.form.dataset.passkey === 'create' ? startRegistration : startAuthentication
    send(offer, ceremony, await ask({ optionsJSON }))
  } catch (error) {
    setBusy(offer, false)
    showNotice(offer, error instanceof Error ? sentenceFor(offer, error) : '')
    if (offer.isInField) offerInField(offer)
  }
}

/** Returns the sentence about a failure; it is empty if the user canceled. */
function sentenceFor({ form }: Offer, { name }: Error): string {
  const { failed = '', known = failed } = form.dataset
  if (name === 'NotAllowedError' || name === 'AbortError') return ''
  return name === 'InvalidStateError' ? known : failed
}

/** Offers passkeys in the user name field, as long as the page is shown and no form of it is sent. */
function watchField(offer: Offer): void {
  const renew = () => !document.hidden && !offer.isBusy && isOld(offer) && offerInField(offer)
  addEventListener('pagehide', () => stop(offer))
  addEventListener('submit', () => stop(offer))
  addEventListener('pageshow', event => event.persisted && offerInField(offer))
  addEventListener('visibilitychange', renew)
  offerInField(offer)
}

function stop({ timer }: Offer): void {
  clearTimeout(timer)
  WebAuthnAbortService.cancelCeremony()
}

async function offerInField(offer: Offer): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return
  clearTimeout(offer.timer)
  try {
    const { ceremony, options: optionsJSON } = await begin(offer)
    if (offer.isBusy) return
    offer.timer = setTimeout(() => document.hidden || offer.isBusy || offerInField(offer), freshMs)
    // A new request of the page ends this one
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill: true })
    setBusy(offer, true)
    send(offer, ceremony, response)
  } catch (error) {
    const isReplaced = error instanceof Error && error.name === 'AbortError'
    // The user canceled, or the network failed: passkeys are offered again when the user returns to the field
    if (!isReplaced) usernameField()?.addEventListener('focus', () => offerInField(offer), { once: true })
  }
}

function usernameField(): Element | null {
  return document.querySelector('input[autocomplete$=webauthn]')
}

function send(offer: Offer, ceremony: string, response: object): void {
  const { form } = offer
  const remembers = document.querySelector('input[name=remember]:checked') !== null
  stop(offer)
  offer.latest = null
  setField(form, 'ceremony', ceremony)
  setField(form, 'response', JSON.stringify(response))
  setField(form, 'remember', remembers ? 'on' : '')
  form.submit()
}

function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.value = value
}

function setBusy(offer: Offer, isBusy: boolean): void {
  offer.isBusy = isBusy
  if (isBusy) offer.button?.setAttribute('aria-busy', 'true')
  else offer.button?.removeAttribute('aria-busy')
}

function showNotice({ notice }: Offer, text: string): void {
  if (notice === null) return
  notice.textContent = text
  notice.hidden = text === ''
}
