'use client'
/** A field that reads a file into a text area of its form. It exists only with script; without it, the text is pasted. */
import { type ChangeEvent, useId } from 'react'
import { useHydrated } from '../../../_ui/use-hydrated.ts'

export function CsvFile({ field }: { readonly field: string }) {
  const id = useId()
  const isHydrated = useHydrated()
  const read = async ({ currentTarget: { files, form } }: ChangeEvent<HTMLInputElement>) => {
    const text = await files?.[0]?.text()
    const target = form?.elements.namedItem(field)
    if (text !== undefined && target instanceof HTMLTextAreaElement) target.value = text
  }
  if (!isHydrated) return null
  return (
    <div className="field">
      <label htmlFor={id}>Or choose a file</label>
      <input id={id} className="input small" type="file" accept=".csv,text/csv,text/plain" onChange={read} />
    </div>
  )
}
