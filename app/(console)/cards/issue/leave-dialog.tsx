import { Modal } from '#components/frame/modal.tsx'
import { Button } from '#components/ui/button.tsx'
import { DialogFooter } from '#components/ui/dialog.tsx'

export const LeaveDialog = ({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) => (
  <Modal
    title="Leave and hide the card number?"
    description="It can never be shown again. If the holder does not have it yet, stay."
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
