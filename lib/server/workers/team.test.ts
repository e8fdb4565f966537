import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workers as limits } from '#lib/config/limits.ts'
import type { ToWorker } from './messages.ts'
import { createDeathCount, createTeam } from './team.ts'

function startTeam(wanted: number) {
  const silent: number[] = []
  const team = createTeam(wanted, id => silent.push(id))
  const add = (id: number) => {
    const heard: ToWorker[] = []
    const worker = { heard, isKilled: false }
    team.add({
      id,
      send: message => heard.push(message),
      kill: () => {
        worker.isKilled = true
      },
    })
    return worker
  }
  return { team, add, silent }
}

const kinds = (heard: readonly ToWorker[]) => heard.map(({ kind }) => kind).filter(kind => kind !== 'ping')

test('one worker maintains the node, and the next one as soon as it has ended', () => {
  const { team, add } = startTeam(3)
  const [one, two, three] = [add(1), add(2), add(3)]
  for (const id of [2, 1]) team.serves(id)
  assert.deepEqual(
    [one, two, three].map(({ heard }) => kinds(heard)),
    [[], ['maintain'], []],
  )
  team.remove(2)
  assert.deepEqual(
    [one, two, three].map(({ heard }) => kinds(heard)),
    [['maintain'], ['maintain'], []],
  )
  team.remove(1)
  assert.deepEqual(kinds(three.heard), [], 'it does not serve yet')
  team.serves(3)
  assert.deepEqual(kinds(three.heard), ['maintain'])
})

test('the next worker that serves learns once how others ended', () => {
  const { team, add } = startTeam(2)
  const [one, two, three] = [add(1), add(2), add(3)]
  team.serves(1)
  const end = { worker: 4, code: null, signal: 'SIGKILL', wasSilent: false } as const
  team.awaitReplacement(end)
  for (const id of [2, 3]) team.serves(id)
  const ends = [one, two, three].map(({ heard }) => heard.filter(({ kind }) => kind === 'replaces'))
  assert.deepEqual(ends, [[], [{ kind: 'replaces', end }], []])
})

test('workers hear immediately how many of them serve', () => {
  const { team, add } = startTeam(2)
  const [one] = [add(1), add(2)]
  team.serves(1)
  assert.equal(team.isComplete(), false)
  team.serves(2)
  assert.equal(team.isComplete(), true)
  assert.deepEqual(one.heard.at(-1), { kind: 'ping', wanted: 2, running: 2 })
  team.remove(2)
  assert.deepEqual(one.heard.at(-1), { kind: 'ping', wanted: 2, running: 1 })
})

test('a worker that leaves ten pings without an answer is killed, and one that starts is not pinged', () => {
  const { team, add, silent } = startTeam(3)
  const [hung, sound, starting] = [add(1), add(2), add(3)]
  for (const id of [1, 2]) team.serves(id)
  for (let count = 0; count < limits.mostUnanswered; count += 1) {
    team.ping()
    team.answered(2)
  }
  assert.deepEqual(silent, [])
  team.ping()
  assert.deepEqual(silent, [1])
  assert.deepEqual(
    [hung, sound, starting].map(({ isKilled }) => isKilled),
    [true, false, false],
  )
  assert.deepEqual(starting.heard, [])
})

test('five deaths within a minute are too many, four or slower ones are not', () => {
  const slow = createDeathCount()
  for (let count = 0; count < 20; count += 1) assert.equal(slow(count * 15_001), false)
  const quick = createDeathCount()
  assert.deepEqual([0, 1, 2, 3, 59_999].map(quick), [false, false, false, false, true])
})
