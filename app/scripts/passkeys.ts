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

/** A form of a passkey, and its state. */
type FormState = {
  readonly form: HTMLFormElement
  readonly button: HTMLButtonElement | null
  /** The place of a failure, and that of an attempt that ended without one. */
  readonly notice: HTMLElement | null
  readonly status: HTMLElement | null
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
 * Informs credential managers about the passkeys and names of the signed-in user, or about a passkey that was refused because the
 * server does not know it, so that they no longer offer removed passkeys. Some browsers do not have these functions.
 */
function signalPasskeys(json: string | undefined): void {
  if (json === undefined) return
  const { accepted, details, unknown } = JSON.parse(json)
  // A refusal, such as for a passkey without a name, does not concern the user
  const ignore = () => {}
  if (accepted) PublicKeyCredential.signalAllAcceptedCredentials?.(accepted).catch(ignore)
  if (details) PublicKeyCredential.signalCurrentUserDetails?.(details).catch(ignore)
  if (unknown) PublicKeyCredential.signalUnknownCredential?.(unknown).catch(ignore)
}

function show(form: HTMLFormElement): void {
  const place = (selector: string) => form.querySelector<HTMLElement>(selector)
  const places = { notice: place('[role=alert]'), status: place('[aria-live=polite]') }
  const parts = { form, button: form.querySelector('button'), ...places }
  const isInField = form.dataset.autofill !== undefined
  const state: FormState = { ...parts, isInField, latest: null, isBusy: false, timer: undefined }
  const { button } = parts
  form.hidden = false
  button?.addEventListener('click', () => press(state))
  addEventListener('pageshow', event => event.persisted && setBusy(state, false))
  if (isInField) watchField(state)
}

/** Returns a challenge with at least a minute left. */
async function begin(state: FormState): Promise<Begun> {
  if (state.latest !== null && !isOld(state)) return state.latest.begun
  // Tabs ask one after the other, so that they share the cookie that the first of them gets
  const begun: Begun = await navigator.locks.request('passkeys', async () => {
    const answer = await fetch(state.form.dataset.options ?? '', { method: 'POST' })
    if (!answer.ok) throw new Error(answer.statusText)
    return answer.json()
  })
  state.latest = { begun, endsAt: Date.now() + freshMs }
  return begun
}

function isOld({ latest }: FormState): boolean {
  return latest !== null && latest.endsAt <= Date.now()
}

async function press(state: FormState): Promise<void> {
  if (state.isBusy) return
  setBusy(state, true)
  showOutcome(state, null)
  try {
    const { ceremony, options: optionsJSON } = await begin(state)
    const ask = state.form.dataset.passkey === 'create' ? startRegistration : startAuthentication
    send(state, ceremony, await ask({ optionsJSON }))
  } catch (error) {
    setBusy(state, false)
    showOutcome(state, error)
    if (state.isInField) offerInField(state)
  }
}

/**
 * Shows why an attempt ended; `null` removes the sentence. Browsers report a cancellation, too much time and a missing passkey
 * alike, and not as failures.
 */
function showOutcome({ form, notice, status }: FormState, error: unknown): void {
  const { failed = '', canceled = '', known = failed } = form.dataset
  const name = error instanceof Error ? error.name : ''
  const isCanceled = name === 'NotAllowedError' || name === 'AbortError'
  if (status !== null) status.textContent = isCanceled ? canceled : ''
  if (notice === null) return
  const failure = name === 'InvalidStateError' ? known : failed
  notice.textContent = name === '' || isCanceled ? '' : failure
  notice.hidden = notice.textContent === ''
}

/** Offers passkeys in the user name field, as long as the page is shown and no form of it is sent. */
function watchField(state: FormState): void {
  const renew = () => !document.hidden && !state.isBusy && isOld(state) && offerInField(state)
  addEventListener('pagehide', () => stop(state))
  addEventListener('submit', () => stop(state))
  addEventListener('pageshow', event => event.persisted && offerInField(state))
  addEventListener('visibilitychange', renew)
  offerInField(state)
}

function stop({ timer }: FormState): void {
  clearTimeout(timer)
  WebAuthnAbortService.cancelCeremony()
}

async function offerInField(state: FormState): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return
  clearTimeout(state.timer)
  try {
    const { ceremony, options: optionsJSON } = await begin(state)
    if (state.isBusy) return
    state.timer = setTimeout(() => document.hidden || state.isBusy || offerInField(state), freshMs)
    // A new request of the page ends this one
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill: true })
    setBusy(state, true)
    send(state, ceremony, response)
  } catch (error) {
    const isReplaced = error instanceof Error && error.name === 'AbortError'
    // The user canceled, or the network failed: passkeys are offered again when the user returns to the field
    if (!isReplaced) usernameField()?.addEventListener('focus', () => offerInField(state), { once: true })
  }
}

function usernameField(): Element | null {
  return document.querySelector('input[autocomplete$=webauthn]')
}

function send(state: FormState, ceremony: string, response: object): void {
  const { form } = state
  const remembers = document.querySelector('input[name=remember]:checked') !== null
  stop(state)
  state.latest = null
  setField(form, 'ceremony', ceremony)
  setField(form, 'response', JSON.stringify(response))
  setField(form, 'remember', remembers ? 'on' : '')
  form.submit()
}

function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.value = value
}

function setBusy(state: FormState, isBusy: boolean): void {
  state.isBusy = isBusy
  if (isBusy) state.button?.setAttribute('aria-busy', 'true')
  else state.button?.removeAttribute('aria-busy')
}
