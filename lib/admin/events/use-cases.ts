/** Everything an admin does to events. */
import type { UseCase } from '../use-case.ts'
import { exportEvents } from './export-events.ts'

export const eventUseCases: readonly UseCase[] = [exportEvents]
