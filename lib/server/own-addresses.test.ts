import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import ts from 'typescript'

const addressAttributes: ReadonlySet<string> = new Set(['href', 'action', 'src', 'formAction', 'srcSet'])
const makers: ReadonlySet<string> = new Set(['browserAddress', 'ownUrl', 'cookiePath'])

/** Returns the source text of each address that a file builds by itself. */
function foreignAddresses(file: string, text: string): readonly string[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (isForeign(node)) found.push(`${file}: ${node.getText().slice(0, 80)}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function isForeign(node: ts.Node): boolean {
  if (ts.isJsxAttribute(node)) return isForeignAttribute(node)
  if (ts.isTemplateExpression(node))
    return node.templateSpans.some(
      ({ expression, literal }) => isIssuer(expression) && literal.text.startsWith('/'),
    )
  if (ts.isBinaryExpression(node))
    return node.operatorToken.kind === ts.SyntaxKind.PlusToken && isIssuer(node.left)
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const isRequest = ['fetch', 'URL'].includes(node.expression.getText())
    return isRequest && /^['"`]\//.test(node.arguments?.[0]?.getText() ?? '')
  }
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) return /\bPath=\//.test(node.text)
  return ts.isPropertyAssignment(node) && isForeignHeader(node)
}

/**
 * Whether an attribute of an element contains an address that the file builds by itself. Attributes of components do
 * not count: a component passes the path on, and Next's links know the base path.
 */
function isForeignAttribute(attribute: ts.JsxAttribute): boolean {
  const element = attribute.parent.parent
  const isElement = ts.isIdentifier(element.tagName) && /^[a-z]/.test(element.tagName.text)
  if (!isElement || !addressAttributes.has(attribute.name.getText())) return false
  const value = attribute.initializer
  if (value === undefined || ts.isStringLiteral(value)) return value?.text.startsWith('/') ?? false
  return !(ts.isJsxExpression(value) && value.expression !== undefined && isMade(value.expression))
}

function isMade(value: ts.Expression): boolean {
  if (ts.isConditionalExpression(value)) return isMade(value.whenTrue) && isMade(value.whenFalse)
  if (ts.isCallExpression(value)) return makers.has(value.expression.getText())
  return value.getText() === 'undefined' || value.getText().startsWith('`#')
}

function isIssuer(expression: ts.Expression): boolean {
  return /(?:^|\.)issuer$/.test(expression.getText())
}

function isForeignHeader({ name, initializer }: ts.PropertyAssignment): boolean {
  const makesHeader = ['location', 'refresh'].includes(name.getText().replaceAll(/['"]/g, ''))
  return makesHeader && /^asciiAddress\((?!browserAddress\()/.test(initializer.getText())
}

const planted: ReadonlyArray<readonly [text: string, isFound: boolean]> = [
  ['<a href="/account" />', true],
  ['<form action={path} />', true],
  [`<script src={\`/x.js?\${hash}\`} />`, true],
  ['<a href={browserAddress(path)} />', false],
  ['<a href={path === null ? undefined : browserAddress(path)} />', false],
  ['<a href="https://www.rfc-editor.org/" />', false],
  [`<a href={\`#\${id}\`} />`, false],
  ['<Link href="/admin" />', false],
  [`const url = \`\${config.issuer}/connect/token\``, true],
  ['const url = issuer + path', true],
  ['const url = ownUrl(issuer, path)', false],
  ["fetch('/admin/theme')", true],
  ["new URL('/login', origin)", true],
  ["const cookie = ['Path=/', 'HttpOnly']", true],
  ['const headers = { location: asciiAddress(path) }', true],
  ['const headers = { location: asciiAddress(browserAddress(path)) }', false],
]
for (const [text, isFound] of planted) {
  test(`the search ${isFound ? 'finds' : 'leaves'} ${text}`, () => {
    assert.equal(foreignAddresses('planted.tsx', text).length, isFound ? 1 : 0)
  })
}

/** Files in which the search may find something, such as the module that makes the addresses. */
const exempt: ReadonlySet<string> = new Set([
  'lib/protocol/wire/own-addresses.ts',
  'lib/server/host/request-listener.ts',
  'lib/pages/return-pages.tsx',
  'lib/pages/mail/mail-document.tsx',
  'app/_ui/totp-key.tsx',
  'lib/admin/clients/snippets/nextjs.ts',
  'lib/protocol/registration/provider-presets.ts',
  'app/admin/providers/new/register-provider.tsx',
])

test('every address of this server is made in one module', () => {
  const files = globSync(['app/**/*.{ts,tsx}', 'lib/**/*.{ts,tsx}']).filter(
    file => !/\.test\.tsx?$|\/testing\//.test(file) && !exempt.has(file),
  )
  assert.ok(files.length > 500)
  assert.deepEqual(
    files.flatMap(file => foreignAddresses(file, readFileSync(file, 'utf8'))),
    [],
  )
})
