/** Finds the use case that answers a request to the API, and the values that its path contains. */

import { nameInApiSegment } from '../page-paths.ts'
import type { ApiRoute, UseCase } from '../use-case.ts'
import { useCases } from '../use-cases.ts'

export type ServedUseCase = UseCase & { readonly api: ApiRoute }

export const servedUseCases: readonly ServedUseCase[] = useCases.filter(isServed)

export type Matched = {
  readonly useCase: ServedUseCase
  /** The values in the path, by their names in the route. */
  readonly named: Readonly<Record<string, string>>
}

export type Match = Matched | { readonly allowed: readonly string[] } | null

/**
 * Finds the route of a path below the root of the API. Returns `null` for an unknown path, and `allowed` for a method that the
 * path does not have.
 */
export function matchRoute(method: string, path: string): Match {
  const there = servedUseCases.flatMap(useCase => {
    const named = namedParts(useCase.api.path, path)
    return named === null ? [] : [{ useCase, named }]
  })
  if (there.length === 0) return null
  const asked = there.find(({ useCase }) => useCase.api.method === method)
  const allowed = there.flatMap(({ useCase: { api } }) =>
    api.method === 'GET' ? ['GET', 'HEAD'] : [api.method],
  )
  return asked ?? { allowed: [...new Set(allowed)] }
}

function namedParts(template: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const named: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = decoded(given[index] ?? '')
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (value === null || value === '' ? part !== value : name === undefined && part !== value) return null
    if (name !== undefined) named[name] = nameInApiSegment(value ?? '')
  }
  return named
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

function isServed(useCase: UseCase): useCase is ServedUseCase {
  return useCase.api !== null
}
