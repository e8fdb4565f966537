/** For somebody who has an account and is signed in with it: nothing to type. */
import { SubmitButton } from '#app/_ui/submit-button.tsx'
import { displayName } from '#lib/protocol/text/display-text.ts'

type ContinueAsProps = { readonly token: string; readonly name: string; readonly subject: string }

export function ContinueAs({ token, name, subject }: ContinueAsProps) {
  return (
    <form className="form" method="post" action="/admin/setup/submit">
      <input type="hidden" name="token" value={token} />
      <SubmitButton
        name="as"
        value="current"
        label={`Continue as ${displayName(name, subject)}`}
        busy="Setting up…"
      />
    </form>
  )
}
