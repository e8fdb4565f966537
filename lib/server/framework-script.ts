/**
 * Takes the framework's script out of a finished page. No page of ours needs it: it would be 135 KB for a document
 * of four, on exactly the pages where a password is typed.
 */

/** Ours, which the page's policy lets through by its nonce. */
const ownScript = /\ssrc="\/(enhance|admin)\.js"/
/** NOTE: the framework escapes `<` in inline scripts, and React in everything a person wrote. */
const scripts = /<script\b[^>]*>[\s\S]*?<\/script>/g
const links = /<link\b[^>]*>/g

/** A document whose parts are moved into place by script, which no page of ours is, stays as it is. */
export function withoutFrameworkScript(html: string): string {
  if (/<template id="B:|<div hidden="" id="S:/.test(html)) return html
  return html
    .replace(scripts, script => (ownScript.test(script) ? script : ''))
    .replace(links, link => (isScriptPreload(link) ? '' : link))
}

function isScriptPreload(link: string): boolean {
  return /\sas="script"/.test(link) || /\srel="modulepreload"/.test(link)
}
