/** A form with consequences: its button says first what would happen. When it comes back, it is there to be seen. */
import type { ReactNode } from 'react'
import { CancelButton, ConfirmedButton, type ConfirmedButtonProps } from './confirmed-button.tsx'
import { isDraftOf } from './draft-values.ts'
import { AdminForm, type AdminFormProps } from './form.tsx'
import { SubmitRow } from './submit-row.tsx'

type ConfirmedFormProps = Pick<ConfirmedButtonProps, 'label' | 'thing' | 'consequence' | 'isBrief'> &
  Pick<AdminFormProps, 'page' | 'useCase' | 'hidden' | 'next' | 'back'> & {
    /** Which roles may, when this admin may not; the form then stays on the server. */
    readonly reasonAgainst: string | null
    /** On the button that does it. */
    readonly verb: string
    /** It takes nothing away. */
    readonly isHarmless?: boolean
    /** Fields, such as a name to type. */
    readonly children?: ReactNode
  }

export function ConfirmedForm({
  label,
  thing,
  consequence,
  reasonAgainst,
  isBrief = false,
  verb,
  isHarmless = false,
  children,
  ...form
}: ConfirmedFormProps) {
  if (reasonAgainst !== null) return <RefusedButton label={label} reasonAgainst={reasonAgainst} />
  return (
    <ConfirmedButton
      label={label}
      thing={thing}
      consequence={consequence}
      isBrief={isBrief}
      isHarmless={isHarmless}
      isOpen={isDraftOf(form.page, form.useCase, form.hidden)}
    >
      <AdminForm {...form}>
        {children}
        <SubmitRow label={verb} look={isHarmless ? 'small' : 'dangerous'}>
          <CancelButton />
        </SubmitRow>
      </AdminForm>
    </ConfirmedButton>
  )
}

function RefusedButton({ label, reasonAgainst }: { readonly label: string; readonly reasonAgainst: string }) {
  return (
    <span className="refused-button">
      <button type="button" className="btn small" disabled>
        {label}
      </button>
      <span className="small muted">{reasonAgainst}</span>
    </span>
  )
}
