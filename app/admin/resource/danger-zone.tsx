/** Disabling and deleting a resource, with the consequences of each. */
import type { ReactNode } from 'react'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { TextField } from '../_ui/fields.tsx'
import { fieldState } from '../_ui/form.tsx'
import { Section } from '../_ui/page-parts.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { type ResourceArea, resourcePath } from './paths.ts'

type DangerZoneProps = {
  readonly page: AdminPage
  readonly area: ResourceArea
  /** "client". */
  readonly thing: string
  readonly id: string
  /** Its id under the name of the field, and its version. */
  readonly hidden: Readonly<Record<string, string | number>>
  readonly name: string
  /** Left out where it is disabled elsewhere. */
  readonly enabling?: { readonly isEnabled: boolean; readonly consequence: string }
  /** `isUsed`: the id must be typed. A sentence: it cannot be deleted. */
  readonly deletion: { readonly consequence: ReactNode; readonly isUsed?: boolean } | string
  /** Between disabling and deleting. */
  readonly children?: ReactNode
}

export function DangerZone(props: DangerZoneProps) {
  const { page, area, thing, id, hidden, name, enabling, deletion, children } = props
  const back = resourcePath(area, id)
  return (
    <Section title="Danger zone" isDangerous>
      {enabling !== undefined && (
        <ConfirmedForm
          page={page}
          useCase={`${area}.set_enabled`}
          hidden={{ ...hidden, enabled: String(!enabling.isEnabled) }}
          back={back}
          label={`${enabling.isEnabled ? 'Disable' : 'Enable'} this ${thing}`}
          reasonAgainst={page.reasonAgainst(`${area}:update`)}
          consequence={enabling.consequence}
          verb={`${enabling.isEnabled ? 'Disable' : 'Enable'} ${name}`}
          isHarmless={!enabling.isEnabled}
        />
      )}
      {children}
      {typeof deletion === 'string' ? (
        <p className="small muted">{deletion}</p>
      ) : (
        <ConfirmedForm
          page={page}
          useCase={`${area}.delete`}
          hidden={hidden}
          back={back}
          next={`/admin/${area}`}
          label={`Delete this ${thing}`}
          reasonAgainst={page.reasonAgainst(`${area}:delete`)}
          consequence={deletion.consequence}
          verb={`Delete ${name} permanently`}
        >
          {deletion.isUsed && (
            <TextField
              {...fieldState(page, `${area}.delete`, { confirm: `Type ${id} to confirm` }).text('confirm')}
              isMono
            />
          )}
        </ConfirmedForm>
      )}
    </Section>
  )
}
