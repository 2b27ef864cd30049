import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { ListOptions, statusWords } from './snippet-list.tsx'

const snippet = (name: string, text: string) => ({ id: name, name, text, changedBy: 'mia', changedAt: '' })
const option = (title: string, detail: string) => ({
  ...{ key: title, title, detail },
  filled: () => ({ text: detail, gap: null }),
})

describe('the list of snippets', () => {
  test('has each by name and text, with one that is chosen, as text and not as markup', () => {
    const found = [option('Ask', 'Which day?'), option('<b>Odd</b>', 'x')]
    const markup = renderToStaticMarkup(
      <ListOptions id="s" label="Snippets" found={found} chosen={1} onChoose={() => {}} />,
    )
    expect(markup.match(/role="option"/g)).toHaveLength(2)
    expect(markup).toMatch(/id="s-1"[^>]*aria-selected="true"/)
    expect(markup).toMatch(/id="s-0"[^>]*aria-selected="false"/)
    expect(markup).toContain('&lt;b&gt;Odd')
  })

  test('that could not be read never looks empty', () => {
    const problem = problemOf('console', { status: 503, title: 'The console cannot reach its database right now' })
    expect(statusWords({ kind: 'problem', problem }, 0)).toContain('could not be read')
    expect(statusWords({ kind: 'reading' }, 0)).toBe('Reading the snippets')
    expect(statusWords({ kind: 'read', snippets: [] }, 0)).toContain('No snippets yet')
    const snippets = [snippet('Ask', '')]
    expect(statusWords({ kind: 'read', snippets }, 0)).toBe('No snippets match.')
    expect(statusWords({ kind: 'read', snippets }, 1)).toBe('1 snippet')
  })
})
