/** A setting that stops the start. The message is one sentence: what is wrong and how to put it right. */

const mark = Symbol.for('latchkey.config-error')

export class ConfigError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'ConfigError'
    Object.defineProperty(this, mark, { value: true })
  }
}

/** Works for the copy of this module that Next loads, too, where `instanceof` does not. */
export function isConfigError(error: unknown): error is ConfigError {
  return typeof error === 'object' && error !== null && mark in error
}
