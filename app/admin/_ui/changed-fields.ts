/** The changed fields of a form: their marks, and the sentence that names them. */

export type ChangedField = { readonly name: string; readonly label: string }

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const named = 3

/**
 * Finds the changed fields, and marks each `.field` in which a control is changed. Controls that share a name are one
 * field.
 */
export function changedFields(form: HTMLFormElement): readonly ChangedField[] {
  const changed = new Map<string, ChangedField>()
  const marks = new Map<Element, boolean>()
  for (const control of form.elements) {
    if (!isControl(control) || control.name === '') continue
    const isChanged = differs(control)
    const field = control.closest('.field')
    if (field !== null) marks.set(field, isChanged || marks.get(field) === true)
    if (isChanged && !changed.has(control.name))
      changed.set(control.name, { name: control.name, label: labelOf(control) })
  }
  for (const [field, isChanged] of marks) field.toggleAttribute('data-changed', isChanged)
  return [...changed.values()]
}

/** A sentence such as “2 changes not saved: Name, Redirect URIs”; empty without changes. */
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
  // React keeps the line ends of a returned form, and the browser changes them
  return control.type !== 'hidden' && control.value !== control.defaultValue.replaceAll('\r\n', '\n')
}

/** Whether the option is selected when the page loads. A select without a selected option shows its first one. */
function isChosenAtFirst(option: HTMLOptionElement, { options, multiple }: HTMLSelectElement): boolean {
  const isAnyChosen = [...options].some(({ defaultSelected }) => defaultSelected)
  return isAnyChosen || multiple ? option.defaultSelected : option === options[0]
}

/** The first words of the control's label, else its `aria-label` or name. For one of several choices: those of the legend. */
function labelOf(control: Control): string {
  const label = isOneOfSeveral(control)
    ? control.closest('fieldset')?.querySelector('legend')
    : control.labels?.[0]
  return firstWords(label) ?? control.getAttribute('aria-label') ?? control.name.replaceAll('_', ' ')
}

function firstWords(element: Element | null | undefined): string | null {
  if (element == null) return null
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const words = text.textContent?.trim() ?? ''
    if (words !== '') return words
  }
  return null
}

function isOneOfSeveral({ type, value }: Control): boolean {
  return type === 'radio' || (type === 'checkbox' && value !== 'true')
}
