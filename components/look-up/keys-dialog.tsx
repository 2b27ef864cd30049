import { frameKeys, GO_KEY, goPlaces, type KeyLine } from '#components/frame/areas.ts'
import { Modal } from '#components/frame/modal.tsx'
import { Kbd } from '#components/ui/kbd.tsx'

export interface KeysDialogProps {
  onClose: () => void
}

export const KeysDialog = ({ onClose }: KeysDialogProps) => (
  <Modal title="Keys" description="They work while you are not typing." onClose={onClose}>
    <KeyList />
  </Modal>
)

export const KeyList = () => (
  <div className="gap-x-6 px-4.5 pt-3.5 sm:columns-2">
    {keyGroups.map(({ title, lines }) => (
      <section key={title} aria-label={title} className="break-inside-avoid pb-4">
        <h3 className="mb-1 text-muted-foreground text-xs">{title}</h3>
        <dl>
          {lines.map(({ keys, words }) => (
            <div key={keys.join(' ')} className="flex min-h-7 items-center gap-3 text-sm">
              <dt className="flex w-18 shrink-0 gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </div>
)

export const keyGroups: readonly { readonly title: string; readonly lines: readonly KeyLine[] }[] = [
  {
    title: 'Everywhere',
    lines: [
      ...Object.values(frameKeys),
      { keys: ['c'], words: 'Copy the focused value' },
      { keys: ['Ctrl', 'Enter'], words: 'Confirm the open dialog; also ⌘ Enter' },
      { keys: ['Esc'], words: 'Close the dialog, menu or change' },
    ],
  },
  { title: 'Go to', lines: goPlaces.map(({ key, words }) => ({ keys: [GO_KEY, key], words })) },
  {
    title: 'In a table',
    lines: [
      { keys: ['j'], words: 'Next row; also ↓ in the table' },
      { keys: ['k'], words: 'Previous row; also ↑ in the table' },
      { keys: ['→'], words: 'Next control in the row' },
      { keys: ['←'], words: 'Previous control in the row' },
      { keys: ['Home'], words: 'First row' },
      { keys: ['End'], words: 'Last row' },
      { keys: ['Enter'], words: 'Open the row' },
    ],
  },
  {
    title: 'On Home and Disputes',
    lines: [
      { keys: ['o'], words: 'Assign the next case to me' },
      { keys: ['x'], words: 'Select the case' },
      { keys: ['a'], words: 'Assign the selected cases to me' },
    ],
  },
  {
    title: 'On an approval',
    lines: [
      { keys: ['a'], words: 'Go to Approve, also from its row' },
      { keys: ['d'], words: 'Write a reason, to decline' },
      { keys: ['n'], words: 'Next request' },
    ],
  },
  { title: 'On Activity, Approvals, and in a history', lines: [{ keys: ['e'], words: 'Export as CSV' }] },
  { title: 'On Deposits', lines: [{ keys: ['n'], words: 'Next deposit, after a confirmation' }] },
  {
    title: 'In a case',
    lines: [
      { keys: ['m'], words: 'Write a message' },
      { keys: ['n'], words: 'Write an internal note' },
      { keys: ['r'], words: 'Resolve' },
      { keys: ['a'], words: 'Assign to me, or reassign' },
      { keys: ['s'], words: 'Snooze or wake' },
      { keys: ['w'], words: 'Watch, or stop watching' },
      { keys: ['u'], words: 'Mark unread' },
      { keys: ['f'], words: 'Search the thread' },
      { keys: ['['], words: 'Previous case' },
      { keys: [']'], words: 'Next case' },
      { keys: ['Ctrl', 'Enter'], words: 'Send the message, save the note, or continue with the decision' },
      { keys: ['/'], words: 'Insert a snippet, in a message, a note or a reason' },
      { keys: ['@'], words: 'Mention a colleague, in a note' },
    ],
  },
]
