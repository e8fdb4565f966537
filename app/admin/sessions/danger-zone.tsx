/** Ending everything at once: of the person or the app that is shown, and of everybody. Each says what would end. */
import { countedText } from '#lib/admin/counted-text.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { fieldState } from '../_ui/draft-values.ts'
import { TextField } from '../_ui/fields.tsx'
import { Section } from '../_ui/section.tsx'
import type { AdminPage } from '../admin-page.ts'
import { restrictClientToOwners, restrictUserToOwners } from '../restrict-to-owners.ts'
import type { Asked, Named } from './asked.ts'
import type { Endings, Usage } from './endings.ts'

type DangerZoneProps = { readonly page: AdminPage; readonly asked: Asked; readonly endings: Endings }

export function DangerZone({ page, asked: { person, app }, endings }: DangerZoneProps) {
  const { ofPerson, ofApp, ofEverybody, ofShown } = endings
  return (
    <Section title="Danger zone" isDangerous>
      {person?.isKnown && app?.isKnown && <OfBoth page={page} person={person} app={app} usage={ofShown} />}
      {person !== null && ofPerson !== null && <OfPerson page={page} person={person} usage={ofPerson} />}
      {app !== null && ofApp !== null && <OfApp page={page} app={app} usage={ofApp} />}
      <OfEverybody page={page} usage={ofEverybody} />
    </Section>
  )
}

type OfProps = { readonly page: AdminPage; readonly usage: Usage }

async function OfBoth({
  page: opened,
  person,
  app,
  usage,
}: OfProps & { readonly person: Named; readonly app: Named }) {
  const page = await restrictUserToOwners(opened, person.id)
  return (
    <ConfirmedForm
      page={page}
      useCase="grants.remove_consent"
      hidden={{ sub: person.id, client_id: app.id }}
      label={`Shut ${app.name} out for ${person.name}`}
      reasonAgainst={page.reasonAgainst('grants:revoke')}
      consequence={`Ends ${grantsOf(usage)} of ${app.name} for ${person.name} and forgets ${countedText(usage.consents, 'consent', 'consents')}. The app has to ask again.`}
      verb={`Revoke what ${app.name} holds for ${person.name}`}
    />
  )
}

async function OfPerson({ page: opened, person, usage }: OfProps & { readonly person: Named }) {
  const page = await restrictUserToOwners(opened, person.id)
  return (
    <ConfirmedForm
      page={page}
      useCase="grants.end_sessions_of_user"
      hidden={{ sub: person.id }}
      label={`Sign ${person.name} out everywhere`}
      reasonAgainst={page.reasonAgainst('grants:revoke')}
      consequence={`Ends ${countedText(usage.sessions, 'session', 'sessions')} and ${grantsOf(usage)} with every token of ${person.name}, in every app. Consents stay.`}
      verb={`Revoke everything of ${person.name}`}
    />
  )
}

async function OfApp({ page: opened, app, usage }: OfProps & { readonly app: Named }) {
  const stored = await opened.ports.adminLists.client(clientIdSchema.parse(app.id))
  const page =
    stored === null
      ? opened
      : await restrictClientToOwners(opened, { client_id: app.id, metadata: stored.metadata })
  return (
    <ConfirmedForm
      page={page}
      useCase="grants.revoke_client"
      hidden={{ client_id: app.id }}
      label={`Revoke all tokens of ${app.name}`}
      reasonAgainst={page.reasonAgainst('grants:revoke_client')}
      consequence={`Ends ${grantsOf(usage)} of ${peopleOf(usage)}, and the tokens that ${app.name} got for itself. Consents stay.`}
      verb={`Revoke everything of ${app.name}`}
    />
  )
}

function OfEverybody({ page, usage }: OfProps) {
  const { value, error } = fieldState(page, 'grants.revoke_everything')
  return (
    <ConfirmedForm
      page={page}
      useCase="grants.revoke_everything"
      label="Sign everybody out"
      reasonAgainst={page.reasonAgainst('grants:revoke_all')}
      consequence={`Ends ${countedText(usage.sessions, 'session', 'sessions')} and ${grantsOf(usage)} of ${peopleOf(usage)}, yours included. For a breach.`}
      verb="Sign everybody out of everything"
    >
      <TextField
        name="confirm"
        label='Type "everybody" to confirm'
        value={value('confirm', '')}
        error={error('confirm')}
      />
    </ConfirmedForm>
  )
}

function grantsOf({ grants }: Usage): string {
  return countedText(grants, 'grant', 'grants')
}

function peopleOf({ people }: Usage): string {
  return countedText(people, 'person', 'people')
}
