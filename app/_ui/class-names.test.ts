import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const styles = new URL('../styles/', import.meta.url)

/** The classes with which the rules of a style sheet begin, such as `.checks {`. */
function classesOf(name: string): readonly string[] {
  const css = readFileSync(new URL(name, styles), 'utf8')
  return [...css.matchAll(/^\.([\w-]+)(?=,| \{)/gm)].map(([, name = '']) => name)
}

test('the rules of two style sheets never begin with the same class', () => {
  const filesOf = new Map<string, Set<string>>()
  for (const file of readdirSync(styles))
    for (const name of classesOf(file)) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file))
  const shared = [...filesOf].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])
  assert.ok(filesOf.size > 100)
  assert.deepEqual(shared, [])
})
