/** The theme changes where one stands; the server remembers it. */

/** Before the form's own listeners, which would take it for sent. */
export function switchThemeAtOnce(): void {
  document.addEventListener('submit', take, true)
}

function take(event: SubmitEvent): void {
  const { target: form, submitter: button } = event
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute('data-themes')) return
  if (!(button instanceof HTMLButtonElement)) return
  event.preventDefault()
  event.stopPropagation()
  showTheme(button.value)
}

/** Shows a theme and has it remembered; `system` leaves it to the device. */
export function showTheme(theme: string): void {
  const form = document.querySelector<HTMLFormElement>('form[data-themes]')
  if (form === null) return
  if (theme === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.setAttribute('data-theme', theme)
  for (const button of form.querySelectorAll('button'))
    button.setAttribute('aria-pressed', String(button.value === theme))
  // Forgotten by the next page if it fails: nothing to tell anybody
  void fetch(form.action, { method: 'POST', body: new URLSearchParams({ theme }), redirect: 'manual' }).catch(
    () => null,
  )
}
