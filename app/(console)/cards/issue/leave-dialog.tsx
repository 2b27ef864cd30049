import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'

interface LeaveDialogProps {
  onStay: () => void
  onLeave: () => void
}

export const LeaveDialog = ({ onStay, onLeave }: LeaveDialogProps) => (
  <Modal
    title="Leave while the card number can still be shown?"
    description="Leaving hides it for good, and nobody here can show it again. If it has not reached the holder, stay and hand it over."
    onClose={onStay}
  >
    <DialogFooter>
      <Button variant="outline" onClick={onStay}>
        Stay on this page
      </Button>
      <Button variant="destructive" onClick={onLeave}>
        Hide the number and leave
      </Button>
    </DialogFooter>
  </Modal>
)
