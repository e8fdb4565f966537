'use client'
/** A button that selects all boxes of a form, or deselects them if all are selected. It exists only with script. */
import { useHydrated } from '../_ui/use-hydrated.ts'

type SelectAllProps = { readonly form: string; readonly name: string }

export function SelectAll({ form, name }: SelectAllProps) {
  const isHydrated = useHydrated()
  const boxes = () => [
    ...document.querySelectorAll<HTMLInputElement>(`#${form} input[type=checkbox][name=${name}]`),
  ]
  const toggle = () => {
    const isAllSelected = boxes().every(box => box.checked)
    for (const box of boxes()) box.checked = !isAllSelected
  }
  if (!isHydrated) return null
  return (
    <button type="button" className="btn small" onClick={toggle}>
      Select all on this page
    </button>
  )
}
