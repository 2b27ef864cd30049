'use client'

import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import { CommandOutcome } from '#components/command/command-outcome.tsx'
import { blockingReason } from '#components/command/command-state.ts'
import { useCommand } from '#components/command/use-command.ts'
import { fieldText, TextAreaField, TextField } from '#components/form/text-field.tsx'
import { guardForm } from '#components/frame/guard-form.ts'
import { mayDropText } from '#components/frame/leave-guard.ts'
import { Panel } from '#components/frame/panel.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { Button } from '#components/ui/button.tsx'
import { FormError, FormErrors } from '#components/ui/field.tsx'
import { MissingScope } from '#components/values/explained.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { entryNameFault, type NamedEntry, snippetFields, snippetTextFault } from '#lib/disputes/snippets/snippet.ts'
import type { CommandKindName } from '#lib/kind-names.ts'
import { visibleText } from '#lib/values/text.ts'

export interface SharedEntry extends NamedEntry {
  /** Null in a list of names. */
  readonly text: string | null
  readonly retired: boolean
}

interface ListWords {
  readonly noun: string
  readonly title: string
  readonly article: string
  readonly edit: string
  readonly remove: string
  readonly none: string
  readonly kinds: Readonly<Record<'save' | 'remove' | 'restore', CommandKindName>>
}

const lists = {
  snippets: {
    ...{ noun: 'snippet', article: 'a snippet', title: 'Snippets', edit: 'Edit', remove: 'Remove' },
    none: 'No snippets yet. Save replies that you use often.',
    kinds: { save: 'snippet.save', remove: 'snippet.remove', restore: 'snippet.restore' },
  },
  categories: {
    ...{ noun: 'category', article: 'a category', title: 'Categories', edit: 'Rename', remove: 'Retire' },
    none: 'No categories in use. Once you add one, every decision on a case needs a category.',
    kinds: { save: 'category.save', remove: 'category.retire', restore: 'category.restore' },
  },
} as const satisfies Readonly<Record<string, ListWords>>

type Doing =
  | { readonly what: 'form'; readonly id: string; readonly changedAt: string }
  | { readonly what: 'removing'; readonly entry: SharedEntry }
  | { readonly what: 'restoring' }
  | null

interface SharedListProps {
  of: keyof typeof lists
  entries: readonly SharedEntry[]
  mayChange: boolean
}

export function SharedList({ of, entries, mayChange }: SharedListProps) {
  const list: ListWords = lists[of]
  const present = entries.filter(({ retired }) => !retired)
  const retired = entries.filter((entry) => entry.retired)
  const command = useCommand(null, useAutomaticRefresh())
  const [doing, setDoing] = useState<Doing>(null)
  const add = useRef<HTMLButtonElement>(null)
  const { state } = command
  const done = state.step === 'outcome' && state.command.outcome.class === 'done' ? state.command : null
  const busy = state.step === 'checking' || blockingReason(command) !== null
  const removed = doing?.what === 'removing' && done !== null ? doing.entry : null
  const leave = useEffectEvent(() => {
    if (doing === null) return
    if (doing.what === 'form') setDoing(null)
    add.current?.focus()
  })
  useEffect(() => {
    if (done !== null) leave()
  }, [done])
  const begin = (next: Doing) => {
    command.clear()
    setDoing(next)
  }
  const openForm = (id: string, changedAt: string) => {
    if (mayDropText()) begin({ what: 'form', id, changedAt })
  }
  const save = (given: GivenEntry) => command.prepare(list.kinds.save, given)
  const remove = (entry: SharedEntry) => {
    if (!mayDropText()) return
    begin({ what: 'removing', entry })
    command.prepare(list.kinds.remove, { id: entry.id, changedAt: entry.changedAt })
  }
  const restore = (id: string) => {
    if (!mayDropText()) return
    begin({ what: 'restoring' })
    command.prepare(list.kinds.restore, { id })
  }
  const form = (entry: SharedEntry | null) =>
    doing?.what === 'form' && doing.id === (entry?.id ?? doing.id) ? (
      <EntryForm
        key={doing.id}
        id={doing.id}
        changedAt={doing.changedAt}
        entry={entry}
        noun={list.noun}
        hasText={of === 'snippets'}
        faults={command.faults}
        busy={busy}
        onSave={save}
        onLeave={() => begin(null)}
      />
    ) : null
  const isNew = doing?.what === 'form' && !entries.some(({ id }) => id === doing.id)
  return (
    <div className="grid max-w-3xl gap-4">
      <div className="flex flex-wrap items-center gap-3">
        {mayChange ? (
          <Button ref={add} disabled={busy} onClick={() => openForm(crypto.randomUUID(), '')}>
            Add {list.article}
          </Button>
        ) : (
          <MissingScope scope="core:disputes:resolve">Add {list.article}</MissingScope>
        )}
        <Done title={done?.title ?? null} busy={busy} onUndo={removed && (() => restore(removed.id))} />
      </div>
      {doing?.what !== 'form' && command.faults !== undefined ? <FormErrors faults={command.faults} /> : null}
      {done === null ? <CommandOutcome command={command} /> : null}
      {isNew ? <Panel title={`New ${list.noun}`}>{form(null)}</Panel> : null}
      <Panel title={present.length === 0 ? list.title : `${list.title} · ${present.length}`}>
        {present.length === 0 ? (
          <p className="px-3.5 py-3 text-secondary-foreground text-sm">{list.none}</p>
        ) : (
          <Rows
            entries={present}
            row={(entry) =>
              form(entry) ?? (
                <EntryRow
                  {...{ entry, busy, mayChange }}
                  acts={[
                    [list.edit, () => openForm(entry.id, entry.changedAt)],
                    [list.remove, () => remove(entry)],
                  ]}
                />
              )
            }
          />
        )}
      </Panel>
      <Retired entries={retired} {...{ busy, mayChange }} onRestore={restore} />
      <CommandDialogs command={command} />
    </div>
  )
}

