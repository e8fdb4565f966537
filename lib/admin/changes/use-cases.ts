/** What an admin can do with the audit trail: read it. Nothing in it can be changed. */
import type { UseCase } from '../use-case.ts'
import { exportChanges } from './export-changes.ts'
import { listChanges } from './read-changes.ts'

export const changeUseCases: readonly UseCase[] = [listChanges, exportChanges]
