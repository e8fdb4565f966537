/** Everything an admin does with events. */
import type { UseCase } from '../use-case.ts'
import { exportEvents } from './export-events.ts'
import { listEvents, readRequestTraceUseCase } from './list-events.ts'

export const eventUseCases: readonly UseCase[] = [listEvents, readRequestTraceUseCase, exportEvents]
