/** Ends one thing that is held: it says whose and what goes with it before it does. */
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import type { AdminPage } from '../admin-page.ts'
import { restrictUserToOwners } from '../restrict-to-owners.ts'

type EndButtonProps = {
  readonly page: AdminPage
  /** Whose it is. */
  readonly subject: string
  readonly useCase: string
  readonly hidden: Readonly<Record<string, string>>
  readonly verb: string
  /** What the row is about: the verb alone stands in it. */
  readonly thing: string
  readonly consequence: string
}

/** AD-03: what an administrator holds is ended by owners alone. */
export async function EndButton({
  page,
  subject,
  useCase,
  hidden,
  verb,
  thing,
  consequence,
}: EndButtonProps) {
  if (page.reasonAgainst('grants:revoke') !== null) return <span className="faint">–</span>
  const { reasonAgainst } = await restrictUserToOwners(page, subject)
  if (reasonAgainst('grants:revoke') !== null)
    return <span className="small muted whitespace-nowrap">Owners only</span>
  return (
    <ConfirmedForm
      page={page}
      useCase={useCase}
      hidden={hidden}
      label={verb}
      thing={thing}
      consequence={consequence}
      reasonAgainst={null}
      verb={`${verb} ${thing}`}
      isBrief
    />
  )
}
