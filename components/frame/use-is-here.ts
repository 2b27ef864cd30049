import { useEffect, useRef } from 'react'

/** For an answer that would open another page: false once the operator has left this one. */
export function useIsHere(): () => boolean {
  const here = useRef(false)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return () => here.current
}
