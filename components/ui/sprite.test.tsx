import * as lucide from 'lucide-react'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import * as icons from './icons.tsx'
import { sprite } from './sprite.ts'

const markup = (Icon: unknown): string => renderToStaticMarkup(createElement(Icon as FunctionComponent))
/** Without what stands around the shapes, and without closing tags that only one of the two writes. */
const shapesIn = (html: string): string =>
  html.replace(/<\/?(?:svg|symbol)[^>]*>|<\/(?:path|rect|circle|line|polyline)>/g, '').replaceAll('/>', '>')

test.each(Object.entries(icons))('the sprite draws %s as lucide does', (name, Icon) => {
  const [, id = ''] = /href="#(icon-[a-z0-9-]+)"/.exec(markup(Icon)) ?? []
  const [symbol = ''] = new RegExp(`<symbol id="${id}".*?</symbol>`).exec(sprite) ?? []
  expect(shapesIn(symbol)).not.toBe('')
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: a test is no bundle.
  expect(shapesIn(symbol)).toBe(shapesIn(markup(lucide[name as keyof typeof lucide])))
})

test('an icon is hidden from screen readers: a word says the same', () => {
  expect(markup(icons.Check)).toContain('aria-hidden="true"')
})
