/** The top of a card: who it is about, what happens here, and one line more. */
import type { ReactNode } from 'react'
import { AppLogo } from './app-logo.tsx'
import { KeyMark } from './key-mark.tsx'

import type { ShownApp } from './shown-app.ts'

type PageHeadProps = {
  readonly app: ShownApp | null
  readonly heading: string
  readonly children?: ReactNode
}

export function PageHead({ app, heading, children }: PageHeadProps) {
  return (
    <header className="head">
      {app === null ? <OwnLogo /> : <AppLogo {...app} />}
      <div>
        <h1>{heading}</h1>
        {children}
      </div>
    </header>
  )
}

function OwnLogo() {
  return (
    <span className="logo own" aria-hidden="true">
      <KeyMark size={26} />
    </span>
  )
}
