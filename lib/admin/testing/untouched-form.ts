/** The fields of a form that an admin saves without a change, as a browser sends them. */
import type { SettingForm } from '../setting-form.ts'

type Fields = Record<string, string[]>

/** `document`: with its defaults. Ticked boxes come in the order of the page. */
export function untouchedFields(form: SettingForm, document: Readonly<Record<string, unknown>>): Fields {
  const texts = form.textsOf(document)
  const settings = form.groups.flatMap(group => group.settings)
  return Object.fromEntries(
    settings.map(({ field, input }) => {
      const stored = [...(texts[field] ?? [])]
      if (input.kind === 'check') return [field, stored[0] === 'true' ? ['false', 'true'] : ['false']]
      if (input.kind === 'boxes' || input.kind === 'choices') return [field, ['', ...stored.toSorted()]]
      return [field, stored.map(text => text.replaceAll('\n', '\r\n'))]
    }),
  )
}
