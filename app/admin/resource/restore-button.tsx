/** Brings one version back, for those who may. */
import type { Permission } from '#lib/admin/access/permissions.ts'
import { fieldState } from '../_ui/draft-values.ts'
import { TextField } from '../_ui/fields.tsx'
import { AdminForm } from '../_ui/form.tsx'
import type { AdminPage } from '../admin-page.ts'

export type Restoring = {
  readonly useCase: string
  readonly permission: Permission
  readonly hidden: Readonly<Record<string, string | number>>
  /** What was deleted had a secret, which is gone: it is asked for again. */
  readonly asksSecret?: boolean
  /** Where it stands afterwards; the same page unless given. */
  readonly next?: string
}

type RestoreButtonProps = {
  readonly page: AdminPage
  readonly restore: Restoring
  readonly seq: number
  readonly label: string
}

export function RestoreButton({ page, restore, seq, label }: RestoreButtonProps) {
  const { useCase, permission, asksSecret = false, next } = restore
  if (page.reasonAgainst(permission) !== null) return null
  const hidden = { ...restore.hidden, seq }
  const field = fieldState(page, useCase)
  return (
    <AdminForm page={page} useCase={useCase} hidden={hidden} {...(next === undefined ? {} : { next })}>
      {asksSecret && (
        <TextField
          name="client_secret"
          label="Client secret"
          help="It was deleted, too. Empty, if the provider gave none."
          type="password"
          value=""
          error={field.error('client_secret')}
        />
      )}
      <button type="submit" className="btn small">
        {label}
      </button>
    </AdminForm>
  )
}
