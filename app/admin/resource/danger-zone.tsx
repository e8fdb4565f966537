/** The section that disables or enables a resource, and deletes it, with the consequences of each. */
import type { ReactNode } from 'react'
import { type ResourceArea, resourcePath } from '#lib/admin/page-paths.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { TextField } from '../_ui/fields.tsx'
import { type FormUseCase, fieldState } from '../_ui/form.tsx'
import { Section } from '../_ui/page-parts.tsx'
import type { AdminPage } from '../admin-page.tsx'

type DangerZoneProps = {
  readonly page: AdminPage
  readonly area: ResourceArea
  readonly id: string
  /** Hidden fields with the ID and the version. */
  readonly hidden: Readonly<Record<string, string | number>>
  readonly name: string
  /** The button that enables or disables the resource; left out if another section has it. */
  readonly enabling?: {
    readonly useCase: FormUseCase
    readonly isEnabled: boolean
    readonly consequence: string
  }
  /** The button that deletes the resource, or a sentence why that is not possible. `isUsed`: the ID must be typed to confirm. */
  readonly deletion:
    | { readonly useCase: FormUseCase; readonly consequence: ReactNode; readonly isUsed?: boolean }
    | string
  /** Elements between the two buttons. */
  readonly children?: ReactNode
}

const things = {
  clients: 'client',
  users: 'user',
  scopes: 'scope',
  providers: 'provider',
} as const satisfies Record<ResourceArea, string>

export function DangerZone(props: DangerZoneProps) {
  const { page, area, id, hidden, name, enabling, deletion, children } = props
  const back = resourcePath(area, id)
  const thing = things[area]
  return (
    <Section title="Danger zone" isDangerous>
      {enabling !== undefined && (
        <ConfirmedForm
          page={page}
          useCase={enabling.useCase}
          hidden={{ ...hidden, enabled: String(!enabling.isEnabled) }}
          back={back}
          label={`${enabling.isEnabled ? 'Disable' : 'Enable'} this ${thing}`}
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
          useCase={deletion.useCase}
          hidden={hidden}
          back={back}
          next={`/admin/${area}`}
          label={`Delete this ${thing}`}
          consequence={deletion.consequence}
          verb={`Delete ${name} permanently`}
        >
          {deletion.isUsed && (
            <TextField
              {...fieldState(page, deletion.useCase, { confirm: `Type ${id} to confirm` }).text('confirm')}
              isMono
            />
          )}
        </ConfirmedForm>
      )}
    </Section>
  )
}
