/** Text without spaces, and where a line may break it. */
import { Fragment } from 'react'

/** An email address, or a user name like one: a line that is too short for it is broken before "@" or ".", not in a word. */
export function AddressText({ text }: { readonly text: string }) {
  const parts = text.split(/(?=[@.])/)
  return parts.map((part, index) => (
    <Fragment key={parts.slice(0, index + 1).join('')}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
