/** Buttons of the dashboard: forms that must be confirmed, submit buttons, and disabled buttons with the reason. */
import type { ReactNode } from 'react'
import { CancelButton, ConfirmedButton, type ConfirmedButtonProps } from './confirmed-button.tsx'
import { AdminForm, type AdminFormProps, isRejectedFormOf } from './form.tsx'
import { Link } from './link.tsx'

type ConfirmedFormProps = Pick<ConfirmedButtonProps, 'label' | 'thing' | 'consequence' | 'isBrief'> &
  Pick<AdminFormProps, 'page' | 'useCase' | 'hidden' | 'next' | 'back'> & {
    /** The roles that may, if this admin may not; the form is then left out. */
    readonly reasonAgainst: string | null
    /** The label of the button that submits it. */
    readonly verb: string
    /** Nothing is deleted or revoked. */
    readonly isHarmless?: boolean
    /** Fields, such as a name to enter. */
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

type SubmitRowProps = {
  /** The verb and the thing: "Delete this client". */
  readonly label: string
  /** `dangerous` and `small` follow a question, `primary` and `plain` follow fields. */
  readonly look?: keyof typeof looks
  readonly reasonAgainst?: string | null
  /** Next to the button, such as a link back. */
  readonly children?: ReactNode
}

const looks = {
  primary: 'btn primary',
  plain: 'btn',
  small: 'btn small primary',
  dangerous: 'btn small bad',
} as const

export function SubmitRow({ label, look = 'primary', reasonAgainst = null, children }: SubmitRowProps) {
  return (
    <div className="submit-row">
      <button type="submit" className={looks[look]} disabled={reasonAgainst !== null}>
        {label}
      </button>
      {children}
      {reasonAgainst !== null && <span className="small muted">{reasonAgainst}</span>}
    </div>
  )
}

type ActionLinkProps = {
  readonly href: string
  readonly reasonAgainst: string | null
  readonly children: ReactNode
}

/** A link to the next step; a disabled button with the reason for roles that may not. */
export function ActionLink({ href, reasonAgainst, children }: ActionLinkProps) {
  if (reasonAgainst !== null)
    return <RefusedButton label={children} reasonAgainst={reasonAgainst} className="btn" />
  return (
    <Link className="btn primary" href={href}>
      {children}
    </Link>
  )
}
