/** Short facts in a row. The dot belongs to the fact before it, so that no line begins with one. */
import { Children, Fragment, type ReactNode } from 'react'

type PartsProps = { readonly look: string; readonly children: ReactNode }

export function Parts({ look, children }: PartsProps) {
  return (
    <p className={`parts ${look}`}>
      {Children.toArray(children).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the row never changes
        <Fragment key={index}>
          <span>{part}</span>{' '}
        </Fragment>
      ))}
    </p>
  )
}
