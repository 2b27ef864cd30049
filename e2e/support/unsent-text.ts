import type { Page } from '@playwright/test'

/** A page before this one, whose latest text for a place the store does not have. */
export class PageBefore {
  readonly #page: Page
  readonly #owner: string
  readonly #place: string
  readonly #id = crypto.randomUUID()
  #writes = 0

  private constructor(page: Page, owner: string, place: string) {
    this.#page = page
    this.#owner = owner
    this.#place = place
  }

  /** Of whoever is signed in on the page. */
  static async of(page: Page, place: string): Promise<PageBefore> {
    const owner = await page.evaluate(async () => {
      const answer = await fetch('/api/session/state', { headers: { 'x-console': '1' } })
      return ((await answer.json()) as { actor: string }).actor
    })
    return new PageBefore(page, owner, place)
  }

  /** Lets a text of it arrive; answers the status. */
  async store(text: string): Promise<number> {
    this.#writes += 1
    const write = { page: this.#id, number: this.#writes }
    const body = JSON.stringify({ owner: this.#owner, place: this.#place, text, write })
    return await this.#page.evaluate(async (sent) => {
      const headers = { 'x-console': '1', 'content-type': 'application/json' }
      return (await fetch('/api/session/drafts', { method: 'PUT', headers, body: sent })).status
    }, body)
  }

  /** As it is left with one more text to store. `failed`: it had been tried in vain; otherwise it is on its way. */
  async leave(failed: boolean): Promise<void> {
    const announced = { owner: this.#owner, place: this.#place, page: this.#id, number: this.#writes + 1, failed }
    const cookie = { name: 'console.leaving', value: encodeURIComponent(JSON.stringify([announced])) }
    const url = new URL(this.#page.url()).origin
    await this.#page.context().addCookies([{ ...cookie, url, secure: true, sameSite: 'Strict' }])
  }
}
