/** Reads the links and forms of a page, which are the ways on from it. */
import { attribute } from '../fixtures/requests/http-browser.ts'

export type Field = { readonly name: string; readonly value: string; readonly type: string }

export type PageForm = {
  readonly action: string
  readonly isPost: boolean
  /** All fields but boxes, with the values that they have. */
  readonly fields: readonly Field[]
  readonly boxes: readonly (Field & { readonly isTicked: boolean })[]
  /** The buttons that submit the form; one without a name has an empty one. */
  readonly buttons: readonly Field[]
}

export type PageContent = { readonly links: readonly string[]; readonly forms: readonly PageForm[] }

export function readPage(html: string): PageContent {
  return {
    links: [...html.matchAll(/<a\b[^>]*>/g)].map(([tag]) => attribute(tag, 'href')).filter(isPlace),
    forms: [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => readForm(form)),
  }
}

function isPlace(href: string): boolean {
  return href !== '' && !href.startsWith('#')
}

function readForm(html: string): PageForm {
  const [head = ''] = /<form\b[^>]*>/.exec(html) ?? []
  const inputs = [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag)
  const named = inputs.filter(tag => attribute(tag, 'name') !== '')
  const buttons = [...html.matchAll(/<button\b[^>]*>/g)].map(([tag]) => fieldOf(tag))
  const submitting = buttons.filter(({ type }) => type === '' || type === 'submit')
  return {
    action: attribute(head, 'action'),
    isPost: /method="post"/i.test(head),
    fields: named.filter(tag => !isBox(tag)).map(fieldOf),
    boxes: named.filter(isBox).map(tag => ({ ...fieldOf(tag), isTicked: / checked/.test(tag) })),
    buttons: submitting.length === 0 ? [{ name: '', value: '', type: 'submit' }] : submitting,
  }
}

const isBox = (tag: string) => /type="(checkbox|radio)"/.test(tag)

function fieldOf(tag: string): Field {
  return { name: attribute(tag, 'name'), value: attribute(tag, 'value'), type: attribute(tag, 'type') }
}
