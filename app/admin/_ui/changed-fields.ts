/** Which fields of a form differ from what the page came with. */

export type ChangedField = { readonly name: string; readonly label: string }

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const named = 3

/** Also marks them. Several controls of one name are one field. */
export function changedFields(form: HTMLFormElement): readonly ChangedField[] {
  const changed = new Map<string, ChangedField>()
  for (const control of form.elements) {
    if (!isControl(control) || control.name === '') continue
    const isChanged = differs(control)
    control.closest('.field')?.toggleAttribute('data-changed', isChanged)
    if (isChanged && !changed.has(control.name))
      changed.set(control.name, { name: control.name, label: labelOf(control) })
  }
  return [...changed.values()]
}

/** “2 changes not saved: Name, Redirect URIs”; empty when there are none. */
export function sentenceAbout(changed: readonly ChangedField[]): string {
  if (changed.length === 0) return ''
  const labels = changed.slice(0, named).map(({ label }) => label)
  const more = changed.length - labels.length
  const count = changed.length === 1 ? '1 change' : `${changed.length} changes`
  return `${count} not saved: ${labels.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function isControl(element: Element): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  )
}

function differs(control: Control): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some(option => option.selected !== isChosenAtFirst(option, control))
  if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio'))
    return control.checked !== control.defaultChecked
  // React keeps the line ends of a returned form; the browser has its own
  return control.type !== 'hidden' && control.value !== control.defaultValue.replaceAll('\r\n', '\n')
}

/** A select without a chosen option shows its first one. */
function isChosenAtFirst(option: HTMLOptionElement, { options, multiple }: HTMLSelectElement): boolean {
  const isAnyChosen = [...options].some(({ defaultSelected }) => defaultSelected)
  return isAnyChosen || multiple ? option.defaultSelected : option === options[0]
}

/** The first words of its label, which help may follow; one of several choices goes by what they are about. */
function labelOf(control: Control): string {
  const label = isOneOfSeveral(control)
    ? control.closest('fieldset')?.querySelector('legend')
    : control.labels?.[0]
  const texts = document.createTreeWalker(label ?? control, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const words = text.textContent?.trim() ?? ''
    if (words !== '') return words
  }
  return control.getAttribute('aria-label') ?? control.name.replaceAll('_', ' ')
}

function isOneOfSeveral({ type, value }: Control): boolean {
  return type === 'radio' || (type === 'checkbox' && value !== 'true')
}
