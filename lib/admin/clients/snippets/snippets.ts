/** The code snippets for common frameworks with the values of a client, but without its secret. */
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

/** The snippets for this kind of client, with these values. */
export function snippetsFor(values: SnippetValues): readonly Snippet[] {
  return makers
    .filter(({ kinds }) => kinds.includes(values.kind))
    .map(({ id, title, make }) => ({ id, title, ...make(values) }))
}
