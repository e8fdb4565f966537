/** Text without spaces, broken where a line may end. */
import { Fragment } from 'react'

/**
 * An email address, or a user name that resembles one. A line that is too short breaks it before "@" or ".", not within a word.
 */
export function AddressText({ text }: { readonly text: string }) {
  const parts = text.split(/(?=[@.])/)
  return parts.map((part, index) => (
    <Fragment key={parts.slice(0, index + 1).join('')}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
