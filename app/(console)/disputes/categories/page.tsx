import Link from 'next/link'
import { SharedList } from '#components/disputes/shared-list.tsx'
import { PageHead } from '#components/frame/page-head.tsx'
import { Panel } from '#components/frame/panel.tsx'
import { PlainTable } from '#components/ui/table.tsx'
import { permits } from '#lib/authorization/judge.ts'
import { type Category, type CategoryUse, USE_DAYS } from '#lib/disputes/categories/category.ts'
import { countUse, listCategories } from '#lib/disputes/categories/category-table.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'
import { accessPage } from '../../page-reads.tsx'

const head = {
  title: 'Categories',
  lead: 'Why cases are decided as they are, in your team’s words. Only this console knows them.',
}

export default accessPage({ head, panel: 'Categories', entry: 'categories.read', read: readCategories })

async function readCategories(session: Session) {
  const db = await store()
  const [categories, use, mayChange] = await Promise.all([
    listCategories(db),
    countUse(db),
    permits(session, 'categories.write'),
  ])
  return (
    <>
      <PageHead {...head} />
      <div className="grid gap-4">
        <SharedList
          of="categories"
          entries={categories.map((category) => ({ ...category, text: null }))}
          mayChange={mayChange}
        />
        <Use categories={categories} use={use} />
      </div>
    </>
  )
}

const number = 'figures text-right'

/** A retired category shows as long as it counts. */
function Use({ categories, use }: { categories: readonly Category[]; use: readonly CategoryUse[] }) {
  const known = new Map(use.map((one) => [one.id, one]))
  const rows = [...categories, null].flatMap((category) => {
    const { refunded = 0, released = 0 } = known.get(category?.id ?? null) ?? {}
    const isShown = refunded + released > 0 || category?.retired === false
    return isShown ? [{ category, refunded, released }] : []
  })
  return (
    <Panel title={`Decided in the last ${USE_DAYS} days`} className="max-w-3xl">
      {rows.length === 0 ? (
        <p className="px-3.5 py-3 text-secondary-foreground text-sm">No case was decided in this console.</p>
      ) : (
        <PlainTable
          label="Decisions by category"
          columns={[
            { title: 'Category', cell: 'h-9 w-full max-w-0 truncate' },
            ...['Cases', 'Refunded', 'Released'].map((title) => ({ title, head: number, cell: `h-9 ${number}` })),
          ]}
          rows={rows.map(({ category, refunded, released }) => [
            category === null ? 'Without a category' : <CategoryLink key={category.id} {...category} />,
            ...[refunded + released, refunded, released].map(formatCount),
          ])}
          className="overflow-x-auto"
        />
      )}
      <p className="px-3.5 py-2.5 text-muted-foreground text-xs">
        Counts decisions that were made in this console. Cases decided elsewhere are not counted.
      </p>
    </Panel>
  )
}

const CategoryLink = ({ id, name, retired }: Category) => (
  <>
    <Link
      href={`/disputes?status=resolved&category=${id}`}
      prefetch={false}
      className="underline-offset-4 hover:underline"
    >
      <bdi title={visibleText(name)}>{visibleText(name)}</bdi>
    </Link>
    {retired ? <span className="text-muted-foreground">, retired</span> : null}
  </>
)
