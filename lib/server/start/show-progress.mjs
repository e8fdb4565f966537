/** What people wait for at a start, told once it takes over a second. */

/**
 * Carries the work out, whatever becomes of it.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(title, work) {
  const end = showProgress(title)
  try {
    return await work()
  } finally {
    end()
  }
}

/**
 * Returns the function that ends it. One line in all: on a terminal it is rewritten every second, elsewhere it is begun
 * and later ended.
 * @param {string} title
 * @returns {() => void}
 */
function showProgress(title) {
  const startedAt = Date.now()
  const isTerminal = process.stdout.isTTY === true
  let isShown = false
  const seconds = digits => `${((Date.now() - startedAt) / 1000).toFixed(digits)} s`
  const tick = setInterval(() => {
    if (isTerminal) process.stdout.write(`\r  ${title} … ${seconds(0)}`)
    else if (!isShown) process.stdout.write(`  ${title} … `)
    isShown = true
  }, 1000)
  return () => {
    clearInterval(tick)
    if (isShown) process.stdout.write(isTerminal ? `\r  ${title}: ${seconds(1)}    \n` : `${seconds(1)}\n`)
  }
}
