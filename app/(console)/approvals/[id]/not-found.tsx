export { default } from '../../activity/[id]/not-found.tsx'
