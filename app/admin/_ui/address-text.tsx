import { Fragment } from 'react'

/** Shows an email address, or a user name that resembles one. Lines can break before "@" and ".". */
export function AddressText({ text }: { readonly text: string }) {
  const parts = text.split(/(?=[@.])/)
  return parts.map((part, index) => (
    <Fragment key={parts.slice(0, index + 1).join('')}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
