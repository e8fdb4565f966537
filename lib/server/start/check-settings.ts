/** `node lib/server/start/check-settings.ts`: whether the server could start with these settings. The start asks it before it builds. */
import { readConfig } from '#lib/config/env.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { proveSettings } from './prove-settings.ts'

try {
  await proveSettings(readConfig(process.env))
} catch (error) {
  if (!isConfigError(error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
