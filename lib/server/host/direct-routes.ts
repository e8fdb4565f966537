/**
 * The route files of `app`, found once at the start and answered without Next. Next answers the rest: the pages of the
 * dashboard, static files, and paths that it redirects to their normal form.
 */
import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getRequestListener } from '@hono/node-server'

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

/** By the path of a request, without query; `undefined` is for Next. */
export type RouteTable = { readonly get: (path: string) => Listener | undefined }

/** Every method has the same handler, which reads the method from the request. */
type RouteFile = { readonly GET: (request: Request, route: object) => Promise<Response> }

type Route = { readonly pattern: string; readonly matches: RegExp; readonly listener: Listener }

const root = join(import.meta.dirname, '../../..')
const app = join(root, 'app')
/** The paths of the files in `public`. */
export const publicFiles: ReadonlySet<string> = new Set(
  readdirSync(join(root, 'public')).map(name => `/${name}`),
)
/** Answers the paths without another route or file. */
const fallback = '/[...path]'

export function directRoutes(): RouteTable {
  const routes = routeFiles().map(routeOf)
  const exact = new Map(routes.map(({ pattern, listener }) => [pattern, listener]))
  const dynamic = routes.filter(({ pattern }) => pattern.includes('[')).toSorted(bySpecificity)
  return {
    get: path => {
      const isCandidate = ({ pattern, matches }: Route) =>
        matches.test(path) && (pattern !== fallback || !isForNext(path))
      return exact.get(path) ?? dynamic.find(isCandidate)?.listener
    },
  }
}

function isForNext(path: string): boolean {
  const isUnclean = path.endsWith('/') || path.includes('//')
  return isUnclean || /^\/(admin(\/|$)|_next\/)/.test(path) || publicFiles.has(path)
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
  const listener = getRequestListener(async request => {
    const { GET } = loaded ?? (await load())
    return GET(request, { params: Promise.resolve(matches.exec(new URL(request.url).pathname)?.groups) })
  })
  return { pattern, matches, listener }
}

/** As Next derives it: folders in parentheses are not part of the path. */
function patternOf(file: string): string {
  const folders = relative(app, file).split(sep).slice(0, -1)
  return `/${folders.filter(name => !/^\(.*\)$/.test(name)).join('/')}`
}

function segmentPattern(segment: string): string {
  const [, rest = '', name = ''] = /^\[(\.\.\.)?(\w+)\]$/.exec(segment) ?? []
  if (name === '') return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return rest === '' ? `(?<${name}>[^/]+)` : `(?<${name}>.+)`
}

/** Fixed segments before dynamic ones, and these before the rest of a path. */
function bySpecificity(left: Route, right: Route): number {
  const rank = ({ pattern }: Route) => pattern.replaceAll('[...', '\uffff').replaceAll('[', '\ufffe')
  return rank(left) < rank(right) ? -1 : 1
}
