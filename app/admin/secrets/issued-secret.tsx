/** The secret that was just made, this once. */
import { issuedSecretSchema } from '#lib/admin/secrets/new-secret.ts'
import { SecretOnce } from '../_ui/secret-once.tsx'
import type { AdminPage } from '../admin-page.ts'

type IssuedSecretProps = {
  readonly page: AdminPage
  /** Before the advice to copy it. */
  readonly purpose?: string
}

export function IssuedSecret({ page, purpose }: IssuedSecretProps) {
  const issued = issuedSecretSchema.safeParse(page.answer?.value)
  if (!issued.success) return null
  const { name, secret } = issued.data
  const advice = 'Copy it now: only its hash is kept, so nobody can show it again.'
  return (
    <SecretOnce
      title={name === null ? 'New secret' : `New secret: ${name}`}
      secret={secret}
      hint={purpose === undefined ? advice : `${purpose} ${advice}`}
    />
  )
}
