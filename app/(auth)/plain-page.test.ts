import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from './plain-page.ts'

test('what is put into markup is text there, also what looks like markup', () => {
  const put = (text: string) => html`<p title="${text}">${text}</p>`.text
  expect(put(`"><script>alert('1')</script>&amp;`)).toBe(
    '<p title="&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;">&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;</p>',
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", '#', ';', '3', 'a', '\u20ac') }), (text) => {
      const inside = html`${text}`.text
      expect(inside).not.toMatch(/[<>"']|&(?!#\d+;)/)
      expect(inside.replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)))).toBe(text)
    }),
  )
})

test('markup within markup stays, also several pieces of it; null is nothing', () => {
  expect(html`<ul>${['a', '<'].map((text) => html`<li>${text}</li>`)}${null}</ul>`.text).toBe(
    '<ul><li>a</li><li>&#60;</li></ul>',
  )
})
