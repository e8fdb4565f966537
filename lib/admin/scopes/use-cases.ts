/** Everything an admin does to scopes. */
import type { UseCase } from '../use-case.ts'
import { deleteScope } from './delete-scope.ts'
import { listScopes, readScope } from './read-scopes.ts'
import { restoreScope } from './restore-scope.ts'
import { addScopeSecret, expireScopeSecret, removeScopeSecret, rotateScopeSecret } from './scope-secrets.ts'
import { createScope, setScopeEnabled, updateScope } from './write-scope.ts'

export const scopeUseCases: readonly UseCase[] = [
  listScopes,
  readScope,
  createScope,
  updateScope,
  setScopeEnabled,
  addScopeSecret,
  rotateScopeSecret,
  expireScopeSecret,
  removeScopeSecret,
  deleteScope,
  restoreScope,
]
