/** Buttons that open a form to confirm an action, links to a next step, and disabled buttons with their reason. */
import type { ReactNode } from 'react'
import { CancelButton, ConfirmedButton, type ConfirmedButtonProps } from './confirmed-button.tsx'
import { AdminForm, type AdminFormProps, isRejectedFormOf } from './form.tsx'
import { Link } from './link.tsx'
import { SubmitRow } from './post-form.tsx'

type ConfirmedFormProps = Pick<ConfirmedButtonProps, 'label' | 'thing' | 'consequence' | 'isBrief'> &
  Pick<AdminFormProps, 'page' | 'useCase' | 'hidden' | 'next' | 'back'> & {
    /** The reason why this admin may not perform the action although the role allows it. */
    readonly reasonAgainst?: string | null
    /** The label of the submit button. */
    readonly verb: string
    /** Whether the action deletes and revokes nothing. */
    readonly isHarmless?: boolean
    /** Fields of the form, such as a name to enter. */
    readonly children?: ReactNode
  }

export function ConfirmedForm({
  label,
  thing,
  consequence,
  reasonAgainst = null,
  isBrief = false,
  verb,
  isHarmless = false,
  children,
  ...form
}: ConfirmedFormProps) {
  const reason = form.page.reasonAgainst(form.useCase.permission) ?? reasonAgainst
  if (reason !== null) return <RefusedButton label={label} reasonAgainst={reason} />
  return (
    <ConfirmedButton
      label={label}
      thing={thing}
      consequence={consequence}
      isBrief={isBrief}
      isHarmless={isHarmless}
      isOpen={isRejectedFormOf(form.page, form.useCase, form.hidden)}
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

type RefusedButtonProps = {
  readonly label: ReactNode
  readonly reasonAgainst: string
  readonly className?: string
}

function RefusedButton({ label, reasonAgainst, className = 'btn small' }: RefusedButtonProps) {
  return (
    <span className="refused-button">
      <button type="button" className={className} disabled>
        {label}
      </button>
      <span className="small muted">{reasonAgainst}</span>
    </span>
  )
}

type ActionLinkProps = {
  readonly href: string
  readonly reasonAgainst: string | null
  readonly children: ReactNode
}

/** A link to the next step, or for roles that may not go there a disabled button with the reason. */
export function ActionLink({ href, reasonAgainst, children }: ActionLinkProps) {
  if (reasonAgainst !== null)
    return <RefusedButton label={children} reasonAgainst={reasonAgainst} className="btn" />
  return (
    <Link className="btn primary" href={href}>
      {children}
    </Link>
  )
}
