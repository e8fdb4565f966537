/** Runs a program of the command line: reads its arguments, shows its usage, and reports failures. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { refuse, reportFailure, say } from './command-output.ts'

type CommandLine = {
  readonly usage: string
  /** Returns the exit code. */
  readonly run: (given: readonly string[]) => Promise<number>
  /** Whether a call without arguments shows the usage. */
  readonly needsArguments?: boolean
  /** Prints an error and returns the exit code. */
  readonly report?: (error: unknown) => number
}

/** Wrong arguments, with a message for the operator, which is shown with the usage. */
class WrongArguments extends Error {}

/** Runs a command. Returns the exit code: 2 for wrong arguments, otherwise that of `run` or `report`. */
export async function runCommandLine({
  usage,
  run,
  needsArguments = false,
  report = reportFailure,
}: CommandLine): Promise<number> {
  const given = process.argv.slice(2)
  const asksForUsage = given.includes('--help') || given[0] === 'help'
  if (asksForUsage || (needsArguments && given.length === 0)) return say(usage)
  try {
    return await run(given)
  } catch (error) {
    return error instanceof WrongArguments ? refuse(`${error.message}\n\n${usage}`, 2) : report(error)
  }
}

/** Ends a command whose arguments are wrong. */
export function refuseArguments(message: string): never {
  throw new WrongArguments(message)
}

export const flag = { type: 'boolean', default: false } as const
export const text = { type: 'string' } as const

/** Parses the arguments. An unknown option is refused by its name, and so is any other argument unless `allowPositionals`. */
export function readArguments<const T extends ParseArgsOptionsConfig>(
  given: readonly string[],
  options: T,
  { allowPositionals = false } = {},
): ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...given], options, allowPositionals })
  } catch (error) {
    refuseArguments(error instanceof Error ? error.message : 'The arguments cannot be read.')
  }
}
