/** Everything an admin does to people. */
import type { UseCase } from '../use-case.ts'
import { allowSignIn } from './allow-sign-in.ts'
import { listUsers, readUser } from './read-users.ts'
import { createUser, deleteUser, resetPassword, setUserEnabled, updateUser } from './write-users.ts'

export const userUseCases: readonly UseCase[] = [
  listUsers,
  readUser,
  createUser,
  updateUser,
  setUserEnabled,
  resetPassword,
  allowSignIn,
  deleteUser,
]
