/** Replacing a secret. It breaks nothing while both are good, so it is not asked twice. */
import { isDraftOf } from '../_ui/draft-values.ts'
import { AdminForm } from '../_ui/form.tsx'
import type { AdminPage } from '../admin-page.ts'

type RotationProps = {
  readonly page: AdminPage
  readonly useCase: string
  readonly hidden: Readonly<Record<string, string>>
}

const overlaps = [
  ['1', '1 hour'],
  ['24', '1 day'],
  ['168', '1 week'],
  ['0', 'no time: end the old one now'],
] as const

export function Rotation({ page, useCase, hidden }: RotationProps) {
  const typed = isDraftOf(page, useCase, hidden) ? page.draft?.fields.overlap_hours?.at(-1) : undefined
  return (
    <AdminForm page={page} useCase={useCase} hidden={hidden} isInline>
      <label className="small">
        Both are good for{' '}
        <select className="input small" name="overlap_hours" defaultValue={typed ?? '24'}>
          {overlaps.map(([hours, text]) => (
            <option key={hours} value={hours}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="btn small">
        Rotate secret
      </button>
    </AdminForm>
  )
}
