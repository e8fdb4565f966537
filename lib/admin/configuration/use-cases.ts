/** Everything an admin does to the configuration as a whole. */
import type { UseCase } from '../use-case.ts'
import { applyDocument, compareConfiguration } from './apply-document.ts'
import { exportConfiguration } from './export-configuration.ts'

export const configurationUseCases: readonly UseCase[] = [
  exportConfiguration,
  compareConfiguration,
  applyDocument,
]
