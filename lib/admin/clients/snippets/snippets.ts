/** Copy-paste set-up for a client, filled with its own values. A secret is never filled in: it is named. */
import { express, implicitApp, reactSpa } from './javascript.ts'
import { nextAuth, nextPlain } from './nextjs.ts'
import { aspNet, python, spring } from './other-languages.ts'
import { curl, go } from './shell-and-go.ts'
import type { Snippet, SnippetMaker, SnippetValues } from './snippet.ts'

const makers: readonly SnippetMaker[] = [
  nextPlain,
  nextAuth,
  reactSpa,
  implicitApp,
  express,
  aspNet,
  spring,
  python,
  go,
  curl,
]

/** Those that make sense for the kind of client, the most wanted first. */
export function snippetsFor(values: SnippetValues): readonly Snippet[] {
  return makers
    .filter(({ kinds }) => kinds.includes(values.kind))
    .map(({ id, title, make }) => ({ id, title, ...make(values) }))
}
