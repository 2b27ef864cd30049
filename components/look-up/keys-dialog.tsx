import { Modal } from '#components/frame/modal.tsx'
import { Kbd } from '#components/ui/kbd.tsx'
import { keyGroups } from './key-groups.ts'

export interface KeysDialogProps {
  onClose: () => void
}

export const KeysDialog = ({ onClose }: KeysDialogProps) => (
  <Modal title="Keys" description="They work wherever nothing is being typed." onClose={onClose}>
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
