/** The optional functions of a user service, and what its users cannot do without each. */
import type { UserService } from '#lib/ports/users.ts'

type Optional = {
  [Name in keyof UserService]-?: undefined extends UserService[Name] ? Name : never
}[keyof UserService]

/** `passwordStamp` has no page. */
type Named = Exclude<Optional, 'passwordStamp'>

// The type refuses a list without a function that is added later
const consequences: Readonly<Record<Named, string>> = {
  mailbox: 'its users get no mails, neither about changed factors nor to choose a new password.',
  links: 'its users link no accounts at identity providers to theirs.',
  recovery: 'no page lets users replace a forgotten password.',
  registration: 'users cannot create accounts, whatever the policies say.',
  emailChange: 'its users cannot change their email address here.',
  ownProfile: 'its users cannot change their profile here.',
  deletion: 'its users cannot delete their account here, whatever the policies say.',
  restoreAccount: '“This wasn’t me” restores neither the address nor the password of its users.',
  authenticateSubject: 'its completePartial decides about sign-ins with a passkey.',
}

export type MissingFunction = { readonly name: string; readonly consequence: string }

/** Lists the functions that the user service does not have. */
export function missingFunctions(service: Pick<UserService, Named>): readonly MissingFunction[] {
  return Object.entries(consequences)
    .filter(([name]) => Reflect.get(service, name) === undefined)
    .map(([name, consequence]) => ({ name, consequence }))
}
