/** The field for the address of an application, which fills in its settings. */
import type { Application } from '#lib/protocol/registration/applications/application.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { TextField } from '../../_ui/fields.tsx'
import { Link } from '../../_ui/link.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import { newClientPath } from './choose-client.tsx'

type AskAddressProps = {
  readonly application: Application
  readonly example: string
  readonly typed: string
  /** The end of a sentence that refuses the typed address. */
  readonly problem: string | null
}

export function AskAddress({ application: { id, name }, example, typed, problem }: AskAddressProps) {
  return (
    <Section title={`Where does ${name} run?`} description="Nothing is stored until the last step.">
      <form className="form" method="get" action={browserAddress(newClientPath)}>
        <input type="hidden" name="application" value={id} />
        <TextField
          name="address"
          label={`Address of ${name}`}
          help={`As users open it, such as ${example}, with its path if it runs below one.`}
          value={typed}
          error={problem === null ? null : `It ${problem}.`}
          isRequired
          isMono
        />
        <SubmitRow label="Fill in the settings">
          <Link className="btn" href={newClientPath}>
            Back
          </Link>
        </SubmitRow>
      </form>
    </Section>
  )
}
