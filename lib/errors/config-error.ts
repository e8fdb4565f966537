/**
 * The error for a setting or an environment with which the server or a command cannot start. The message is one
 * sentence: the problem and its solution.
 */

const mark = Symbol.for('latchkey.config-error')

export class ConfigError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'ConfigError'
    Object.defineProperty(this, mark, { value: true })
  }
}

/** Recognizes errors from every copy of this module: Next loads its own copy, so `instanceof` does not work. */
export function isConfigError(error: unknown): error is ConfigError {
  return typeof error === 'object' && error !== null && mark in error
}