const Done = ({ title, busy, onUndo }: { title: string | null; busy: boolean; onUndo: (() => void) | null }) => (
  <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
    {title === null ? null : `${title}: done.`}
    {onUndo === null ? null : (
      <Button variant="outline" aria-disabled={busy} onClick={() => busy || onUndo()}>
        Undo
      </Button>
    )}
  </p>
)

interface RetiredProps {
  entries: readonly SharedEntry[]
  busy: boolean
  mayChange: boolean
  onRestore: (id: string) => void
}

const Retired = ({ entries, onRestore, ...props }: RetiredProps) =>
  entries.length === 0 ? null : (
    <Panel title={`Retired · ${entries.length}`}>
      <Rows
        entries={entries}
        row={(entry) => <EntryRow {...props} entry={entry} acts={[['Restore', () => onRestore(entry.id)]]} />}
      />
    </Panel>
  )

const Rows = ({ entries, row }: { entries: readonly SharedEntry[]; row: (entry: SharedEntry) => ReactNode }) => (
  <ul className="divide-y">
    {entries.map((entry) => (
      <li key={entry.id}>{row(entry)}</li>
    ))}
  </ul>
)

interface EntryRowProps {
  entry: SharedEntry
  busy: boolean
  acts: readonly (readonly [word: string, run: () => void])[]
  mayChange: boolean
}

const EntryRow = ({ entry: { name, text, changedBy, changedAt }, busy, acts, mayChange }: EntryRowProps) => (
  <article aria-label={visibleText(name)} className="grid gap-1 px-3.5 py-3">
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="min-w-0 flex-1 break-words font-semibold text-sm">{visibleText(name)}</h3>
      {mayChange
        ? acts.map(([word, run], at) => (
            <Button
              key={word}
              variant={at === 0 ? 'outline' : 'ghost'}
              size="sm"
              aria-disabled={busy}
              onClick={() => busy || run()}
            >
              {word}
            </Button>
          ))
        : null}
    </div>
    {text === null ? null : (
      <p
        dir="auto"
        className="line-clamp-4 whitespace-pre-wrap text-secondary-foreground text-sm [overflow-wrap:anywhere]"
      >
        {visibleText(text)}
      </p>
    )}
    <p className="text-muted-foreground text-xs">
      changed by {visibleText(changedBy)} <Timestamp value={changedAt} as="past" />
    </p>
  </article>
)

interface GivenEntry {
  readonly id: string
  readonly name: string
  readonly text?: string
  readonly changedAt: string
}

interface EntryFormProps {
  id: string
  /** The version that the operator started from, so that a concurrent edit is refused; empty for a new entry. */
  changedAt: string
  entry: SharedEntry | null
  noun: string
  hasText: boolean
  faults: Readonly<Record<string, string>>
  busy: boolean
  onSave: (given: GivenEntry) => void
  onLeave: () => void
}

/** Leaving the page with unsaved text asks first. */
function EntryForm({ id, changedAt, entry, noun, hasText, faults, busy, onSave, onLeave }: EntryFormProps) {
  const [own, setOwn] = useState<Readonly<Record<string, string | null>>>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const [name, text] = [fieldText(event.currentTarget, 'name'), fieldText(event.currentTarget, 'text')]
    const found = { name: entryNameFault(noun, name), text: hasText ? snippetTextFault(text) : null }
    setOwn(found)
    if (found.name !== null || found.text !== null || busy) return
    onSave({ id, name, changedAt, ...(hasText ? { text } : {}) })
  }
  return (
    <form ref={guardForm} onSubmit={submit} className="grid gap-3 p-3.5">
      <TextField
        label="Name"
        name="name"
        takesFocus
        initial={entry?.name ?? ''}
        fault={own.name ?? faults.name ?? null}
      />
      {hasText ? (
        <TextAreaField
          label="Text"
          name="text"
          dir="auto"
          grows
          initial={entry?.text ?? ''}
          fault={own.text ?? faults.text ?? null}
          help={`Filled in from the case: ${snippetFields.map((field) => `{${field}}`).join(' ')}. Fill in any other {word} by hand.`}
        />
      ) : null}
      <FormError fault={faults.id} />
      <div className="flex gap-2">
        <Button type="submit" aria-disabled={busy}>
          Save the {noun}
        </Button>
        <Button variant="ghost" aria-disabled={busy} onClick={() => busy || onLeave()}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
