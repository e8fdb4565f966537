/**
 * Finds the route files of `app`, the files in `public` and those of the build at the start, and answers their requests
 * without Next. Next serves the pages of the dashboard.
 */
import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { fileRoutes } from './public-files.ts'

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

/**
 * The routes by the path of a request, without query. `undefined`: Next answers the path, or it must be redirected to
 * its normal form (`cleanPath`).
 */
export type RouteTable = { readonly get: (path: string) => Listener | undefined }

/** A route file. All methods have the same handler, which reads the method from the request. */
type RouteFile = { readonly GET: (request: Request, route: object) => Promise<Response> }

type Route = { readonly pattern: string; readonly matches: RegExp; readonly listener: Listener }

const root = join(import.meta.dirname, '../../..')
const app = join(root, 'app')
export function directRoutes(): RouteTable {
  const routes = routeFiles().map(routeOf)
  const files = [...fileRoutes()].map(
    ([path, { GET }]) => [path, getRequestListener(request => GET(request, {}))] as const,
  )
  const exact = new Map([...files, ...routes.map(({ pattern, listener }) => [pattern, listener] as const)])
  const dynamic = routes.filter(({ pattern }) => pattern.includes('[')).toSorted(bySpecificity)
  return {
    get: path => {
      const isCandidate = ({ pattern, matches }: Route) =>
        matches.test(path) && (!pattern.includes('[...') || !isForNext(path))
      return exact.get(path) ?? dynamic.find(isCandidate)?.listener
    },
  }
}

function isForNext(path: string): boolean {
  return cleanPath(path) !== path || /^\/admin(\/|$)/.test(path)
}

/** Returns the normal form of a path: no empty segment, and no slash at the end. */
export function cleanPath(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
}

function routeFiles(): readonly string[] {
  return readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter(name => /(^|[/\\])route\.tsx?$/.test(name))
    .map(name => join(app, name))
}

function routeOf(file: string): Route {
  const pattern = patternOf(file)
  const matches = new RegExp(`^${pattern.split('/').map(segmentPattern).join('/')}$`)
  let loaded: RouteFile | undefined
  const load = async (): Promise<RouteFile> => {
    loaded = await import(pathToFileURL(file).href)
    return loaded ?? load()
  }
  const isDynamic = pattern.includes('[')
  const argumentsFor = ({ url }: Request) =>
    isDynamic ? { params: Promise.resolve(matches.exec(new URL(url).pathname)?.groups) } : noArguments
  const listener = getRequestListener(async request => {
    const end = endOfTurn()
    const { GET } = loaded ?? (await load())
    const response = await GET(request, argumentsFor(request))
    await end
    return response
  })
  return { pattern, matches, listener }
}

let end: Promise<void> | undefined

/**
 * Resolves when the event loop has handled all input that has arrived. Responses that are ready before that are sent
 * together: see docs/decisions/085-responses-leave-together.md.
 */
export function endOfTurn(): Promise<void> {
  end ??= setImmediate().then(() => {
    end = undefined
  })
  return end
}

const noArguments = {}

/** Derives the path pattern of a route file like Next: folders in parentheses are not part of the path. */
function patternOf(file: string): string {
  const folders = relative(app, file).split(sep).slice(0, -1)
  return `/${folders.filter(name => !/^\(.*\)$/.test(name)).join('/')}`
}

function segmentPattern(segment: string): string {
  const [, rest = '', name = ''] = /^\[(\.\.\.)?(\w+)\]$/.exec(segment) ?? []
  if (name === '') return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return rest === '' ? `(?<${name}>[^/]+)` : `(?<${name}>.+)`
}

/** Sorts fixed segments before dynamic ones, and these before the rest of a path. */
function bySpecificity(left: Route, right: Route): number {
  const rank = ({ pattern }: Route) => pattern.replaceAll('[...', '\uffff').replaceAll('[', '\ufffe')
  return rank(left) < rank(right) ? -1 : 1
}
