/** Forms with a save bar say what is not saved yet, keep people from losing it, and are saved by Ctrl-S. */
import { type Changed, changedFields, sentenceAbout } from './changed-fields.ts'

type Watched = { readonly form: HTMLFormElement; readonly save: HTMLButtonElement }

/** Called once. Nothing is watched on a page without such a form. */
export function watchForms(): void {
  const watched = [...document.querySelectorAll<HTMLElement>('[data-save-bar]')].flatMap(
    bar => watch(bar) ?? [],
  )
  if (watched.length === 0) return
  document.addEventListener('keydown', event => saveByKey(event, watched))
}

function watch(bar: HTMLElement): Watched | null {
  const form = bar.closest('form')
  const save = bar.querySelector<HTMLButtonElement>('[type="submit"]')
  const text = bar.querySelector<HTMLElement>('[data-unsaved]')
  const discard = bar.querySelector<HTMLButtonElement>('[data-discards]')
  if (form === null || save === null || save.disabled || text === null || discard === null) return null
  const look = () => {
    const changed = changedFields(form)
    const isUnsaved = changed.length > 0 || isReturned(form)
    show({ text, discard }, isReturned(form) && changed.length === 0 ? null : changed, isUnsaved)
    guardLeaving(isUnsaved)
  }
  form.addEventListener('input', look)
  // A reset puts the fields back after its event
  form.addEventListener('reset', () =>
    setTimeout(() => form.dispatchEvent(new Event('input', { bubbles: true }))),
  )
  form.addEventListener('submit', () => guardLeaving(false))
  discard.addEventListener('click', () => startOver(form))
  addEventListener('pageshow', look)
  look()
  return { form, save }
}

/** `changed: null`: it came back from the server as it was sent, and nothing was touched since. */
function show(
  { text, discard }: { readonly text: HTMLElement; readonly discard: HTMLButtonElement },
  changed: readonly Changed[] | null,
  isUnsaved: boolean,
): void {
  const sentence = changed === null ? 'Not saved yet' : sentenceAbout(changed)
  if (text.textContent !== sentence) text.textContent = sentence
  discard.hidden = !isUnsaved
}

/** A form with rejected input holds what was typed as if it were stored. */
function isReturned(form: HTMLFormElement): boolean {
  return form.hasAttribute('data-returned')
}

function startOver(form: HTMLFormElement): void {
  guardLeaving(false)
  const back = form.querySelector<HTMLInputElement>('input[name="_back"]')?.value
  if (isReturned(form) && back !== undefined) location.assign(back)
  else form.reset()
}

function saveByKey(event: KeyboardEvent, watched: readonly Watched[]): void {
  if (event.key.toLowerCase() !== 's' || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey))
    return
  event.preventDefault()
  const { activeElement } = document
  const meant = watched.find(({ form }) => form.contains(activeElement)) ?? watched[0]
  meant?.form.requestSubmit(meant.save)
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** NOTE: a page with such a listener is not kept for the way back, so it is there only while it is needed. */
function guardLeaving(isUnsaved: boolean): void {
  if (isUnsaved) addEventListener('beforeunload', askBeforeLeaving)
  else removeEventListener('beforeunload', askBeforeLeaving)
}
