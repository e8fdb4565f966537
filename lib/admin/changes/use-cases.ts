/** Everything an admin does with the audit trail: reading it. Nothing of it can be changed. */
import type { UseCase } from '../use-case.ts'
import { listChanges } from './read-changes.ts'

export const changeUseCases: readonly UseCase[] = [listChanges]
