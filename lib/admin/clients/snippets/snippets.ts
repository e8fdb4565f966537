/** Code for common frameworks with the values of a client; in place of the secret it names a variable. */
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

/** Those for the kind of client, the most common first. */
export function snippetsFor(values: SnippetValues): readonly Snippet[] {
  return makers
    .filter(({ kinds }) => kinds.includes(values.kind))
    .map(({ id, title, make }) => ({ id, title, ...make(values) }))
}
