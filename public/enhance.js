// Adds conveniences to hosted pages, all of which work without this file.

for (const button of document.querySelectorAll('[data-shows]')) revealPassword(button)
for (const form of document.querySelectorAll('form[method="post"]')) form.addEventListener('submit', sendOnce)
for (const note of document.querySelectorAll('[data-wait]')) countDown(note)
for (const time of document.querySelectorAll('time[datetime]')) showLocally(time)
for (const hint of document.querySelectorAll('[data-caps-lock-of]')) watchCapsLock(hint)
for (const button of document.querySelectorAll('[data-arms]')) armLater(button)
for (const button of document.querySelectorAll('[data-copies]')) copyOnPress(button)
for (const button of document.querySelectorAll('[data-prints]')) printOnPress(button)
for (const link of document.querySelectorAll('[data-carries]')) carryText(link)

document.querySelector('[data-focus]')?.focus()
focusFirstField()
if (document.querySelector('[data-asks-again]') !== null) askAgainOnReturn()
addEventListener('pageshow', event => event.persisted && release())

function revealPassword(button) {
  const input = document.getElementById(button.dataset.shows)
  button.hidden = false
  button.addEventListener('click', () => show(input.type === 'password'))
  input.form.addEventListener('submit', () => show(false))

  function show(visible) {
    const { selectionStart, selectionEnd } = input
    input.type = visible ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(visible))
    if (document.activeElement === input) input.setSelectionRange(selectionStart, selectionEnd)
  }
}

/** Takes the text of a field to the page of a link, in a form: it must not be in an address. */
function carryText(link) {
  link.addEventListener('click', event => {
    const text = document.getElementById(link.dataset.carries).value.trim()
    if (text === '' || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const { origin, pathname, searchParams } = new URL(link.href)
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: origin + pathname, hidden: true })
    for (const [name, value] of [...searchParams, ['prefill', text]])
      form.append(Object.assign(document.createElement('input'), { name, value }))
    document.body.append(form)
    form.submit()
  })
}

/** Sends a form only once, with the name and value of the button that was pressed first. */
function sendOnce(event) {
  const form = event.currentTarget
  if (form.dataset.sent) return event.preventDefault()
  form.dataset.sent = 'yes'
  event.submitter?.setAttribute('aria-busy', 'true')
}

/** Allows the forms to be sent again, after the back button has restored the page from the cache. */
function release() {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
  for (const button of document.querySelectorAll('[aria-busy]')) button.removeAttribute('aria-busy')
}

/** Loads the page again if its URL redirects now, because the user has signed in in another tab. */
function askAgainOnReturn() {
  const ask = async () => {
    if (document.hidden) return
    // The redirect is not followed, because its target may be usable only once
    const answer = await fetch(location.href, { redirect: 'manual' }).catch(() => null)
    if (answer?.type === 'opaqueredirect') location.reload()
  }
  addEventListener('focus', ask)
  addEventListener('visibilitychange', ask)
}

function countDown(note) {
  const [zero, one, many] = [note.dataset.over, note.dataset.one, note.dataset.many]
  const end = performance.now() + Number(note.dataset.wait) * 1000
  const timer = setInterval(() => {
    const left = Math.ceil((end - performance.now()) / 1000)
    if (left > 90) return
    note.textContent = left <= 0 ? zero : left === 1 ? one : many.replace('{n}', String(left))
    if (left <= 0) clearInterval(timer)
  }, 1000)
}

/** Shows a time in the reader's time zone, and in the page's language as it is written in the reader's country. */
function showLocally(time) {
  const { day, zone } = time.dataset
  const at = new Date(time.dateTime)
  const { lang } = document.documentElement
  const language = navigator.languages.find(tag => tag.startsWith(`${lang}-`)) ?? lang
  const style = { dateStyle: 'medium', ...(day === undefined && { timeStyle: 'short' }) }
  const text = new Intl.DateTimeFormat(language, style).format(at)
  time.title = time.textContent
  time.textContent = zone === undefined ? text : `${text} ${zoneAt(at, language)}`
}

/** The name of the time zone at a moment, such as `CET` or `GMT+2`; it changes with daylight saving time. */
function zoneAt(moment, language) {
  const parts = new Intl.DateTimeFormat(language, { timeZoneName: 'short' }).formatToParts(moment)
  return parts.find(({ type }) => type === 'timeZoneName').value
}

function watchCapsLock(hint) {
  const input = document.getElementById(hint.dataset.capsLockOf)
  const text = hint.dataset.text
  const check = event => {
    hint.textContent = event.getModifierState?.('CapsLock') ? text : ''
  }
  input.addEventListener('keydown', check)
  input.addEventListener('keyup', check)
  input.addEventListener('blur', () => {
    hint.textContent = ''
  })
}

/**
 * Ignores presses of a button in the first half second after the page was loaded or its window got the focus, and by a
 * key that is held down, because they may have been meant for something else. The button is not disabled, since
 * keyboard navigation would then skip it.
 */
function armLater(button) {
  let timer
  const arm = () => {
    button.setAttribute('aria-disabled', 'true')
    clearTimeout(timer)
    timer = setTimeout(() => button.removeAttribute('aria-disabled'), 500)
  }
  arm()
  addEventListener('focus', arm)
  button.addEventListener('click', event => button.ariaDisabled === 'true' && event.preventDefault())
  button.addEventListener('keydown', event => event.repeat && event.preventDefault())
}

/** Copies the text of an element without its annotations. */
function copyOnPress(button) {
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    const text = document.getElementById(button.dataset.copies).cloneNode(true)
    for (const aside of text.querySelectorAll('[data-aside]')) aside.remove()
    await navigator.clipboard.writeText(text.textContent)
    button.textContent = button.dataset.done
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}

function printOnPress(button) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

/** Focuses the first empty field on devices with a physical keyboard; on a phone the keyboard would cover the page. */
function focusFirstField() {
  if (!matchMedia('(hover: hover) and (pointer: fine)').matches) return
  if (document.activeElement !== document.body) return
  const fields = [...document.querySelectorAll('[data-start]')]
  const start = fields.find(field => field.value === '') ?? fields[0]
  start?.focus()
}
