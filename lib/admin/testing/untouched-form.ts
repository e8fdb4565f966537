/** The fields that a browser posts when an admin saves a form without a change. */
import type { SettingForm } from '../setting-form.ts'

type Fields = Record<string, string[]>

/** The posted fields for a document with its defaults. Ticked boxes are sorted by their values. */
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
