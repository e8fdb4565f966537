/** Texts with code in them. */
import type { ReactNode } from 'react'

/** A text in which words between backticks are code. */
export function WithCode({ text }: { readonly text: string }): ReactNode {
  const [plain, code, ...rest] = text.split('`')
  if (code === undefined) return plain
  return (
    <>
      {plain}
      <code className="mono">{code}</code>
      <WithCode text={rest.join('`')} />
    </>
  )
}
