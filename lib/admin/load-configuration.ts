/** Finds the configuration of this start: the file, the demo, or none. */
import { readFile } from 'node:fs/promises'
import { ConfigError } from '#lib/errors/config-error.ts'
import { type ConfigurationFile, readConfiguration } from '#lib/protocol/configuration-file.ts'
import { parseStrictJson } from '#lib/protocol/strict-json.ts'
import { demoConfiguration } from './demo.ts'

export type LoadedConfiguration = {
  readonly source: 'file' | 'demo' | 'none'
  readonly configuration: ConfigurationFile
}

type Where = { readonly configFile: string | null; readonly demo: boolean; readonly issuer: string }

/** Throws a ConfigError that lists every problem with its path in the file. */
export async function loadConfiguration({ configFile, demo, issuer }: Where): Promise<LoadedConfiguration> {
  if (configFile !== null) {
    return { source: 'file', configuration: check(await readDocument(configFile), configFile) }
  }
  if (demo) return { source: 'demo', configuration: check(demoConfiguration(issuer), 'the demo') }
  return { source: 'none', configuration: check({}, 'nothing') }
}

async function readDocument(file: string): Promise<unknown> {
  const parsed = parse(await readText(file), file)
  if ('value' in parsed) return parsed.value
  throw refusal(file, `the key "${parsed.repeatedKey}" stands twice in one object`)
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw refusal(file, `the file cannot be read (${code})`)
  }
}

function parse(text: string, file: string): ReturnType<typeof parseStrictJson> {
  try {
    return parseStrictJson(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw refusal(file, `the file is not JSON (${placeOf(error.message, text)})`)
  }
}

/** NOTE: the parser's own message quotes the text around the fault, which may be a secret; only the place is kept. */
function placeOf(message: string, text: string): string {
  const exact = /position (\d+)/.exec(message)?.[1]
  if (exact !== undefined) return `line ${lineAt(text, Number(exact))}`
  const quoted = /"([\s\S]*)"(?:\.{3})? is not valid JSON$/.exec(message)?.[1]
  if (quoted === undefined) return 'it is empty or ends too early'
  return `near line ${lineAt(text, text.indexOf(quoted) + Math.floor(quoted.length / 2))}`
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}

function check(document: unknown, file: string): ConfigurationFile {
  const read = readConfiguration(document)
  if (read.kind === 'valid') return read.configuration
  const [first, ...others] = read.problems
  if (others.length === 0) throw refusal(file, `${first}`)
  throw refusal(
    file,
    `it has ${read.problems.length} problems:\n${read.problems.map(problem => `  ${problem}`).join('\n')}`,
  )
}

function refusal(file: string, problem: string): ConfigError {
  return new ConfigError(`LATCHKEY_CONFIG is "${file}", but ${problem}${problem.includes('\n') ? '' : '.'}`)
}
