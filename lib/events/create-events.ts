/** Hands each event to every sink. A sink that fails or hangs never disturbs the request it was about. */
import type { Clock } from '#lib/ports/environment.ts'
import type { EventSink, Events, RecordedEvent } from '#lib/ports/events.ts'

/** `onFailure` hears of sinks that failed; it must not throw. */
export function createEvents(
  sinks: readonly EventSink[],
  clock: Clock,
  onFailure: (error: unknown) => void,
): Events {
  return {
    record: (event, context) => {
      const request = event.outcome === 'failure' ? context.describe?.() : undefined
      const recorded: RecordedEvent = {
        ...event,
        time: clock.now(),
        context,
        ...(request === undefined ? {} : { request }),
      }
      for (const sink of sinks) deliver(sink, recorded, onFailure)
    },
  }
}

function deliver(sink: EventSink, event: RecordedEvent, onFailure: (error: unknown) => void): void {
  try {
    const pending: unknown = sink.record(event)
    if (pending !== undefined) Promise.resolve(pending).catch(onFailure)
  } catch (error) {
    onFailure(error)
  }
}
