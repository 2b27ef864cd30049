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
    const write = { page: this.#id, number: this.#writes, base: 0 }
    const body = JSON.stringify({ owner: this.#owner, place: this.#place, text, ...write })
    return await this.#page.evaluate(async (sent) => {
      const headers = { 'x-console': '1', 'content-type': 'application/json' }
      return (await fetch('/api/session/drafts', { method: 'PUT', headers, body: sent })).status
    }, body)
  }

  /** As the tab leaves it while one more write is not confirmed: it is on its way, or had failed. */
  async leave(): Promise<void> {
    const write = new URLSearchParams({ place: this.#place, page: this.#id, number: String(this.#writes + 1) })
    const mark = [`unsent ${this.#owner} ${this.#place}`, String(write)] as const
    await this.#page.evaluate(([key, value]) => sessionStorage.setItem(key, value), mark)
  }
}
