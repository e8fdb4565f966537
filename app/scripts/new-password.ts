/** Shows while the user types a new password which of its rules are met. The server checks them, and more, when the form is sent. */
import { isMadeOfNames, lengthOfPassword, repeatsCharacters } from '#lib/protocol/text/password-words.ts'

/** The pause after the last key before the open rules are announced. */
const announceAfterMs = 800

for (const guide of document.querySelectorAll<HTMLElement>('[data-guides]')) watch(guide)

function watch(guide: HTMLElement): void {
  const password = inputIn(document.getElementById(guide.dataset.guides ?? ''))
  const again = inputIn(document.querySelector('#again'))
  const form = password?.form ?? null
  if (password === null || again === null || form === null) return
  const minimum = Number(guide.dataset.minimum)
  let timer: ReturnType<typeof setTimeout> | undefined
  const update = () => {
    const met = rulesMet(password.value, { again: again.value, names: namesIn(form), minimum })
    for (const item of rulesIn(guide)) item.toggleAttribute('data-met', met[item.dataset.rule ?? ''] === true)
    clearTimeout(timer)
    timer = setTimeout(announce, announceAfterMs, guide)
  }
  form.addEventListener('input', update)
}

/** The names of the user in the form, which the password must not consist of. */
function namesIn(form: HTMLFormElement): readonly string[] {
  const fields = form.querySelectorAll<HTMLInputElement>('[autocomplete$=name], [autocomplete=email]')
  return [...fields].map(field => field.value)
}

type Typed = { readonly again: string; readonly names: readonly string[]; readonly minimum: number }

function rulesMet(typed: string, { again, names, minimum }: Typed): Readonly<Record<string, boolean>> {
  const isOwn = !repeatsCharacters(typed) && !isMadeOfNames(typed, names)
  return {
    length: lengthOfPassword(typed) >= minimum,
    own: typed !== '' && isOwn,
    again: typed !== '' && typed === again,
  }
}

/** Writes the open rules into the live region, for screen readers. */
function announce(guide: HTMLElement): void {
  const region = guide.querySelector<HTMLElement>('[aria-live]')
  if (region === null) return
  const open = rulesIn(guide).filter(item => !item.hasAttribute('data-met'))
  const { open: label = '', met = '' } = region.dataset
  region.textContent = open.length === 0 ? met : `${label} ${open.map(item => item.textContent).join('; ')}`
}

function rulesIn(guide: HTMLElement): readonly HTMLElement[] {
  return [...guide.querySelectorAll<HTMLElement>('[data-rule]')]
}

function inputIn(element: Element | null): HTMLInputElement | null {
  return element instanceof HTMLInputElement ? element : null
}
