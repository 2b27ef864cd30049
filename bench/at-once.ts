/** Does something for each of many, so many of them at once; answers in their order. */
export async function atOnce<Item, Result>(
  most: number,
  items: readonly Item[],
  once: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const waiting = [...items.entries()]
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const [index, item] = one
      results[index] = await once(item, index)
    }
  }
  await Promise.all(Array.from({ length: most }, next))
  return results
}
