// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'

import { closePage, fire, renderPage } from '#lib/testing/render-page.ts'
import { guardForm } from './guard-form.ts'
import { isUnloadGuarded } from './leave-guard.ts'

const show = (isTaken: boolean) =>
  renderPage(
    <form ref={guardForm} data-taken={isTaken}>
      <input defaultValue="Lost" />
    </form>,
  )
const field = () => document.querySelector('input') as HTMLInputElement

afterEach(closePage)

test('asks only about text that was typed', async () => {
  await show(false)
  expect(isUnloadGuarded()).toBe(false)
  field().value = 'Lost in the bus'
  expect(isUnloadGuarded()).toBe(true)
  field().form?.reset()
  expect(isUnloadGuarded()).toBe(false)
  field().value = 'Lost in the bus'
  await renderPage(null)
  expect(isUnloadGuarded()).toBe(false)
})

test('asks until a change has the submitted text', async () => {
  await show(false)
  field().value = 'Stolen'
  await fire(field().form, 'submit')
  expect(isUnloadGuarded()).toBe(true)
  await show(true)
  expect(isUnloadGuarded()).toBe(false)
  field().value = 'Stolen twice'
  expect(isUnloadGuarded()).toBe(true)
})

test('asks about new text below an earlier change', async () => {
  await show(true)
  field().value = 'Stolen'
  expect(isUnloadGuarded()).toBe(true)
})
