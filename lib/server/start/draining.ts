/** Whether the process is about to end. On `globalThis`, because both hosts' copies of the routes ask. */

const mark = Symbol.for('latchkey.draining')

export function declareDraining(): void {
  Reflect.set(globalThis, mark, true)
}

export function isDraining(): boolean {
  return Reflect.get(globalThis, mark) === true
}
